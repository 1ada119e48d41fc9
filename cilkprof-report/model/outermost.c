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

struct nesting nesting_make(const struct model *model) {
  return (struct nesting){
      .model = model,
      .reached = allocate(model->functions.count, sizeof(uint32_t)),
      .path = allocate(model->functions.count, sizeof(struct function *)),
  };
}

void nesting_free(struct nesting *nesting) {
  free(nesting->reached);
  free(nesting->path);
}

/* Callback of first_from: returns whether an arc sorts before the key ENDS.  */
static bool is_before_ends(const void *item, const void *ends) {
  const struct arc *arc = item;
  return ends_of(arc->caller, arc->callee->number) < *(const uint64_t *)ends;
}

/* Returns the index of the first arc whose key is ENDS or larger.  */
static size_t first_arc(const struct model *model, uint64_t ends) {
  return first_from(model->arcs, model->arc_count, sizeof *model->arcs, is_before_ends, &ends);
}

/* Marks FUNCTION as reached by the current set.  Functions with an order below LEAST are ignored: they call only
   functions with an order below LEAST.  */
static void reach(struct nesting *nesting, const struct function *function, uint32_t least) {
  if (function->order < least || nesting->reached[function->number] == nesting->set)
    return;
  nesting->reached[function->number] = nesting->set;
  nesting->path[nesting->path_length++] = function;
}

/* Marks the callers of the sites that are reached by calls of the sites.  LEAST is the lowest order among these
   callers.  */
static void follow_calls(struct nesting *nesting, const struct site *const *sites, size_t count) {
  const struct model *model = nesting->model;
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < count; i++)
    if (sites[i]->caller != NULL && sites[i]->caller->order < least)
      least = sites[i]->caller->order;
  nesting->set++;
  for (size_t i = 0; i < count; i++) {
    const struct cilkprof_measures *on_work = &sites[i]->measured->on_work;
    if (on_work->local.count > 0)
      reach(nesting, sites[i]->callee, least);
    if (sites[i]->caller != NULL && on_work->top_call_site.count < on_work->local.count)
      /* Recursion, perhaps through the body of a loop or code without instrumentation.  */
      reach(nesting, sites[i]->caller, least);
  }
  while (nesting->path_length > 0) {
    const struct function *function = nesting->path[--nesting->path_length];
    for (size_t i = first_arc(model, ends_of(function, 0)); i < model->arc_count && model->arcs[i].caller == function;
         i++)
      if (arc_calls(&model->arcs[i]) > 0)
        reach(nesting, model->arcs[i].callee, least);
  }
}

/* Returns whether code without instrumentation calls FUNCTION, as qsort calls its comparison function.  */
static bool is_called_back(const struct nesting *nesting, const struct function *function) {
  const struct model *model = nesting->model;
  size_t i = first_arc(model, ends_of(NULL, function->number));
  return i < model->arc_count && model->arcs[i].callee == function && arc_calls(&model->arcs[i]) > 0 &&
         !is_start(function);
}

/* Returns whether calls by the caller of FIRST may be nested in other calls of the set.  ONLY_CALLER says that all
   sites of the set have this caller.  */
static bool may_be_below(const struct nesting *nesting, const struct site *first, bool only_caller) {
  if (first->caller == NULL)
    return !only_caller && !is_start(first->callee);
  return nesting->reached[first->caller->number] == nesting->set ||
         (!only_caller && is_called_back(nesting, first->caller));
}

/* Returns VALUE * PART / WHOLE.  */
static uint64_t part_of(uint64_t value, uint64_t part, uint64_t whole) {
  return (uint64_t)((unsigned __int128)value * part / whole);
}

/* Adds the part of OTHER by which VALUE, its work or span, exceeds KNOWN, the same value of SUM.  */
static void add_excess(struct cilkprof_measure *sum, const struct cilkprof_measure *other, uint64_t known,
                       uint64_t value) {
  if (value <= known)
    return;
  uint64_t excess = value - known;
  struct cilkprof_measure part = {part_of(other->count, excess, value), part_of(other->work, excess, value),
                                  part_of(other->span, excess, value), part_of(other->burdened_span, excess, value)};
  add_measure(sum, &part);
}

