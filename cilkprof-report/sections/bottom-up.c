/* The functions of a parallel run, each with its callers: the paper's Figure 5.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/samples/callers.h"
#include "cilkprof-report/sections/sections.h"
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

struct tree {
  FILE *out;
  const struct samples *samples;
  struct callers callers;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

static bool is_small(const struct tree *tree, const struct caller *caller) {
  double share = percent(waste_effort(&caller->own), waste_effort(&tree->samples->total));
  return share < tree->options->least_bottom_up;
}

static void print_caller(const struct tree *tree, const struct caller *caller, size_t depth) {
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

static void print_tree(const struct tree *tree) {
  const struct caller *callers = tree->callers.callers;
  size_t depth = 0, hidden = 0;
  for (uint32_t at = tree->callers.first; at != NO_CONTEXT;) {
    const struct caller *caller = &callers[at];
    bool shown = !is_small(tree, caller);
    if (shown)
      print_caller(tree, caller, depth);
    hidden += !shown && depth == 0;
    if (shown && caller->first_child != NO_CONTEXT) {
      at = caller->first_child;
      depth++;
      continue;
    }
    while (caller->next_sibling == NO_CONTEXT && caller->parent != NO_CONTEXT) {
      caller = &callers[caller->parent];
      depth--;
    }
    at = caller->next_sibling;
  }
  if (hidden > 0)
    fprintf(tree->out, "\n  %s function%s left out, each below %g %%.\n", grouped(hidden).text, plural(hidden),
            tree->options->least_bottom_up);
}

void print_bottom_up(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct buffer buffer = {0};
  struct layout layout = waste_layout("function, its callers (place of the call)", options->terminal_width);
  struct tree tree = {out, samples, callers_of(samples), options, layout, &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Bottom-up: the functions of the parallel run, and their callers");
  fputs("\n\n", out);
  layout_print_headings(out, &tree.layout);
  print_tree(&tree);
  free(buffer.text);
  if (!options->brief)
    waste_explain(out, &tree.layout, explanation, options->terminal_width);
}
