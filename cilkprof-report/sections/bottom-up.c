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
    "\n"
    " Every function or loop with what it did itself, without what it called; those that were at work while most "
    "others "
    "were idle come first.  Below it are those that called it, and how much of that was for them.\n"
    "\n";

struct bottom_up_tree {
  FILE *out;
  const struct samples *samples;
  struct callers callers;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

static struct tree_links caller_links(const void *data, uint32_t node) {
  const struct bottom_up_tree *tree = data;
  const struct caller *caller = &tree->callers.callers[node];
  return (struct tree_links){caller->parent, caller->first_child, caller->next_sibling};
}

/* Returns whether the share of a function, or of a caller, in the effort is so small that it is hidden.  */
static bool is_small(const void *data, uint32_t node) {
  const struct bottom_up_tree *tree = data;
  const struct caller *caller = &tree->callers.callers[node];
  double share = percent(waste_effort(&caller->own), waste_effort(&tree->samples->total));
  return share < tree->options->least_bottom_up;
}

static void print_caller(const void *data, uint32_t node, size_t depth) {
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
  waste_cells(&tree->layout, &line, tree->samples, &caller->own);
  layout_branch(&tree->layout, &line, depth, name, "");
  line_print(&line);
}

/* Prints the number of hidden functions.  Hidden callers are not counted.  */
static void print_rest(const void *data, uint32_t first, size_t depth) {
  const struct bottom_up_tree *tree = data;
  size_t hidden = 0;
  if (depth > 0)
    return;
  for (uint32_t node = first; node != NO_CONTEXT; node = tree->callers.callers[node].next_sibling)
    hidden += is_small(tree, node);
  if (hidden > 0)
    fprintf(tree->out, "\n  %s function%s left out, each below %g %%.\n", grouped(hidden).text, plural(hidden),
            tree->options->least_bottom_up);
}

static const struct tree_walk walk = {caller_links, is_small, print_caller, print_rest};

void print_bottom_up(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct buffer buffer = {0};
  struct layout layout = waste_layout("function, its callers (place of the call)", options->terminal_width);
  struct bottom_up_tree tree = {out, samples, callers_of(samples), options, layout, &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Bottom-up: the functions of the parallel run, and their callers");
  fputs("\n\n", out);
  layout_print_headings(out, &tree.layout);
  tree_print(&walk, &tree, tree.callers.first);
  free(buffer.text);
  if (!options->brief)
    waste_explain(out, &tree.layout, explanation, options->terminal_width);
}
