/* The logical call paths of a parallel run as an indented tree: the paper's Figure 4.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/waste-columns.h"

static const char explanation[] =
    "\n"
    " Every line is a function or loop below those that led to it, whichever threads they ran in, with all that it "
    "called; those with most effort come first.\n"
    "\n";

struct tree {
  FILE *out;
  const struct samples *samples;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

/* What did nothing at all is nobody's affair.  */
static bool is_small(const struct tree *tree, const struct sample_context *context) {
  uint64_t effort = waste_effort(&context->all);
  return effort == 0 || percent(effort, waste_effort(&tree->samples->total)) < tree->options->least_top_down;
}

static void print_context(const struct tree *tree, const struct sample_context *context, size_t depth) {
  struct line line = {.out = tree->out};
  waste_cells(&tree->layout, &line, tree->samples, &context->all);
  layout_branch(&tree->layout, &line, depth, sample_text(tree->buffer, context, tree->options), "");
  line_print(&line);
}

/* What was left out of the children of PARENT, which NO_CONTEXT is the program's start.  */
static void print_rest(const struct tree *tree, uint32_t parent, size_t depth) {
  const struct sample_context *contexts = tree->samples->contexts;
  struct waste rest = {0};
  unsigned count = 0;
  uint32_t child = parent == NO_CONTEXT ? tree->samples->first : contexts[parent].first_child;
  for (; child != NO_CONTEXT; child = contexts[child].next_sibling)
    if (is_small(tree, &contexts[child]) && waste_effort(&contexts[child].all) > 0) {
      count++;
      waste_add(&rest, &contexts[child].all);
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

/* As in context-tree.c: without a stack of our own, as the tree may be as deep as the program's.  */
static void print_tree(const struct tree *tree) {
  const struct sample_context *contexts = tree->samples->contexts;
  size_t depth = 0;
  for (uint32_t at = tree->samples->first; at != NO_CONTEXT;) {
    const struct sample_context *context = &contexts[at];
    bool shown = !is_small(tree, context);
    if (shown)
      print_context(tree, context, depth);
    if (shown && context->first_child != NO_CONTEXT) {
      at = context->first_child;
      depth++;
      continue;
    }
    while (context->next_sibling == NO_CONTEXT) {
      print_rest(tree, context->parent, depth--);
      if (context->parent == NO_CONTEXT)
        return;
      context = &contexts[context->parent];
    }
    at = context->next_sibling;
  }
}

void print_top_down(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct buffer buffer = {0};
  struct layout layout = waste_layout("function (place of the call)", options->terminal_width);
  struct tree tree = {out, samples, options, layout, &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Top-down: logical call paths of the parallel run");
  fputs("\n\n", out);
  layout_print_headings(out, &tree.layout);
  print_tree(&tree);
  free(buffer.text);
  if (!options->brief)
    waste_explain(out, &tree.layout, explanation, options->terminal_width);
}
