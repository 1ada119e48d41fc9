/* What functions, arcs and cycles cost, from the sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   No cost is counted twice.  An invocation below another one of the same site, or of a site of the same cycle, is part
   of what that one did.  So a function costs what its calls from outside its cycle cost; these never lie below one
   another, except when code without instrumentation calls back into a function that is running, which nothing measured
   can tell.  */

#include <stdlib.h>
#include "cilkprof-report/model.h"
#include "cilkprof-report/support.h"

/* Functions have numbers; code without instrumentation comes after all of them.  */
static size_t caller_number(const struct site *site) {
  return site->caller != NULL ? site->caller->number : SIZE_MAX;
}

static int compare_sites(const void *left, const void *right) {
  const struct site *a = *(const struct site *const *)left, *b = *(const struct site *const *)right;
  if (caller_number(a) != caller_number(b))
    return caller_number(a) < caller_number(b) ? -1 : 1;
  if (a->callee != b->callee)
    return a->callee->number < b->callee->number ? -1 : 1;
  return 0;
}

static void add_to_arc(struct arc *arc, const struct site *site) {
  const struct cilkprof_measures *on_work = &site->measured->on_work;
  add(&arc->count, on_work->local.count);
  add(&arc->self, on_work->local.work);
  add_measure(&arc->top_call_site, &on_work->top_call_site);
  add_measure(&arc->top_caller, &on_work->top_caller);
}

static void make_arcs(struct model *model) {
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  for (size_t i = 0; i < model->site_count; i++)
    sites[i] = &model->sites[i];
  qsort(sites, model->site_count, sizeof *sites, compare_sites);
  model->arcs = allocate(model->site_count, sizeof *model->arcs);
  for (size_t i = 0; i < model->site_count; i++) {
    if (i == 0 || compare_sites(&sites[i - 1], &sites[i]) != 0)
      model->arcs[model->arc_count++] = (struct arc){.caller = sites[i]->caller, .callee = sites[i]->callee};
    add_to_arc(&model->arcs[model->arc_count - 1], sites[i]);
  }
  free(sites);
}

/* Gives every function the lists of its arcs: counts them first, then fills lists of that size.  */
static void link_arcs(struct model *model) {
  for (size_t i = 0; i < model->arc_count; i++) {
    struct arc *arc = &model->arcs[i];
    arc->callee->parent_count++;
    if (arc->caller != NULL)
      arc->caller->callee_count++;
  }
  for (size_t i = 0; i < model->function_count; i++) {
    struct function *function = model->functions[i];
    function->parents = allocate(function->parent_count, sizeof *function->parents);
    function->callees = allocate(function->callee_count, sizeof *function->callees);
    function->parent_count = function->callee_count = 0;
  }
  for (size_t i = 0; i < model->arc_count; i++) {
    struct arc *arc = &model->arcs[i];
    arc->callee->parents[arc->callee->parent_count++] = arc;
    if (arc->caller != NULL)
      arc->caller->callees[arc->caller->callee_count++] = arc;
  }
}

static void add_calls(const struct arc *arc) {
  struct function *callee = arc->callee;
  struct cycle *cycle = callee->cycle;
  add(&callee->self, arc->self);
  add(&cycle->self, arc->self);
  add_measure(&callee->entered, &arc->top_call_site);
  add(arc->caller == callee ? &callee->own_calls : &callee->calls, arc->count);
  if (arc_is_internal(arc)) {
    add(&cycle->internal_calls, arc->count);
  } else {
    add(&cycle->calls, arc->count);
    add_measure(&callee->inclusive, &arc->top_call_site);
    add_measure(&cycle->inclusive, &arc->top_call_site);
  }
}

/* A callback into a running function is measured within it and by itself.  */
static void limit(struct cilkprof_measure *inclusive, const struct cilkprof_totals *totals) {
  if (inclusive->work > totals->work)
    inclusive->work = totals->work;
}

/* The work below a function: all that is not its own; in a cycle of several, what leaves the cycle from it.  */
static void find_children(struct function *function) {
  if (function->cycle->member_count == 1) {
    function->children = function->inclusive.work > function->self ? function->inclusive.work - function->self : 0;
    return;
  }
  for (size_t i = 0; i < function->callee_count; i++)
    if (!arc_is_internal(function->callees[i]))
      add(&function->children, function->callees[i]->top_call_site.work);
}

void model_finish(struct model *model) {
  functions_finish(model);
  make_arcs(model);
  link_arcs(model);
  cycles_find(model);
  for (size_t i = 0; i < model->arc_count; i++)
    add_calls(&model->arcs[i]);
  for (size_t i = 0; i < model->site_count; i++)
    add(&model->sites[i].callee->self_on_span, model->sites[i].measured->on_span.local.span);
  for (size_t i = 0; i < model->cycle_count; i++)
    limit(&model->cycles[i].inclusive, &model->totals);
  for (size_t i = 0; i < model->function_count; i++) {
    limit(&model->functions[i]->inclusive, &model->totals);
    find_children(model->functions[i]);
  }
}
