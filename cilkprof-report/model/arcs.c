/* Computes the cost of functions, arcs and cycles from the call sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   No cost is counted twice.  An invocation that is nested in another one of the same site, or of a site of the same
   cycle, is part of the cost of the outer one.  So the cost of a function is the cost of its calls from outside its
   cycle.  These are never nested in one another, except if code without instrumentation calls back into a function that
   is running, which the measurements cannot show.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/outermost.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* File names are interned, so pointers differ if and only if the names do.  */
static int compare_lines(const void *left, const void *right, const void *closure) {
  const struct site *a = left, *b = right;
  (void)closure;
  if (a->file != b->file)
    return strcmp(a->file, b->file);
  return a->line != b->line ? a->line < b->line ? -1 : 1 : 0;
}

static bool is_same_arc(const struct keyed *a, const struct keyed *b, bool by_line) {
  return a->key == b->key && (!by_line || compare_lines(a->of, b->of, NULL) == 0);
}

/* Returns the arc of COUNT sites with the same caller and callee.  An arc of one site, as most are, shares its
   measurements.  */
static struct arc arc_of(const struct keyed *sites, size_t count, bool by_line) {
  const struct site *site = sites[0].of;
  struct cilkprof_measures *sum = NULL;
  const struct cilkprof_measures *first = &site->measured->on_work;
  struct arc arc = {
      .caller = site->caller,
      .callee = site->callee,
      .file = by_line ? site->file : NULL,
      .line = site->line,
  };
  if (count > 1)
    sum = allocate(1, sizeof *sum);
  for (size_t i = 0; i < count; i++) {
    const struct cilkprof_site *measured = ((const struct site *)sites[i].of)->measured;
    if (sum != NULL)
      add_measures(sum, &measured->on_work);
    add_saturating(&arc.self_on_span, measured->on_span.local.span);
  }
  arc.on_work = sum != NULL ? sum : first;
  return arc;
}

/* Makes one arc for all sites with the same caller and callee and, with by_line, the same line.  */
static void make_arcs(struct model *model, const struct options *options) {
  struct keyed *sites = allocate(model->site_count, sizeof *sites);
  for (size_t i = 0; i < model->site_count; i++)
    sites[i] = (struct keyed){ends_of(model->sites[i].caller, model->sites[i].callee->number), &model->sites[i]};
  sort_keyed(sites, model->site_count, options->by_line ? compare_lines : NULL, NULL);
  model->arcs = allocate(model->site_count, sizeof *model->arcs);
  for (size_t i = 0, end; i < model->site_count; i = end) {
    for (end = i + 1; end < model->site_count && is_same_arc(&sites[i], &sites[end], options->by_line); end++)
      ;
    model->arcs[model->arc_count++] = arc_of(sites + i, end - i, options->by_line);
  }
  free(sites);
}

/* Gives every function the lists of its arcs: counts them first, then fills lists of that size.  */
static void link_arcs(struct model *model) {
  struct arc **parents = model->parents = allocate(model->arc_count, sizeof *model->parents);
  struct arc **callees = model->callees = allocate(model->arc_count, sizeof *model->callees);
  for (size_t i = 0; i < model->arc_count; i++) {
    const struct arc *arc = &model->arcs[i];
    if (arc->left_out)
      continue;
    arc->callee->parent_count++;
    if (arc->caller != NULL)
      arc->caller->callee_count++;
  }
  for (size_t i = 0; i < model->functions.count; i++) {
    struct function *function = model->functions.list[i];
    function->parents = parents;
    function->callees = callees;
    parents += function->parent_count;
    callees += function->callee_count;
    function->parent_count = function->callee_count = 0;
  }
  for (size_t i = 0; i < model->arc_count; i++) {
    struct arc *arc = &model->arcs[i];
    if (arc->left_out)
      continue;
    arc->callee->parents[arc->callee->parent_count++] = arc;
    if (arc->caller != NULL)
      arc->caller->callees[arc->caller->callee_count++] = arc;
  }
}

/* Links the functions to their arcs and finds the cycles.  May be called again after arcs are left out.  */
static void link_functions(struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++)
    model->functions.list[i]->parent_count = model->functions.list[i]->callee_count = 0;
  free(model->parents);
  free(model->callees);
  free(model->cycles);
  model->cycle_count = 0;
  link_arcs(model);
  cycles_find(model);
}

/* Links functions and arcs, first with all arcs and then without those that are left out.  The order of functions is
   that of the first time: leaving out arcs may break a cycle, but nested calls are still nested.  */
