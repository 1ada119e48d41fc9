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

/* Callback of sort_keyed: compares two call sites by file and line.  File names are interned, so pointers differ if and
   only if the names do.  */
static int compare_model_arc_lines(const void *left, const void *right, const void *closure) {
  const struct site *a = left, *b = right;
  (void)closure;
  if (a->file != b->file)
    return strcmp(a->file, b->file);
  return a->line != b->line ? a->line < b->line ? -1 : 1 : 0;
}

/* Returns whether the call sites A and B belong to one arc: they have the same caller and callee and, if BY_LINE, the
   same line.  */
static bool is_same_model_arc(const struct keyed *a, const struct keyed *b, bool by_line) {
  return a->key == b->key && (!by_line || compare_model_arc_lines(a->of, b->of, NULL) == 0);
}

/* Returns the arc of COUNT call sites with the same caller and callee and, if BY_LINE, the same line.  An arc of one
   site, as most are, shares its measurements.  */
static struct arc model_arc_of_sites(const struct keyed *sites, size_t count, bool by_line) {
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
      add_model_measures(sum, &measured->on_work);
    model_add_saturating(&arc.self_on_span, measured->on_span.local.span);
    arc.sampled |= ((const struct site *)sites[i].of)->sampled;
  }
  arc.on_work = sum != NULL ? sum : first;
  return arc;
}

/* Makes the arcs of MODEL: one for all call sites with the same caller and callee and, with the option by_line, the
   same line.  */
static void make_model_arcs(struct model *model, const struct options *options) {
  struct keyed *sites = allocate(model->site_count, sizeof *sites);
  for (size_t i = 0; i < model->site_count; i++)
    sites[i] =
        (struct keyed){model_arc_ends_key(model->sites[i].caller, model->sites[i].callee->number), &model->sites[i]};
  sort_keyed(sites, model->site_count, options->by_line ? compare_model_arc_lines : NULL, NULL);
  model->arcs = allocate(model->site_count, sizeof *model->arcs);
  for (size_t i = 0, end; i < model->site_count; i = end) {
    for (end = i + 1; end < model->site_count && is_same_model_arc(&sites[i], &sites[end], options->by_line); end++)
      ;
    model->arcs[model->arc_count++] = model_arc_of_sites(sites + i, end - i, options->by_line);
  }
  free(sites);
}

/* Gives every function the lists of the arcs that lead to it and of those that leave it, without arcs that are left
   out.  Counts them first, then fills lists of that size.  */
static void link_model_arcs_to_functions(struct model *model) {
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
static void link_model_functions(struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++)
    model->functions.list[i]->parent_count = model->functions.list[i]->callee_count = 0;
  free(model->parents);
  free(model->callees);
  free(model->cycles);
  model->cycle_count = 0;
  link_model_arcs_to_functions(model);
  find_model_cycles(model);
}

/* Links functions and arcs, first with all arcs and then without those that are left out.  The order of functions is
   that of the first time: leaving out arcs may break a cycle, but nested calls are still nested.  */
static void link_model(struct model *model, const struct options *options) {
  bool left_out = false;
  link_model_functions(model);
  for (size_t i = 0; i < model->functions.count; i++)
    model->functions.list[i]->order = (uint32_t)(model->functions.list[i]->cycle - model->cycles);
  for (size_t i = 0; i < model->arc_count; i++) {
    struct arc *arc = &model->arcs[i];
    bool shown = model_arc_calls(arc) > 0 || (arc->caller != NULL && (options->static_graph || options->unused));
    arc->left_out = !shown || !filter_admits_model_arc(&options->filters[FILTER_ARCS], arc->caller, arc->callee);
    left_out |= arc->left_out;
  }
  if (left_out)
    link_model_functions(model);
}

/* Adds the cost of ARC to its callee and the cycle of its callee.  */
static void add_model_arc_cost(const struct arc *arc) {
  struct function *callee = arc->callee;
  struct cycle *cycle = callee->cycle;
  callee->sampled |= arc->sampled;
  model_add_saturating(&callee->self, model_arc_self_work(arc));
  model_add_saturating(&callee->self_on_span, arc->self_on_span);
  model_add_saturating(arc->caller == callee ? &callee->own_calls : &callee->calls, model_arc_calls(arc));
  if (!arc->uncounted) {
    model_add_saturating(&callee->counted_self, model_arc_self_work(arc));
    model_add_saturating(&cycle->self, model_arc_self_work(arc));
    if (!is_nested_model_call(arc->caller, callee)) {
      add_model_measure(&callee->inclusive, &arc->on_work->top_call_site);
      add_model_measure(&cycle->inclusive, &arc->on_work->top_call_site);
    }
  }
  if (!arc->left_out && arc->caller != callee)
    model_add_saturating(model_arc_is_internal(arc) ? &cycle->internal_calls : &cycle->calls, model_arc_calls(arc));
}

