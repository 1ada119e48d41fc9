/* The tree of calling contexts, as indented lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/sections/tree-walk.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n Each line is a call site below the calls that led to it; those with the largest share of the span come first.  "
    "Recursive calls are folded into the context they run in, so that no site appears below itself.\n\n % work     "
    "\tthe calls' share of the program's work, with their callees,\n % span     \tand of its span: of the calls on the "
    "critical path.\n own        \ttheir own share of the span, without the contexts below.  These add up to 100.\n "
    "work       \tthe work of the calls,\n span       \tthe sum of their spans,\n parallel   \tand their parallelism, "
    "work / span.\n calls      \ttheir number, without recursive calls.\n";

enum { WORK_SHARE, SPAN_SHARE, OWN, WORK, SPAN, PARALLEL, CALLS, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [WORK_SHARE] = {NULL, "% work", 6, 0}, [SPAN_SHARE] = {NULL, "% span", 7, 0},
    [OWN] = {NULL, "own", 7, 0},           [WORK] = {NULL, "work", 8, 2},
    [SPAN] = {NULL, "span", 8, 1},         [PARALLEL] = {NULL, "parallel", 8, 4},
    [CALLS] = {NULL, "calls", 10, 3},      [NAME] = {NULL, "callee (place of the call)", -1, 0},
};
enum { LEAST_ROOM = 40 };

struct context_tree {
  FILE *out;
  const struct model *model;
  const struct options *options;
  struct layout layout;
  struct buffer *buffer;
};

/* Returns the share of the program's work that CONTEXT has, in percent.  */
static double context_tree_work_share(const struct context_tree *tree, const struct context *context) {
  return model_percent_of_whole(context->on_work.work, tree->model->totals.work);
}

/* Returns the share of the program's span that CONTEXT has, in percent.  */
static double context_tree_span_share(const struct context_tree *tree, const struct context *context) {
  return model_percent_of_whole(context->on_span.span, tree->model->totals.span);
}

/* Returns the calling context that is number NODE of the tree.  */
static const struct context *context_tree_node(const struct context_tree *tree, uint32_t node) {
  return &tree->model->contexts.contexts[node];
}

/* Returns the parent, first child and next sibling of the calling context that is number NODE of the tree.  */
static struct tree_links context_tree_links(const void *data, uint32_t node) {
  const struct context *context = context_tree_node(data, node);
  return (struct tree_links){context->parent, context->first_child, context->next_sibling};
}

/* Returns whether the shares of a calling context in work and span are so small that --contexts hides it.  */
static bool is_context_tree_row_hidden(const void *data, uint32_t node) {
  const struct context_tree *tree = data;
  double least = tree->options->least_context;
  return context_tree_work_share(tree, context_tree_node(tree, node)) < least &&
         context_tree_span_share(tree, context_tree_node(tree, node)) < least;
}

/* Prints the line of a calling context: its shares of work and span, its costs, and its callee indented by DEPTH.  */
static void print_context_line(const void *data, uint32_t node, size_t depth) {
  const struct context_tree *tree = data;
  const struct context *context = context_tree_node(tree, node);
  const struct cilkprof_measure *on_work = &context->on_work;
  const struct layout *layout = &tree->layout;
  struct line line = {.out = tree->out};
  layout_fixed_cell(layout, &line, WORK_SHARE, context_tree_work_share(tree, context));
  layout_fixed_cell(layout, &line, SPAN_SHARE, context_tree_span_share(tree, context));
  double own = model_percent_of_whole(context->own_span, tree->model->totals.span);
  line_add_string(&line, 0, "  ");
  line_span_share_cell(&line, own, &context->on_span, tree->options);
  layout_string_cell(layout, &line, WORK, model_quantity(tree->model, (double)on_work->work, 4, "").text);
  layout_string_cell(layout, &line, SPAN, model_quantity(tree->model, (double)on_work->span, 4, "").text);
  layout_string_cell(layout, &line, PARALLEL, model_parallelism_text(on_work->work, on_work->span).text);
  layout_integer_cell(layout, &line, CALLS, on_work->count);
  layout_branch_cell(layout, &line, depth,
                     callee_label(tree->buffer, &tree->model->sites[context->site], tree->options), "");
  line_flush(&line);
}

/* Prints one line for all hidden calling contexts among FIRST and its siblings, if there are any.  */
static void print_hidden_contexts(const void *data, uint32_t first, size_t depth) {
  const struct context_tree *tree = data;
  struct context rest = {0};
  for (uint32_t node = first; node != NO_CONTEXT; node = context_tree_node(tree, node)->next_sibling) {
    const struct context *context = context_tree_node(tree, node);
    if (!is_context_tree_row_hidden(tree, node))
      continue;
    rest.size += context->size;
    add_model_measure(&rest.on_work, &context->on_work);
    add_model_measure(&rest.on_span, &context->on_span);
  }
  if (rest.size == 0)
    return;
  struct line line = {.out = tree->out};
  layout_fixed_cell(&tree->layout, &line, WORK_SHARE, context_tree_work_share(tree, &rest));
  layout_fixed_cell(&tree->layout, &line, SPAN_SHARE, context_tree_span_share(tree, &rest));
  line_add_string(&line, layout_width_before(&tree->layout, NAME) - layout_width_before(&tree->layout, OWN), "");
  layout_branch_cell(
      &tree->layout, &line, depth,
      buffer_print(tree->buffer, "(%u below %g %% each not shown)", rest.size, tree->options->least_context), "");
  line_flush(&line);
}

static const struct tree_walk walk = {context_tree_links, is_context_tree_row_hidden, print_context_line,
                                      print_hidden_contexts};

/* Prints the section of --contexts: the tree of calling contexts with their work and span or, if the profiles have
   none, how to get them.  */
void print_contexts(FILE *out, struct model *model, const struct options *options) {
  struct buffer buffer = {NULL, 0};
  struct context_tree tree = {out, model, options,
                              layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM), &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Calling contexts: the call sites, each below those that led to it");
  fputs("\n\n", out);
  if (model->contexts.missing != NULL) {
    char *path = escape(model->contexts.missing);
    print_prose_words(out, buffer_print(&buffer, "  %s has none: %s.", path, model->contexts.advice), 0, 2,
                      options->terminal_width);
    free(path);
    return;
  }
  layout_print_headings(out, &tree.layout);
  print_indented_tree(&walk, &tree, model->contexts.first);
  free(buffer.text);
  if (model->program.flags & CILKPROF_CONTEXTS_CUT)
    fputs("\n  There were too many contexts: the rest are part of those above them.\n", out);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  explain_omitted_table_columns(out, &tree.layout, options->terminal_width);
}