static void link_model(struct model *model, const struct options *options) {
  bool left_out = false;
  link_functions(model);
  for (size_t i = 0; i < model->functions.count; i++)
    model->functions.list[i]->order = (uint32_t)(model->functions.list[i]->cycle - model->cycles);
  for (size_t i = 0; i < model->arc_count; i++) {
    struct arc *arc = &model->arcs[i];
    bool shown = arc_calls(arc) > 0 || (arc->caller != NULL && (options->static_graph || options->unused));
    arc->left_out = !shown || !filter_admits_arc(&options->filters[FILTER_ARCS], arc->caller, arc->callee);
    left_out |= arc->left_out;
  }
  if (left_out)
    link_functions(model);
}

/* Adds the cost of ARC to its callee and the cycle of its callee.  */
static void add_calls(const struct arc *arc) {
  struct function *callee = arc->callee;
  struct cycle *cycle = callee->cycle;
  add_saturating(&callee->self, arc_self(arc));
  add_saturating(&callee->self_on_span, arc->self_on_span);
  add_saturating(arc->caller == callee ? &callee->own_calls : &callee->calls, arc_calls(arc));
  if (!arc->uncounted) {
    add_saturating(&callee->counted_self, arc_self(arc));
    add_saturating(&cycle->self, arc_self(arc));
    if (!is_nested(arc->caller, callee)) {
      add_measure(&callee->inclusive, &arc->on_work->top_call_site);
      add_measure(&cycle->inclusive, &arc->on_work->top_call_site);
    }
  }
  if (!arc->left_out && arc->caller != callee)
    add_saturating(arc_is_internal(arc) ? &cycle->internal_calls : &cycle->calls, arc_calls(arc));
}

/* Sets the cost of a function that has no calls from outside its cycle because left-out arcs broke a larger cycle.  */
static void keep_cost(struct function *function) {
  if (function->inclusive.count == 0 && function->counted && function->cycle->member_count == 1)
    function->inclusive = function->cycle->inclusive = function->entered;
}

/* Limits INCLUSIVE to the work of the run.  A callback into a running function is measured as part of that and by
   itself.  */
static void limit_to_run(struct cilkprof_measure *inclusive, const struct model *model) {
  limit_measure(inclusive, inclusive->work, run_work(model));
}

/* Computes the work of callees that counts.  It is all work but the function's own; in a cycle of several members, the
   work of calls from the function out of the cycle.  */
static void find_children(struct function *function) {
  bool alone = function->cycle->member_count == 1;
  uint64_t below = alone ? function->inclusive.work : 0, taken = alone ? function->counted_self : 0;
  for (size_t i = 0; i < function->callee_count; i++) {
    const struct arc *arc = function->callees[i];
    if (arc_is_internal(arc))
      continue;
    if (!alone && !arc->uncounted)
      add_saturating(&below, arc_measure(arc)->work);
    if (alone && arc->uncounted)
      add_saturating(&taken, arc_measure(arc)->work);
  }
  function->children = below > taken ? below - taken : 0;
}

void model_finish(struct model *model, struct binding *binding, const struct options *options) {
  table_forget(&model->functions.table);
  model->program_file = binding->files[0];
  model->functions.program = model->program_file->object->path;
  if (options_need_places(options))
    places_find(model, binding);
  if (options->no_static)
    hide_statics(model);
  functions_name(&model->functions, demangle_style("auto")); /* aliases are found by their demangled names */
  libraries_find(&model->functions);
  merge_aliases(model, binding);
  if (options->demangle_style != demangle_style("auto")) {
    functions_name(&model->functions, options->demangle_style);
    functions_sort(&model->functions);
  }
  if (options->demangle_style != demangle_style("none"))
    functions_name_unreadable(&model->functions, binding);
  for (size_t i = 0; i < binding->count; i++)
    bound_close(binding->files[i]); /* symbols are not needed any more */
  functions_tell_apart(&model->functions);
  functions_name_briefly(&model->functions, options->full_names);
  contexts_finish(&model->contexts);
  make_arcs(model, options);
  link_model(model, options);
  callers_find(model);
  select_functions(model, options);
  for (size_t i = 0; i < model->arc_count; i++)
    add_calls(&model->arcs[i]);
  find_entered(model);
  for (size_t i = 0; i < model->functions.count; i++)
    keep_cost(model->functions.list[i]);
  for (size_t i = 0; i < model->cycle_count; i++)
    limit_to_run(&model->cycles[i].inclusive, model);
  for (size_t i = 0; i < model->functions.count; i++) {
    limit_to_run(&model->functions.list[i]->inclusive, model);
    find_children(model->functions.list[i]);
    add_saturating(&model->counted_work, model->functions.list[i]->counted_self);
    /* The sections compute these sums too, but after the flags are set: saturation must be detected here.  */
    sum_of(model->functions.list[i]->calls, model->functions.list[i]->own_calls);
    sum_of(model->functions.list[i]->counted_self, model->functions.list[i]->children);
  }
  model->program.flags |= flags_of_sums();
}
