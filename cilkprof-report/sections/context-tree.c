/* The calling contexts as an indented tree.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n"
    " Every line is a call site below the calls that led to it; those with most of the span come first.  A call below\n"
    " another one of the same site is part of the context that it runs in, so that no site stands below itself.\n"
    "\n"
    " % work     how much of the program's work the calls did, with all that they called,\n"
    " % span     and how much of its span they hold: those of them that lie on it.\n"
    " own        how much of the span is theirs alone, without the contexts below.  These add up to 100.\n"
    " work       the work of the calls,\n"
    " span       the sum of their spans,\n"
    " parallel   and their parallelism, work / span.\n"
    " calls      how many they are, without those below another one of the same site.\n";

static const char heading[] =
    "% work  % span     own     work     span parallel      calls  callee (place of the call)\n";
enum { NUMBERS_WIDTH = 62 /* with the gap after them */, MOST_INDENTATION = 60, LEAST_ROOM = 24 };

struct tree {
  FILE *out;
  const struct model *model;
  const struct options *options;
};

static double work_share(const struct tree *tree, const struct context *context) {
  return percent(context->on_work.work, tree->model->totals.work);
}

static double span_share(const struct tree *tree, const struct context *context) {
  return percent(context->on_span.span, tree->model->totals.span);
}

static bool is_small(const struct tree *tree, const struct context *context) {
  double least = tree->options->least_share;
  return work_share(tree, context) < least && span_share(tree, context) < least;
}

static int indentation(size_t depth) {
  return (int)(2 * depth < MOST_INDENTATION ? 2 * depth : MOST_INDENTATION);
}

/* A terminal is not left on its right side, but for names that are too long even for a line.  */
static void print_name(const struct tree *tree, const struct context *context, size_t depth) {
  const struct site *site = &tree->model->sites[context->site];
  struct line line = {.out = tree->out};
  size_t begin = 2 + (size_t)indentation(depth), used = NUMBERS_WIDTH - 2 + begin,
         width = tree->options->terminal_width;
  line_string(&line, (int)begin, "");
  line_callee(&line, site, tree->options);
  bool whole = strlen(site->callee->brief_name) + strlen(site->file) + 2 * MOST_INDENTATION < sizeof line.text;
  if (whole && width >= used + LEAST_ROOM && line.used - begin > width - used) {
    line.used = begin + width - used - 3;
    line_string(&line, 0, "...");
  }
  line_character(&line, '\n');
  line_print(&line);
}

static void print_context(const struct tree *tree, const struct context *context, size_t depth) {
  const struct cilkprof_measure *on_work = &context->on_work;
  fprintf(tree->out, "%6.2f  %6.2f  ", work_share(tree, context), span_share(tree, context));
  double own = percent(context->own_span, tree->model->totals.span);
  struct line line = {.out = tree->out};
  line_percent_of_span(&line, own, &context->on_span, tree->options);
  line_print(&line);
  fprintf(tree->out, " %8s", quantity(tree->model, (double)on_work->work, 4, "").text);
  fprintf(tree->out, " %8s", quantity(tree->model, (double)on_work->span, 4, "").text);
  fprintf(tree->out, " %8s %10llu", parallelism(on_work->work, on_work->span).text, (unsigned long long)on_work->count);
  print_name(tree, context, depth);
}

/* What was left out of the children of PARENT, which NO_CONTEXT is the program's start.  */
static void print_rest(const struct tree *tree, uint32_t parent, size_t depth) {
  const struct contexts *contexts = &tree->model->contexts;
  struct context rest = {0};
  uint32_t child = parent == NO_CONTEXT ? contexts->first : contexts->contexts[parent].first_child;
  for (; child != NO_CONTEXT; child = contexts->contexts[child].next_sibling) {
    const struct context *context = &contexts->contexts[child];
    if (!is_small(tree, context))
      continue;
    rest.size += context->size;
    add_measure(&rest.on_work, &context->on_work);
    add_measure(&rest.on_span, &context->on_span);
  }
  if (rest.size > 0)
    fprintf(tree->out, "%6.2f  %6.2f%*s%*s(%u left out, each below %g %%)\n", work_share(tree, &rest),
            span_share(tree, &rest), NUMBERS_WIDTH - 14, "", indentation(depth), "", rest.size,
            tree->options->least_share);
}

/* A context before its children, without a stack: the tree may be as deep as the program has call sites.  */
static void print_tree(const struct tree *tree) {
  const struct contexts *contexts = &tree->model->contexts;
  size_t depth = 0;
  for (uint32_t at = contexts->first; at != NO_CONTEXT;) {
    const struct context *context = &contexts->contexts[at];
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
      context = &contexts->contexts[context->parent];
    }
    at = context->next_sibling;
  }
}

void print_contexts(FILE *out, struct model *model, const struct options *options) {
  struct tree tree = {out, model, options};
  print_styled(out, options->color, STYLE_TITLE, "Calling contexts: the call sites, each below those that led to it");
  fputs("\n\n", out);
  if (model->contexts.missing != NULL) {
    char *path = escape(model->contexts.missing);
    fprintf(out, "  %s has none: %s.\n", path, model->contexts.advice);
    free(path);
    return;
  }
  fputs(heading, out);
  print_tree(&tree);
  if (model->program.flags & CILKPROF_CONTEXTS_CUT)
    fputs("\n  There were more than are kept: the others are part of those above them.\n", out);
  if (!options->brief)
    fputs(explanation, out);
}
