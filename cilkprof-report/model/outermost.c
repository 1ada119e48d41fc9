/* The cost of the calls of several call sites, without counting nested calls twice.
   SPDX-License-Identifier: GPL-3.0-or-later

   The sites are grouped by caller.  Most callers are not reached by calls of the set.  A call by such a caller can only
   be nested in another one if it is made in the body of a cilk_for that is a site of the same caller.  A caller that is
   reached by calls of the set is recursive, or is a function that is called there, such as a lambda: its calls may be
   nested in other calls of the set, and nothing tells how many are.  Of these only the part that exceeds the sum of all
   others counts, because that part cannot be nested in them.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/outermost.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Returns the working memory with which model_outermost_calls computes costs of call sites of MODEL.  To be freed with
   free_model_nesting.  */
struct nesting make_model_nesting(const struct model *model) {
  return (struct nesting){
      .model = model,
      .reached = allocate(model->functions.count, sizeof(uint32_t)),
      .path = allocate(model->functions.count, sizeof(struct function *)),
  };
}

/* Frees the arrays of NESTING, the working memory of model_outermost_calls.  */
void free_model_nesting(struct nesting *nesting) {
  free(nesting->reached);
  free(nesting->path);
}

/* Callback of sorted_lower_bound: returns whether an arc sorts before the key ENDS, which model_arc_ends_key made.  */
static bool is_model_arc_before_ends(const void *item, const void *ends) {
  const struct arc *arc = item;
  return model_arc_ends_key(arc->caller, arc->callee->number) < *(const uint64_t *)ends;
}

/* Returns the index of the first arc of MODEL whose key is ENDS or larger.  */
static size_t first_model_arc_from(const struct model *model, uint64_t ends) {
  return sorted_lower_bound(model->arcs, model->arc_count, sizeof *model->arcs, is_model_arc_before_ends, &ends);
}

/* Marks FUNCTION as reached by calls of the current set of sites.  Functions with an order below LEAST are ignored:
   they call only functions with an order below LEAST.  */
static void mark_model_function_reached(struct nesting *nesting, const struct function *function, uint32_t least) {
  if (function->order < least || nesting->reached[function->number] == nesting->set)
    return;
  nesting->reached[function->number] = nesting->set;
  nesting->path[nesting->path_length++] = function;
}

/* Marks the callers of the sites that are reached by calls of the sites, directly or through other functions.  Only
   functions of at least the lowest order among these callers are followed.  */
static void mark_reached_model_callers(struct nesting *nesting, const struct site *const *sites, size_t count) {
  const struct model *model = nesting->model;
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < count; i++)
    if (sites[i]->caller != NULL && sites[i]->caller->order < least)
      least = sites[i]->caller->order;
  nesting->set++;
  for (size_t i = 0; i < count; i++) {
    const struct cilkprof_measures *on_work = &sites[i]->measured->on_work;
    if (on_work->local.count > 0)
      mark_model_function_reached(nesting, sites[i]->callee, least);
    if (sites[i]->caller != NULL && on_work->top_call_site.count < on_work->local.count)
      /* Recursion, perhaps through the body of a loop or code without instrumentation.  */
      mark_model_function_reached(nesting, sites[i]->caller, least);
  }
  while (nesting->path_length > 0) {
    const struct function *function = nesting->path[--nesting->path_length];
    for (size_t i = first_model_arc_from(model, model_arc_ends_key(function, 0));
         i < model->arc_count && model->arcs[i].caller == function; i++)
      if (model_arc_calls(&model->arcs[i]) > 0)
        mark_model_function_reached(nesting, model->arcs[i].callee, least);
  }
}

/* Returns whether code without instrumentation calls FUNCTION, as qsort calls its comparison function.  */
static bool is_model_callback(const struct nesting *nesting, const struct function *function) {
  const struct model *model = nesting->model;
  size_t i = first_model_arc_from(model, model_arc_ends_key(NULL, function->number));
  return i < model->arc_count && model->arcs[i].callee == function && model_arc_calls(&model->arcs[i]) > 0 &&
         !is_model_start_function(function);
}

/* Part of adding up a set of call sites without counting calls twice.  FIRST is a site of the set: returns whether the
   calls that its caller makes may happen inside of other calls of the set, so that their cost is already in those.
   This is so if the set leads to the caller, or if the caller is a callback of code without instrumentation, whose own
   callers are unknown.  ONLY_CALLER says that all sites of the set have this caller: then callbacks do not matter.  */
static bool may_model_caller_be_nested(const struct nesting *nesting, const struct site *first, bool only_caller) {
  if (first->caller == NULL)
    return !only_caller && !is_model_start_function(first->callee);
  return nesting->reached[first->caller->number] == nesting->set ||
         (!only_caller && is_model_callback(nesting, first->caller));
}

/* Returns VALUE * PART / WHOLE, without overflow of the product.  WHOLE is not 0.  */
static uint64_t scaled_model_measure_value(uint64_t value, uint64_t part, uint64_t whole) {
  return (uint64_t)((unsigned __int128)value * part / whole);
}

