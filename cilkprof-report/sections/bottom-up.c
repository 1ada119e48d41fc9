/* The functions of a parallel run, each with its callers, as in Figure 5 of "Effective Performance Measurement and
   Analysis of Multithreaded Applications".
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/samples/callers.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/sections/tree-walk.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/waste-columns.h"

static const char explanation[] =
    "\n Each function or loop with its own costs, without its callees; those that worked while most other processors "
    "were idle come first.  Below each are its callers, with their part of these costs.\n\n";

struct bottom_up_tree {
  FILE *out;
  const struct samples *samples;
  struct callers callers;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

/* Returns the parent, first child and next sibling of a NODE of the bottom-up tree, in which callers are below their
   callees.  */
static struct tree_links bottom_up_links(const void *data, uint32_t node) {
  const struct bottom_up_tree *tree = data;
  const struct caller *caller = &tree->callers.callers[node];
  return (struct tree_links){caller->parent, caller->first_child, caller->next_sibling};
}

/* Returns whether the share that a function, or a caller of it, has in the effort is so small that the bottom-up
   section hides it.  */
static bool is_bottom_up_node_hidden(const void *data, uint32_t node) {
  const struct bottom_up_tree *tree = data;
  const struct caller *caller = &tree->callers.callers[node];
  double share = model_percent_of_whole(sample_waste_effort(&caller->own), sample_waste_effort(&tree->samples->total));
  return share < tree->options->least_bottom_up;
}

/* Prints the line of a function, or of a caller DEPTH levels below it, with its work and waste and the source location
   of the call.  */
static void print_bottom_up_node(const void *data, uint32_t node, size_t depth) {
  const struct bottom_up_tree *tree = data;
  const struct caller *caller = &tree->callers.callers[node];
  struct line line = {.out = tree->out};
  struct buffer *buffer = tree->buffer;
  const char *name = caller->function->brief_name;
  if (caller->file != NULL && caller->line > 0) {
    char *file = escape(tree->options->print_path ? caller->file : base_name(caller->file));
    name = buffer_print(buffer, "%s (%s:%u)", name, file, caller->line);
    free(file);
  }
  waste_table_cells(&tree->layout, &line, tree->samples, &caller->own);
  layout_branch_cell(&tree->layout, &line, depth, name, "");
  line_flush(&line);
}

/* Prints how many of the functions, FIRST and its siblings, the bottom-up section hides.  Hidden callers are not
   counted: nothing is printed if DEPTH is not 0.  */
static void print_bottom_up_rest(const void *data, uint32_t first, size_t depth) {
  const struct bottom_up_tree *tree = data;
  size_t hidden = 0;
  if (depth > 0)
    return;
  for (uint32_t node = first; node != NO_CONTEXT; node = tree->callers.callers[node].next_sibling)
    hidden += is_bottom_up_node_hidden(tree, node);
  if (hidden > 0)
    fprintf(tree->out, "\n  %s function%s below %g %% each not shown.\n", model_grouped_number(hidden).text,
            model_plural_ending(hidden), tree->options->least_bottom_up);
}

static const struct tree_walk walk = {bottom_up_links, is_bottom_up_node_hidden, print_bottom_up_node,
                                      print_bottom_up_rest};

/* Prints the section of --bottom-up: the functions of a parallel run, each with its callers.  */
void print_bottom_up(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct buffer buffer = {0};
  struct layout layout = waste_table_layout("function, its callers (place of the call)", options->terminal_width);
  struct bottom_up_tree tree = {out, samples, find_sample_callers(samples), options, layout, &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Bottom-up: the functions of the parallel run, and their callers");
  fputs("\n\n", out);
  layout_print_headings(out, &tree.layout);
  print_indented_tree(&walk, &tree, tree.callers.first);
  free(buffer.text);
  if (!options->brief)
    explain_waste_columns(out, &tree.layout, explanation, options->terminal_width);
}
