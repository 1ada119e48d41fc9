/* The chain of call sites along the span, folded at recursion.
   SPDX-License-Identifier: GPL-3.0-or-later

   For each call site, a profile has the values of its calls on the span, but not the calls that contain them.  So it is
   known which sites are on the span, which part of the span each site has, and which functions call each other on it.
   Every site is shown once, below its caller.  The calls of a function are shown where it is reached first; they are
   those of all of its invocations on the span.  */

#include <stdlib.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n The calls on the critical path, each below its caller; those with the longest span come first.\n\n % span     "
    "\tthe share of the program's span that the callee itself takes when called here.  These add up to 100.\n own      "
    "  \tthe same in time or instructions: the local span of the calls on the critical path,\n span       \tand their "
    "span with their callees.\n calls      \tthe number of calls on the critical path.\n parallel   \ttheir "
    "parallelism, with their callees.\n\n A recursive call is marked as such and belongs to the call above it.  A "
    "function that is called from several places is expanded where it is reached first, with the callees of all its "
    "calls.\n";

enum { SHARE, OWN, SPAN, CALLS, PARALLEL, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SHARE] = {NULL, "% span", 6, 0},      [OWN] = {NULL, "own", 8, 0},
    [SPAN] = {NULL, "span", 8, 2},         [CALLS] = {NULL, "calls", 9, 1},
    [PARALLEL] = {NULL, "parallel", 8, 0}, [NAME] = {NULL, "callee (place of the call)", -1, 0},
};
enum { LEAST_ROOM = 40 };

/* Returns whether a call of SITE is on the span of the program.  */
static bool is_on_critical_path(const struct site *site) {
  return site->measured->on_span.local.count > 0;
}

/* Returns the number by which the sites on the critical path are grouped by caller: 0 for code without instrumentation,
   otherwise that of the function plus one.  */
static size_t critical_path_caller_number(const struct site *site) {
  return site->caller != NULL ? site->caller->number + 1 : 0;
}

/* Compares two sites on the critical path, for qsort: by caller, code without instrumentation first, then by span, the
   longest first.  */
static int compare_critical_path_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  const struct cilkprof_measures *x = &a->measured->on_span, *y = &b->measured->on_span;
  if (critical_path_caller_number(a) != critical_path_caller_number(b))
    return critical_path_caller_number(a) < critical_path_caller_number(b) ? -1 : 1;
  if (x->top_call_site.span != y->top_call_site.span)
    return x->top_call_site.span > y->top_call_site.span ? -1 : 1;
  if (x->local.span != y->local.span)
    return x->local.span > y->local.span ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* A caller whose calls are being printed.  */
struct level {
  const struct function *function; /* NULL: code without instrumentation */
  size_t next;                     /* index of the next call to print */
};

enum state { UNSEEN, OPEN, CLOSED };

struct walk {
  FILE *out;
  const struct model *model;
  const struct options *options;
  const struct site **sites; /* sites on the span, sorted by compare_critical_path_sites */
  size_t site_count;
  size_t *first;      /* index of the first site of each critical_path_caller_number, and the end after the last */
  enum state *states; /* by number of the function */
  struct level *levels;
  size_t depth, room;
  struct layout layout;
  struct buffer buffer;
};

/* Prints the line of SITE on the critical path: its share of the span, its costs, and its callee, with a remark if that
   is open above it or was shown before.  */
static void print_critical_path_site(struct walk *walk, const struct site *site) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  const struct layout *layout = &walk->layout;
  struct line line = {.out = walk->out};
  line_site_share_cell(&line, site, walk->model, walk->options);
  layout_string_cell(layout, &line, OWN, model_quantity(walk->model, (double)on_span->local.span, 4, "").text);
  layout_string_cell(layout, &line, SPAN, model_quantity(walk->model, (double)on_span->top_call_site.span, 4, "").text);
  layout_integer_cell(layout, &line, CALLS, on_span->local.count);
  layout_string_cell(layout, &line, PARALLEL,
                     model_parallelism_text(on_span->top_call_site.work, on_span->top_call_site.span).text);
  enum state state = walk->states[site->callee->number];
  bool calls = walk->first[site->callee->number + 1] < walk->first[site->callee->number + 2];
  layout_branch_cell(layout, &line, walk->depth - 1, callee_label(&walk->buffer, site, walk->options),
                     state == OPEN              ? " recursion"
                     : state == CLOSED && calls ? " as above"
                                                : "");
  line_flush(&line);
}