void limit_measure(struct cilkprof_measure *measure, uint64_t value, uint64_t most) {
  if (value <= most)
    return;
  measure->work = part_of(measure->work, most, value);
  measure->span = part_of(measure->span, most, value);
  measure->burdened_span = part_of(measure->burdened_span, most, value);
}

/* Adds the part of OTHER by which its work exceeds the work of SUM.  */
static void add_work_excess(struct cilkprof_measure *sum, const struct cilkprof_measure *other) {
  add_excess(sum, other, sum->work, other->work);
}

/* Adds ON_WORK and ON_SPAN to those of SUM.  */
static void add_both(struct outermost *sum, const struct cilkprof_measure *on_work,
                     const struct cilkprof_measure *on_span) {
  add_measure(&sum->on_work, on_work);
  add_measure(&sum->on_span, on_span);
}

/* Adds the parts of ON_WORK and ON_SPAN that exceed those of SUM.  */
static void add_both_excesses(struct outermost *sum, const struct cilkprof_measure *on_work,
                              const struct cilkprof_measure *on_span) {
  add_work_excess(&sum->on_work, on_work);
  add_excess(&sum->on_span, on_span, sum->on_span.span, on_span->span);
}

/* A cilk_for and the work in its body that has not been assigned to sites in the body yet.  */
struct body {
  const struct site *loop;
  uint64_t room;
};

/* Returns whether SITE is in the body of the loop.  Then none of its invocations is a top-caller invocation, because
   the loop is above it, and its work is part of the loop's work, except for rounding.  */
static bool is_in_body(const struct site *site, const struct body *body) {
  const struct cilkprof_measures *on_work = &site->measured->on_work;
  const struct site *loop = body->loop;
  return on_work->top_caller.count == 0 && on_work->top_call_site.work <= sum_of(body->room, body->room / 16) &&
         loop->file == site->file && loop->line == site->line && loop->column <= site->column;
}

/* Returns the innermost loop whose body contains SITE, or NULL.  */
static struct body *body_of(const struct site *site, struct body *bodies, size_t count) {
  struct body *inner = NULL;
  for (size_t i = 0; i < count; i++)
    if (is_in_body(site, &bodies[i]) && (inner == NULL || bodies[i].loop->column >= inner->loop->column))
      inner = &bodies[i];
  return inner;
}

/* Returns A - B, or 0 if B is larger.  */
static uint64_t difference(uint64_t a, uint64_t b) {
  return a > b ? a - b : 0;
}

/* Adds the sites of one caller that is not reached by calls of the set.  They are sorted by work, largest first, so
   that the calls that take most of a loop's work are the first to be assigned to it.  */
static void add_caller(struct outermost *sum, const struct site *const *sites, size_t count) {
  struct body *bodies = NULL;
  size_t body_count = 0, room = 0;
  for (size_t i = 0; i < count; i++) {
    const struct cilkprof_site *measured = sites[i]->measured;
    const struct cilkprof_measures *on_work = &measured->on_work;
    struct body *body = body_of(sites[i], bodies, body_count);
    if (body != NULL) {
      body->room = difference(body->room, on_work->top_call_site.work);
    } else {
      add_both(sum, &on_work->top_call_site, &measured->on_span.top_call_site);
    }
    if (sites[i]->kind != CILKPROF_SITE_LOOP)
      continue;
    bodies = grow(bodies, body_count, &room, sizeof *bodies);
    bodies[body_count++] = (struct body){sites[i], difference(on_work->top_call_site.work, on_work->local.work)};
  }
  free(bodies);
}

/* Returns whether some calls of SITE are nested in others of SITE, or may be because caller and callee are in one
   cycle.  */