/* Sets the inclusive cost of a FUNCTION that has no calls from outside its cycle, because arcs that are left out broke
   a larger cycle, to the cost of its outermost calls.  */
static void set_model_broken_cycle_cost(struct function *function) {
  if (function->inclusive.count == 0 && function->counted && function->cycle->member_count == 1)
    function->inclusive = function->cycle->inclusive = function->entered;
}

/* Limits the cost INCLUSIVE of a function or cycle to the work of the run.  A callback into a running function is
   measured as part of that function and by itself, so the sum may be larger.  */
static void limit_model_inclusive_to_run(struct cilkprof_measure *inclusive, const struct model *model) {
  limit_model_measure(inclusive, inclusive->work, model_run_work(model));
}

/* Sets CHILDREN of FUNCTION, the work of its callees that counts in the call graph.  It is all work but the function's
   own; in a cycle of several members, the work of calls from the function out of the cycle.  */
static void compute_model_children_work(struct function *function) {
  bool alone = function->cycle->member_count == 1;
  uint64_t below = alone ? function->inclusive.work : 0, taken = alone ? function->counted_self : 0;
  for (size_t i = 0; i < function->callee_count; i++) {
    const struct arc *arc = function->callees[i];
    if (model_arc_is_internal(arc))
      continue;
    if (!alone && !arc->uncounted)
      model_add_saturating(&below, model_arc_measure(arc)->work);
    if (alone && arc->uncounted)
      model_add_saturating(&taken, model_arc_measure(arc)->work);
  }
  function->children = below > taken ? below - taken : 0;
}

/* Computes everything that follows from the call sites of MODEL: the places and names of functions, arcs, cycles,
   contexts, and the cost of each function.  Closes the object files of BINDING, whose symbols are not needed any
   more.  */
void model_finish(struct model *model, struct binding *binding, const struct options *options) {
  model->files = binding;
  model->program_file = binding->files[0];
  model->functions.program = model->program_file->object->path;
  if (options_need_places(options))
    find_model_places(model, binding);
  if (options->no_static)
    hide_model_statics(model);
  hash_table_free(&model->functions.table);                       /* no function is looked up any more */
  functions_set_names(&model->functions, demangle_style("auto")); /* aliases are found by their demangled names */
  mark_library_functions(&model->functions);
  merge_model_aliases(model, binding);
  if (options->demangle_style != demangle_style("auto")) {
    functions_set_names(&model->functions, options->demangle_style);
    functions_sort_by_name(&model->functions);
  }
  if (options->demangle_style != demangle_style("none"))
    functions_name_unreadable(&model->functions, binding);
  for (size_t i = 0; i < binding->count; i++)
    bound_object_close(binding->files[i]); /* symbols are not needed any more */
  functions_tell_names_apart(&model->functions);
  functions_name_briefly(&model->functions, options->full_names);
  finish_model_contexts(&model->contexts);
  make_model_arcs(model, options);
  link_model(model, options);
  find_largest_model_callers(model);
  select_model_functions(model, options);
  for (size_t i = 0; i < model->arc_count; i++)
    add_model_arc_cost(&model->arcs[i]);
  find_model_entered_cost(model);
  for (size_t i = 0; i < model->functions.count; i++)
    set_model_broken_cycle_cost(model->functions.list[i]);
  for (size_t i = 0; i < model->cycle_count; i++)
    limit_model_inclusive_to_run(&model->cycles[i].inclusive, model);
  for (size_t i = 0; i < model->functions.count; i++) {
    limit_model_inclusive_to_run(&model->functions.list[i]->inclusive, model);
    compute_model_children_work(model->functions.list[i]);
    model_add_saturating(&model->counted_work, model->functions.list[i]->counted_self);
    /* The sections compute these sums too, but after the flags are set: saturation must be detected here.  */
    model_saturating_sum(model->functions.list[i]->calls, model->functions.list[i]->own_calls);
    model_saturating_sum(model->functions.list[i]->counted_self, model->functions.list[i]->children);
  }
  model->program.flags |= model_saturation_flags();
}