/* Begins to print the calls of FUNCTION on the critical path, one level deeper.  NULL is code without
   instrumentation.  */
static void enter_critical_path_function(struct walk *walk, const struct function *function) {
  size_t number = function != NULL ? function->number + 1 : 0;
  walk->levels = grow_array(walk->levels, walk->depth, &walk->room, sizeof *walk->levels);
  walk->levels[walk->depth++] = (struct level){function, walk->first[number]};
  if (function != NULL)
    walk->states[function->number] = OPEN;
}

/* Prints the calls of FUNCTION on the critical path and those of its callees, down to the last.  It uses a stack of its
   own instead of recursion, because call chains can be long.  */
static void print_critical_path_from(struct walk *walk, const struct function *function) {
  enter_critical_path_function(walk, function);
  while (walk->depth > 0) {
    struct level *level = &walk->levels[walk->depth - 1];
    size_t number = level->function != NULL ? level->function->number + 1 : 0;
    if (level->next == walk->first[number + 1]) {
      if (level->function != NULL)
        walk->states[level->function->number] = CLOSED;
      walk->depth--;
      continue;
    }
    const struct site *site = walk->sites[level->next++];
    print_critical_path_site(walk, site);
    if (walk->states[site->callee->number] == UNSEEN)
      enter_critical_path_function(walk, site->callee);
  }
}

/* Fills WALK with the sites on the span, grouped by caller and sorted.  */
static void find_critical_path_sites(struct walk *walk) {
  const struct model *model = walk->model;
  walk->sites = allocate(model->site_count, sizeof *walk->sites);
  walk->first = allocate(model->functions.count + 2, sizeof *walk->first);
  walk->states = allocate(model->functions.count, sizeof *walk->states);
  for (size_t i = 0; i < model->site_count; i++)
    if (is_on_critical_path(&model->sites[i])) {
      walk->sites[walk->site_count++] = &model->sites[i];
      walk->first[critical_path_caller_number(&model->sites[i]) + 1]++;
    }
  for (size_t i = 1; i < model->functions.count + 2; i++)
    walk->first[i] += walk->first[i - 1];
  qsort(walk->sites, walk->site_count, sizeof *walk->sites, compare_critical_path_sites);
}

/* Prints the section of --critical-path: the call sites along the span, each below its caller.  */
void print_critical_path(FILE *out, struct model *model, const struct options *options) {
  struct walk walk = {.out = out, .model = model, .options = options};
  walk.layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  print_styled(out, options->color, STYLE_TITLE, "Critical path");
  fputs("\n\n", out);
  if (model->program.flags & CILKPROF_NO_ON_SPAN) {
    print_prose(out, "  The critical path is unknown: memory ran out, or the program was killed.\n",
                options->terminal_width);
    return;
  }
  find_critical_path_sites(&walk);
  layout_print_headings(out, &walk.layout);
  print_critical_path_from(&walk, NULL);
  for (size_t i = 0; i < model->functions.count;
       i++) /* functions whose call is missing, in a run that did not reach its end */
    if (walk.states[i] == UNSEEN && walk.first[i + 1] < walk.first[i + 2])
      print_critical_path_from(&walk, model->functions.list[i]);
  free(walk.sites);
  free(walk.first);
  free(walk.states);
  free(walk.levels);
  free(walk.buffer.text);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  explain_omitted_table_columns(out, &walk.layout, options->terminal_width);
}