static bool is_recursive(const struct site *site) {
  const struct cilkprof_measures *on_work = &site->measured->on_work;
  return is_nested(site->caller, site->callee) || on_work->top_call_site.count < on_work->local.count;
}

/* Returns the cost of the sites of one caller that is reached by calls of the set.  Calls by its top-caller invocations
   are never nested in one another; nor are the top-call-site invocations of one site; nor are the calls of sites that
   are not recursive.  SITES is reordered.  */
static struct outermost recursive_caller(const struct site **sites, size_t count) {
  struct outermost sum = {0}, others = {0};
  size_t other_count = 0;
  for (size_t i = 0; i < count; i++)
    add_both(&sum, &sites[i]->measured->on_work.top_caller, &sites[i]->measured->on_span.top_caller);
  for (size_t i = 0; i < count; i++)
    if (is_recursive(sites[i]))
      add_both_excesses(&sum, &sites[i]->measured->on_work.top_call_site, &sites[i]->measured->on_span.top_call_site);
    else
      sites[other_count++] = sites[i];
  add_caller(&others, sites, other_count);
  add_both_excesses(&sum, &others.on_work, &others.on_span);
  return sum;
}

/* Sorts by caller, then by work, largest first, and a loop before the sites in its body.  */
static int compare_sites(const void *left, const void *right) {
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

/* Limits SUM to the totals of the program.  Nothing else is known about callbacks into functions that are running.  */
static void limit_to_program(struct outermost *sum, const struct cilkprof_totals *totals) {
  limit_measure(&sum->on_work, sum->on_work.work, totals->work);
  limit_measure(&sum->on_span, sum->on_span.span, totals->span);
}

/* Adds the callers whose calls may be nested in other calls of the set if BELOW, or else the other callers.  */
static void add_callers(const struct nesting *nesting, struct outermost *sum, const struct site **sites, size_t count,
                        bool below) {
  bool only_caller = sites[0]->caller == sites[count - 1]->caller;
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && sites[end]->caller == sites[i]->caller; end++)
      ;
    if (may_be_below(nesting, sites[i], only_caller) != below)
      continue;
    if (!below) {
      add_caller(sum, sites + i, end - i);
      continue;
    }
    struct outermost caller = recursive_caller(sites + i, end - i);
    add_both_excesses(sum, &caller.on_work, &caller.on_span);
  }
}

struct outermost outermost_of(struct nesting *nesting, const struct site *const *sites, size_t count) {
  struct outermost sum = {0};
  if (count == 1)
    return (struct outermost){sites[0]->measured->on_work.top_call_site, sites[0]->measured->on_span.top_call_site};
  const struct site **sorted = allocate(count, sizeof *sorted);
  memcpy(sorted, sites, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_sites);
  follow_calls(nesting, sorted, count);
  add_callers(nesting, &sum, sorted, count, false);
  add_callers(nesting, &sum, sorted, count, true);
  free(sorted);
  limit_to_program(&sum, &nesting->model->totals);
  return sum;
}

/* Returns whether the call comes from an instrumented function outside the cycle of CALLEE.  Such calls are never
   nested in one another; all others may be.  */
static bool is_apart(const struct function *caller, const struct function *callee) {
  return caller != NULL && !is_nested(caller, callee);
}

void find_entered(struct model *model) {
  for (size_t i = 0; i < model->arc_count; i++) {
    const struct arc *arc = &model->arcs[i];
    if (is_apart(arc->caller, arc->callee))
      add_measure(&arc->callee->entered, &arc->on_work->top_call_site);
  }
  for (size_t i = 0; i < model->arc_count; i++) {
    const struct arc *arc = &model->arcs[i];
    if (!is_apart(arc->caller, arc->callee))
      add_work_excess(&arc->callee->entered, &arc->on_work->top_caller);
  }
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (!is_apart(site->caller, site->callee))
      add_work_excess(&site->callee->entered, &site->measured->on_work.top_call_site);
  }
}
