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

static const char explanation[] =
    "\n"
    " Every line is a function or loop below those that led to it, whichever threads they ran in, with all that it "
    "called; those with most effort come first.\n"
    "\n";

struct top_down_tree {
  FILE *out;
  const struct samples *samples;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

static struct tree_links context_links(const void *data, uint32_t node) {
  const struct top_down_tree *tree = data;
  const struct sample_context *context = &tree->samples->contexts[node];
  return (struct tree_links){context->parent, context->first_child, context->next_sibling};
}

/* A context without any effort is hidden even if the least share is 0.  */
static bool is_small(const void *data, uint32_t node) {
  const struct top_down_tree *tree = data;
  uint64_t effort = waste_effort(&tree->samples->contexts[node].all);
  return effort == 0 || percent(effort, waste_effort(&tree->samples->total)) < tree->options->least_top_down;
}

static void print_context(const void *data, uint32_t node, size_t depth) {
  const struct top_down_tree *tree = data;
  const struct sample_context *context = &tree->samples->contexts[node];
  struct line line = {.out = tree->out};
  waste_cells(&tree->layout, &line, tree->samples, &context->all);
  layout_branch(&tree->layout, &line, depth, sample_text(tree->buffer, context, tree->options), "");
  line_print(&line);
}

/* Prints one line for all hidden contexts with some effort among FIRST and its siblings.  */
static void print_rest(const void *data, uint32_t first, size_t depth) {
  const struct top_down_tree *tree = data;
  const struct sample_context *contexts = tree->samples->contexts;
  struct waste rest = {0};
  unsigned count = 0;
  for (uint32_t node = first; node != NO_CONTEXT; node = contexts[node].next_sibling)
    if (is_small(tree, node) && waste_effort(&contexts[node].all) > 0) {
      count++;
      waste_add(&rest, &contexts[node].all);
    }
  if (count == 0)
    return;
  struct line line = {.out = tree->out};
  waste_cells(&tree->layout, &line, tree->samples, &rest);
  layout_branch(&tree->layout, &line, depth,
                buffer_print(tree->buffer, "(%u left out, each below %g %%)", count, tree->options->least_top_down),
                "");
  line_print(&line);
}

static const struct tree_walk walk = {context_links, is_small, print_context, print_rest};

void print_top_down(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct buffer buffer = {0};
  struct layout layout = waste_layout("function (place of the call)", options->terminal_width);
  struct top_down_tree tree = {out, samples, options, layout, &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Top-down: logical call paths of the parallel run");
  fputs("\n\n", out);
  layout_print_headings(out, &tree.layout);
  tree_print(&walk, &tree, samples->first);
  free(buffer.text);
  if (!options->brief)
    waste_explain(out, &tree.layout, explanation, options->terminal_width);
}
