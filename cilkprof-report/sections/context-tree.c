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
    "\n"
    " Every line is a call site below the calls that led to it; those with most of the span come first.  A call "
    "below another one of the same site is part of the context that it runs in, so that no site stands below "
    "itself.\n"
    "\n"
    " % work     \thow much of the program's work the calls did, with all that they called,\n"
    " % span     \tand how much of its span they hold: those of them that lie on it.\n"
    " own        \thow much of the span is theirs alone, without the contexts below.  These add up to 100.\n"
    " work       \tthe work of the calls,\n"
    " span       \tthe sum of their spans,\n"
    " parallel   \tand their parallelism, work / span.\n"
    " calls      \thow many they are, without those below another one of the same site.\n";

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

static double work_share(const struct context_tree *tree, const struct context *context) {
  return percent(context->on_work.work, tree->model->totals.work);
}

static double span_share(const struct context_tree *tree, const struct context *context) {
  return percent(context->on_span.span, tree->model->totals.span);
}

static const struct context *context_at(const struct context_tree *tree, uint32_t node) {
  return &tree->model->contexts.contexts[node];
}

static struct tree_links context_links(const void *data, uint32_t node) {
  const struct context *context = context_at(data, node);
  return (struct tree_links){context->parent, context->first_child, context->next_sibling};
}

/* Returns whether the shares of a context in work and span are so small that it is hidden.  */
static bool is_small(const void *data, uint32_t node) {
  const struct context_tree *tree = data;
  double least = tree->options->least_context;
  return work_share(tree, context_at(tree, node)) < least && span_share(tree, context_at(tree, node)) < least;
}

static void print_context(const void *data, uint32_t node, size_t depth) {
  const struct context_tree *tree = data;
  const struct context *context = context_at(tree, node);
  const struct cilkprof_measure *on_work = &context->on_work;
  const struct layout *layout = &tree->layout;
  struct line line = {.out = tree->out};
  layout_fixed(layout, &line, WORK_SHARE, work_share(tree, context));
  layout_fixed(layout, &line, SPAN_SHARE, span_share(tree, context));
  double own = percent(context->own_span, tree->model->totals.span);
  line_string(&line, 0, "  ");
  line_percent_of_span(&line, own, &context->on_span, tree->options);
  layout_string(layout, &line, WORK, quantity(tree->model, (double)on_work->work, 4, "").text);
  layout_string(layout, &line, SPAN, quantity(tree->model, (double)on_work->span, 4, "").text);
  layout_string(layout, &line, PARALLEL, parallelism(on_work->work, on_work->span).text);
  layout_integer(layout, &line, CALLS, on_work->count);
  layout_branch(layout, &line, depth, callee_text(tree->buffer, &tree->model->sites[context->site], tree->options), "");
  line_print(&line);
}

/* Prints one line for all hidden contexts among FIRST and its siblings.  */
static void print_rest(const void *data, uint32_t first, size_t depth) {
  const struct context_tree *tree = data;
  struct context rest = {0};
  for (uint32_t node = first; node != NO_CONTEXT; node = context_at(tree, node)->next_sibling) {
    const struct context *context = context_at(tree, node);
    if (!is_small(tree, node))
      continue;
    rest.size += context->size;
    add_measure(&rest.on_work, &context->on_work);
    add_measure(&rest.on_span, &context->on_span);
  }
  if (rest.size == 0)
    return;
  struct line line = {.out = tree->out};
  layout_fixed(&tree->layout, &line, WORK_SHARE, work_share(tree, &rest));
  layout_fixed(&tree->layout, &line, SPAN_SHARE, span_share(tree, &rest));
  line_string(&line, layout_before(&tree->layout, NAME) - layout_before(&tree->layout, OWN), "");
  layout_branch(&tree->layout, &line, depth,
                buffer_print(tree->buffer, "(%u left out, each below %g %%)", rest.size, tree->options->least_context),
                "");
  line_print(&line);
}

static const struct tree_walk walk = {context_links, is_small, print_context, print_rest};

void print_contexts(FILE *out, struct model *model, const struct options *options) {
  struct buffer buffer = {NULL, 0};
  struct context_tree tree = {out, model, options, layout_fit(columns, COLUMNS, options->terminal_width, LEAST_ROOM),
                              &buffer};
  print_styled(out, options->color, STYLE_TITLE, "Calling contexts: the call sites, each below those that led to it");
  fputs("\n\n", out);
  if (model->contexts.missing != NULL) {
    char *path = escape(model->contexts.missing);
    print_words(out, buffer_print(&buffer, "  %s has none: %s.", path, model->contexts.advice), 0, 2,
                options->terminal_width);
    free(path);
    return;
  }
  layout_print_headings(out, &tree.layout);
  tree_print(&walk, &tree, model->contexts.first);
  free(buffer.text);
  if (model->program.flags & CILKPROF_CONTEXTS_CUT)
    fputs("\n  There were more than are kept: the others are part of those above them.\n", out);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  layout_explain(out, &tree.layout, options->terminal_width);
}