/* Adds to SUM the part of OTHER by which VALUE, the work or span of OTHER, exceeds KNOWN, the same value of SUM.  */
static void add_model_measure_excess(struct cilkprof_measure *sum, const struct cilkprof_measure *other, uint64_t known,
                                     uint64_t value) {
  if (value <= known)
    return;
  uint64_t excess = value - known;
  struct cilkprof_measure part = {scaled_model_measure_value(other->count, excess, value),
                                  scaled_model_measure_value(other->work, excess, value),
                                  scaled_model_measure_value(other->span, excess, value),
                                  scaled_model_measure_value(other->burdened_span, excess, value)};
  add_model_measure(sum, &part);
}

void limit_model_measure(struct cilkprof_measure *measure, uint64_t value, uint64_t most) {
  if (value <= most)
    return;
  measure->work = scaled_model_measure_value(measure->work, most, value);
  measure->span = scaled_model_measure_value(measure->span, most, value);
  measure->burdened_span = scaled_model_measure_value(measure->burdened_span, most, value);
}

/* Adds to SUM the part of OTHER by which its work exceeds the work of SUM.  */
static void add_model_measure_work_excess(struct cilkprof_measure *sum, const struct cilkprof_measure *other) {
  add_model_measure_excess(sum, other, sum->work, other->work);
}

/* Adds ON_WORK and ON_SPAN, the cost of outermost calls, to those of SUM.  */
static void add_model_outermost_cost(struct outermost *sum, const struct cilkprof_measure *on_work,
                                     const struct cilkprof_measure *on_span) {
  add_model_measure(&sum->on_work, on_work);
  add_model_measure(&sum->on_span, on_span);
}

/* Adds the parts of ON_WORK and ON_SPAN, the cost of calls that may be nested in those of SUM, by which they exceed
   ON_WORK and ON_SPAN of SUM.  */
static void add_model_outermost_excess(struct outermost *sum, const struct cilkprof_measure *on_work,
                                       const struct cilkprof_measure *on_span) {
  add_model_measure_work_excess(&sum->on_work, on_work);
  add_model_measure_excess(&sum->on_span, on_span, sum->on_span.span, on_span->span);
}

/* A cilk_for and the work in its body that has not been assigned to sites in the body yet.  */
struct body {
  const struct site *loop;
  uint64_t room;
};

/* Returns whether SITE is in the BODY of a cilk_for.  Then none of its invocations is a top-caller invocation, because
   the loop is above it, and its work is part of the loop's work, except for rounding.  */
static bool is_model_site_in_loop_body(const struct site *site, const struct body *body) {
  const struct cilkprof_measures *on_work = &site->measured->on_work;
  const struct site *loop = body->loop;
  return on_work->top_caller.count == 0 &&
         on_work->top_call_site.work <= model_saturating_sum(body->room, body->room / 16) && loop->file == site->file &&
         loop->line == site->line && loop->column <= site->column;
}

/* Returns the innermost of COUNT loop bodies that contains SITE, or NULL.  */
static struct body *model_loop_body_of_site(const struct site *site, struct body *bodies, size_t count) {
  struct body *inner = NULL;
  for (size_t i = 0; i < count; i++)
    if (is_model_site_in_loop_body(site, &bodies[i]) &&
        (inner == NULL || bodies[i].loop->column >= inner->loop->column))
      inner = &bodies[i];
  return inner;
}

/* Returns A - B, or 0 if B is larger.  */
static uint64_t model_work_difference_or_zero(uint64_t a, uint64_t b) {
  return a > b ? a - b : 0;
}

/* Adds to SUM the outermost calls of the sites of one caller that is not reached by calls of the set.  The sites are
   sorted by work, largest first, so that the calls that take most of a loop's work are the first to be assigned to
   it.  */
static void add_model_outermost_caller(struct outermost *sum, const struct site *const *sites, size_t count) {
  struct body *bodies = NULL;
  size_t body_count = 0, room = 0;
  for (size_t i = 0; i < count; i++) {
    const struct cilkprof_site *measured = sites[i]->measured;
    const struct cilkprof_measures *on_work = &measured->on_work;
    struct body *body = model_loop_body_of_site(sites[i], bodies, body_count);
    if (body != NULL) {
      body->room = model_work_difference_or_zero(body->room, on_work->top_call_site.work);
    } else {
      add_model_outermost_cost(sum, &on_work->top_call_site, &measured->on_span.top_call_site);
    }
    if (sites[i]->kind != CILKPROF_SITE_LOOP)
      continue;
    bodies = grow_array(bodies, body_count, &room, sizeof *bodies);
    bodies[body_count++] =
        (struct body){sites[i], model_work_difference_or_zero(on_work->top_call_site.work, on_work->local.work)};
  }
  free(bodies);
}

/* Returns whether some calls of SITE are nested in others of SITE, or may be because caller and callee are in one
   cycle.  */
static bool is_recursive_model_site(const struct site *site) {
  const struct cilkprof_measures *on_work = &site->measured->on_work;
  return is_nested_model_call(site->caller, site->callee) || on_work->top_call_site.count < on_work->local.count;
}

