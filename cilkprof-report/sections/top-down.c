/* The logical call paths of a parallel run as an indented tree, as in Figure 4 of "Effective Performance Measurement
   and Analysis of Multithreaded Applications".
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/sections/tree-walk.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/waste-columns.h"

static const char explanation[] = "\n Each line is a function or loop below its callers, across threads, with its "
                                  "callees; those with the most effort come first.\n\n";

struct top_down_tree {
  FILE *out;
  const struct samples *samples;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

/* Returns the parent, first child and next sibling of the sampled context that is number NODE of the top-down tree.  */
static struct tree_links top_down_links(const void *data, uint32_t node) {
  const struct top_down_tree *tree = data;
  const struct sample_context *context = &tree->samples->contexts[node];
  return (struct tree_links){context->parent, context->first_child, context->next_sibling};
}

/* Returns whether the share that a sampled context has in the effort is so small that the top-down section hides it.  A
   context without any effort is hidden even if the least share is 0.  */
static bool is_top_down_node_hidden(const void *data, uint32_t node) {
  const struct top_down_tree *tree = data;
  uint64_t effort = sample_waste_effort(&tree->samples->contexts[node].all);
  return effort == 0 ||
         model_percent_of_whole(effort, sample_waste_effort(&tree->samples->total)) < tree->options->least_top_down;
}

/* Prints the line of a sampled context, DEPTH levels below the outermost, with its work and waste.  */
static void print_top_down_node(const void *data, uint32_t node, size_t depth) {
  const struct top_down_tree *tree = data;
  const struct sample_context *context = &tree->samples->contexts[node];
  struct line line = {.out = tree->out};
  waste_table_cells(&tree->layout, &line, tree->samples, &context->all);
  layout_branch_cell(&tree->layout, &line, depth, sample_context_label(tree->buffer, context, tree->options), "");
  line_flush(&line);
}

/* Prints one line for all hidden contexts with some effort among FIRST and its siblings.  */
static void print_top_down_rest(const void *data, uint32_t first, size_t depth) {
  const struct top_down_tree *tree = data;
  const struct sample_context *contexts = tree->samples->contexts;
  struct waste rest = {0};
  unsigned count = 0;
  for (uint32_t node = first; node != NO_CONTEXT; node = contexts[node].next_sibling)
    if (is_top_down_node_hidden(tree, node) && sample_waste_effort(&contexts[node].all) > 0) {
      count++;
      sample_waste_add(&rest, &contexts[node].all);
    }
  if (count == 0)
    return;
  struct line line = {.out = tree->out};
  waste_table_cells(&tree->layout, &line, tree->samples, &rest);
  layout_branch_cell(
      &tree->layout, &line, depth,
      buffer_print(tree->buffer, "(%u below %g %% each not shown)", count, tree->options->least_top_down), "");
  line_flush(&line);
}

static const struct tree_walk walk = {top_down_links, is_top_down_node_hidden, print_top_down_node,
                                      print_top_down_rest};

/* Prints the section of --top-down: the logical call paths of a parallel run as a tree.  */
void print_top_down(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct buffer buffer = {0};
  struct layout layout = waste_table_layout("function (place of the call)", options->terminal_width);
  struct top_down_tree tree = {out, samples, options, layout, &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Top-down: logical call paths of the parallel run");
  fputs("\n\n", out);
  layout_print_headings(out, &tree.layout);
  print_indented_tree(&walk, &tree, samples->first);
  free(buffer.text);
  if (!options->brief)
    explain_waste_columns(out, &tree.layout, explanation, options->terminal_width);
}