/* Returns the cost of the outermost calls of the sites of one caller that is reached by calls of the set.  Calls by its
   top-caller invocations are never nested in one another; nor are the top-call-site invocations of one site; nor are
   the calls of sites that are not recursive.  SITES is reordered.  */
static struct outermost model_outermost_of_recursive_caller(const struct site **sites, size_t count) {
  struct outermost sum = {0}, others = {0};
  size_t other_count = 0;
  for (size_t i = 0; i < count; i++)
    add_model_outermost_cost(&sum, &sites[i]->measured->on_work.top_caller, &sites[i]->measured->on_span.top_caller);
  for (size_t i = 0; i < count; i++)
    if (is_recursive_model_site(sites[i]))
      add_model_outermost_excess(&sum, &sites[i]->measured->on_work.top_call_site,
                                 &sites[i]->measured->on_span.top_call_site);
    else
      sites[other_count++] = sites[i];
  add_model_outermost_caller(&others, sites, other_count);
  add_model_outermost_excess(&sum, &others.on_work, &others.on_span);
  return sum;
}

/* Callback of qsort: compares two call sites by caller, then by work, largest first.  A loop comes before the sites in
   its body.  */
static int compare_model_outermost_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  uint64_t a_work = a->measured->on_work.top_call_site.work, b_work = b->measured->on_work.top_call_site.work;
  if (a->caller != b->caller)
    return a->caller == NULL ? 1 : b->caller == NULL ? -1 : a->caller->number < b->caller->number ? -1 : 1;
  if (a_work != b_work)
    return a_work > b_work ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind == CILKPROF_SITE_LOOP ? -1 : b->kind == CILKPROF_SITE_LOOP;
  return a->column != b->column ? a->column < b->column ? -1 : 1 : 0;
}

/* Limits SUM, the cost of outermost calls, to the TOTALS of the program.  Nothing else is known about callbacks into
   functions that are running.  */
static void limit_model_outermost_to_program(struct outermost *sum, const struct cilkprof_totals *totals) {
  limit_model_measure(&sum->on_work, sum->on_work.work, totals->work);
  limit_model_measure(&sum->on_span, sum->on_span.span, totals->span);
}

/* Adds to SUM the cost of sites, which are sorted by caller: of the callers whose calls may be nested in other calls of
   the set if BELOW, or else of the other callers.  */
static void add_model_outermost_callers(const struct nesting *nesting, struct outermost *sum, const struct site **sites,
                                        size_t count, bool below) {
  bool only_caller = sites[0]->caller == sites[count - 1]->caller;
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && sites[end]->caller == sites[i]->caller; end++)
      ;
    if (may_model_caller_be_nested(nesting, sites[i], only_caller) != below)
      continue;
    if (!below) {
      add_model_outermost_caller(sum, sites + i, end - i);
      continue;
    }
    struct outermost caller = model_outermost_of_recursive_caller(sites + i, end - i);
    add_model_outermost_excess(sum, &caller.on_work, &caller.on_span);
  }
}

struct outermost model_outermost_calls(struct nesting *nesting, const struct site *const *sites, size_t count) {
  struct outermost sum = {0};
  if (count == 1)
    return (struct outermost){sites[0]->measured->on_work.top_call_site, sites[0]->measured->on_span.top_call_site};
  const struct site **sorted = allocate(count, sizeof *sorted);
  memcpy(sorted, sites, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_model_outermost_sites);
  mark_reached_model_callers(nesting, sorted, count);
  add_model_outermost_callers(nesting, &sum, sorted, count, false);
  add_model_outermost_callers(nesting, &sum, sorted, count, true);
  free(sorted);
  limit_model_outermost_to_program(&sum, &nesting->model->totals);
  return sum;
}

/* Returns whether the call from CALLER to CALLEE comes from an instrumented function outside the cycle of CALLEE.  Such
   calls are never nested in one another; all others may be.  */
static bool is_model_call_into_cycle(const struct function *caller, const struct function *callee) {
  return caller != NULL && !is_nested_model_call(caller, callee);
}

/* Computes ENTERED of every function of MODEL: the cost of the outermost calls among all calls of the function.  */
void find_model_entered_cost(struct model *model) {
  for (size_t i = 0; i < model->arc_count; i++) {
    const struct arc *arc = &model->arcs[i];
    if (is_model_call_into_cycle(arc->caller, arc->callee))
      add_model_measure(&arc->callee->entered, &arc->on_work->top_call_site);
  }
  for (size_t i = 0; i < model->arc_count; i++) {
    const struct arc *arc = &model->arcs[i];
    if (!is_model_call_into_cycle(arc->caller, arc->callee))
      add_model_measure_work_excess(&arc->callee->entered, &arc->on_work->top_caller);
  }
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (!is_model_call_into_cycle(site->caller, site->callee))
      add_model_measure_work_excess(&site->callee->entered, &site->measured->on_work.top_call_site);
  }
}
