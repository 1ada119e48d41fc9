/* Finds the bottlenecks, function by function.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has for each call site the inclusive and exclusive cost of its calls on the critical path, but not how
   these calls are nested.  A call without parallelism is a bottleneck together with all its callees, so only the
   outermost of nested calls is named.  Everything else on the critical path is the own code of a function or of a loop.
   Library functions, also when called by other library functions, are part of the calling user function or loop.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Returns whether MEASURE, the cost of calls on the critical path, has nearly no parallelism.  */
static bool is_bottleneck_measure_serial(const struct cilkprof_measure *measure) {
  return measure->span > 0 && (double)measure->work < NEARLY_SERIAL * (double)measure->span;
}

/* Returns whether the calls of SITE are recursive, directly or through a cycle, so that their cost is part of outer
   calls.  */
static bool is_recursive_bottleneck_call(const struct site *site) {
  return is_nested_model_call(site->caller, site->callee);
}

/* The functions of a cycle, which have the same order.  */
struct group {
  struct cilkprof_measure entered; /* calls from outside the cycle, on the critical path */
  bool has_loop;                   /* it calls a cilk_for with a large share of the span */
};

struct tally {
  const struct model *model;
  uint64_t least; /* the least span that is a large share */
  struct group *groups;
  struct keyed *calls; /* sites with known callers, by the order of the caller */
  size_t call_count;
  bool *called_back; /* by site number: the callee is part of a library call */
};

/* Returns what is known of the cycle of FUNCTION, which is all functions with the same order, while bottlenecks are
   searched.  */
static struct group *bottleneck_cycle_group(const struct tally *tally, const struct function *function) {
  return &tally->groups[function->order];
}

/* Returns the key by which calls of FUNCTION are sorted while bottlenecks are searched.  It makes the functions of a
   cycle adjacent, and puts callees before callers.  */
static uint64_t bottleneck_caller_key(const struct function *function) {
  return (uint64_t)function->order << 32 | function->number;
}

/* Fills in the calls of TALLY: all sites with known callers, sorted by caller, so that the calls that a function makes
   can be found.  */
static void sort_calls_for_bottlenecks(struct tally *tally) {
  const struct model *model = tally->model;
  tally->calls = allocate(model->site_count, sizeof *tally->calls);
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].caller != NULL)
      tally->calls[tally->call_count++] =
          (struct keyed){bottleneck_caller_key(model->sites[i].caller), &model->sites[i]};
  sort_keyed(tally->calls, tally->call_count, NULL, NULL);
}

/* Callback of sorted_lower_bound: returns whether ITEM, a call in a sorted array, comes before KEY, which is that of a
   caller.  */
static bool is_bottleneck_call_before_key(const void *item, const void *key) {
  const struct keyed *call = item;
  return call->key < *(const uint64_t *)key;
}

/* Returns the index in the calls of TALLY of the first one that FUNCTION makes; its other calls follow.  */
static size_t first_bottleneck_call(const struct tally *tally, const struct function *function) {
  uint64_t key = bottleneck_caller_key(function);
  return sorted_lower_bound(tally->calls, tally->call_count, sizeof *tally->calls, is_bottleneck_call_before_key, &key);
}

/* Returns whether the call at PLACE in the calls of TALLY exists and is made by FUNCTION.  */
static bool is_bottleneck_call_by(const struct tally *tally, size_t place, const struct function *function) {
  return place < tally->call_count && tally->calls[place].key == bottleneck_caller_key(function);
}

/* Returns whether SITE is, or leads to, a cilk_for with a large share of the span.  Its caller is not a serial
   bottleneck then: it is the loop that lacks parallelism.  */
static bool leads_to_bottleneck_loop(const struct tally *tally, const struct site *site) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  if (on_span->local.count == 0)
    return false;
  if (site->kind == CILKPROF_SITE_LOOP)
    return on_span->local.span >= tally->least;
  return bottleneck_cycle_group(tally, site->callee)->has_loop;
}

/* Sets HAS_LOOP for the OpenMP regions that contain LOOP, so that they are no serial bottlenecks.  They are in the same
   function, begin before the loop, and take at least as long.  */
static void mark_bottleneck_loop_regions(const struct tally *tally, const struct site *loop) {
  if (loop->kind != CILKPROF_SITE_LOOP || !is_openmp_in_finding(loop->callee))
    return;
  for (size_t i = first_bottleneck_call(tally, loop->caller); is_bottleneck_call_by(tally, i, loop->caller); i++) {
    const struct site *region = tally->calls[i].of;
    if (is_openmp_in_finding(region->callee) && region->kind == CILKPROF_SITE_CALL && region->line <= loop->line &&
        region->measured->on_span.top_call_site.span >= loop->measured->on_span.local.span)
      bottleneck_cycle_group(tally, region->callee)->has_loop = true;
  }
}

/* Finds for each cycle of functions the cost of calls from outside on the critical path, and whether it calls a loop
   with a large share of the span.  Calls are sorted so that callees are complete before their callers are visited.  */
static void find_bottleneck_groups(struct tally *tally) {
  const struct model *model = tally->model;
  for (size_t i = 0; i < model->site_count; i++)
    if (!is_recursive_bottleneck_call(&model->sites[i]))
      add_model_measure(&bottleneck_cycle_group(tally, model->sites[i].callee)->entered,
                        &model->sites[i].measured->on_span.top_call_site);
  for (size_t i = 0; i < tally->call_count; i++) {
    const struct site *site = tally->calls[i].of;
    if (leads_to_bottleneck_loop(tally, site)) {
      bottleneck_cycle_group(tally, site->caller)->has_loop = true;
      mark_bottleneck_loop_regions(tally, site);
    }
  }
}

/* Returns whether FUNCTION cannot be a bottleneck: the start of the program has no work of its own, and what takes the
   place of a library's function only calls those that may be one.  */
static bool is_bottleneck_only_inside(const struct function *function) {
  return is_model_start_function(function) || is_stand_in_function(function);
}

/* Returns whether FUNCTION has nearly no parallelism on the critical path, and no loop that is to blame for that.  */
static bool is_serial_bottleneck_function(const struct tally *tally, const struct function *function) {
  const struct group *group = bottleneck_cycle_group(tally, function);
  return !is_bottleneck_only_inside(function) && !group->has_loop && is_bottleneck_measure_serial(&group->entered);
}

/* Returns whether the calls of SITE have nearly no parallelism on the critical path, so that they are a bottleneck with
   all their callees.  Parallel loops, recursive calls and the start of the program do not count.  */
static bool is_serial_bottleneck_call(const struct tally *tally, const struct site *site) {
  return !is_bottleneck_only_inside(site->callee) && site->kind != CILKPROF_SITE_LOOP &&
         !is_recursive_bottleneck_call(site) && !bottleneck_cycle_group(tally, site->callee)->has_loop &&
         is_bottleneck_measure_serial(&site->measured->on_span.top_call_site);
}

/* Returns the span of functions that a library called back in the calls of SITE.  The exclusive costs of nested calls
   are not known separately, so all of them may have made callbacks.  */
static uint64_t bottleneck_callback_span(const struct tally *tally, const struct site *site) {
  const struct cilkprof_measure *all = &site->measured->on_span.top_call_site, *local = &site->measured->on_span.local;
  if (!site->callee->foreign || !is_serial_bottleneck_call(tally, site))
    return 0;
  return all->count < local->count ? all->span : all->span > local->span ? all->span - local->span : 0;
}

/* Returns the span of callbacks from libraries in all direct and indirect calls of FUNCTION on the critical path.
   Skips functions REACHED before; PATH is memory for the functions that are still to be visited.  */
static uint64_t sum_bottleneck_callback_spans(const struct tally *tally, const struct function *function, bool *reached,
                                              const struct function **path) {
  uint64_t sum = 0;
  size_t length = 0;
  if (!reached[function->number])
    path[length++] = function;
  reached[function->number] = true;
  while (length > 0) {
    function = path[--length];
    for (size_t i = first_bottleneck_call(tally, function); is_bottleneck_call_by(tally, i, function); i++) {
      const struct site *site = tally->calls[i].of;
      if (site->measured->on_span.local.count == 0)
        continue;
      model_add_saturating(&sum, bottleneck_callback_span(tally, site));
      if (!reached[site->callee->number])
        path[length++] = site->callee;
      reached[site->callee->number] = true;
    }
  }
  return sum;
}

/* Returns the calls on the critical path by code without instrumentation: the start of the program first, then by span,
   largest first.  The array is allocated; *COUNT is its length.  */
static struct keyed *sort_bottleneck_entries(const struct model *model, size_t *count) {
  struct keyed *entries = allocate(model->site_count, sizeof *entries);
  *count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    uint64_t span = is_model_start_function(site->callee) ? UINT64_MAX : site->measured->on_span.top_call_site.span;
    if (site->kind == CILKPROF_SITE_OUTSIDE && site->measured->on_span.local.count > 0)
      entries[(*count)++] = (struct keyed){UINT64_MAX - span, site};
  }
  sort_keyed(entries, *count, NULL, NULL);
  return entries;
}

/* Marks in TALLY the functions that libraries called back.  A serial function that code without instrumentation called
   is taken as part of a library call of a function with a larger span, if one is long enough to contain it; otherwise
   it counts as an entry.  */
static void find_bottleneck_callbacks(struct tally *tally) {
  const struct model *model = tally->model;
  bool *reached = allocate(model->functions.count, sizeof *reached);
  const struct function **path = allocate(model->functions.count, sizeof *path);
  size_t count;
  struct keyed *entries = sort_bottleneck_entries(model, &count);
  uint64_t room = 0;
  tally->called_back = allocate(model->site_count, sizeof *tally->called_back);
  for (size_t i = 0; i < count; i++) {
    const struct site *site = entries[i].of;
    uint64_t span = site->measured->on_span.top_call_site.span;
    if (!is_model_start_function(site->callee) && is_serial_bottleneck_call(tally, site) && span <= room) {
      tally->called_back[site - model->sites] = true;
      room -= span;
    }
    model_add_saturating(&room, sum_bottleneck_callback_spans(tally, site->callee, reached, path));
  }
  free(entries);
  free(path);
  free(reached);
}

/* Returns whether the calls that FUNCTION makes are part of outer calls, which are the bottleneck.  Those of a library
   function are if nothing is known of the calls to it.  */
static bool is_inside_bottleneck_call(const struct tally *tally, const struct function *function) {
  bool entered = bottleneck_cycle_group(tally, function)->entered.count > 0;
  return is_serial_bottleneck_function(tally, function) || (!entered && is_library_function(function));
}

/* Returns the loop of FUNCTION that contains nearly all of its calls on the critical path, or NULL.  The inclusive cost
   of a loop beyond its own code is that of calls and of other constructs of the function, all possibly in it.  */
static const struct site *bottleneck_calling_loop(const struct tally *tally, const struct function *function) {
  const struct site *loop = NULL;
  uint64_t called = 0, in_loop = 0, constructs = 0;
  for (size_t i = first_bottleneck_call(tally, function); is_bottleneck_call_by(tally, i, function); i++) {
    const struct site *site = tally->calls[i].of;
    uint64_t all = site->measured->on_span.top_call_site.span, own = site->measured->on_span.local.span;
    bool is_loop = site->kind == CILKPROF_SITE_LOOP;
    if (is_loop && own <= all && all - own > in_loop) {
      loop = site;
      in_loop = all - own;
    }
    model_add_saturating(is_loop || is_openmp_in_finding(site->callee) ? &constructs : &called,
                         is_loop || is_openmp_in_finding(site->callee) ? own : all);
  }
  if (loop != NULL)
    constructs -= loop->measured->on_span.local.span;
  return in_loop >= constructs && in_loop - constructs >= called - called / 10 ? loop : NULL;
}

/* The share of the span of the calls of a site, and to which function it is attributed.  */
struct share {
  enum bottleneck_kind kind;
  const struct function *function; /* NULL: part of outer calls, or not on the critical path */
  const struct cilkprof_measure *held;
};

/* Attributes SHARE, a library call, to the loop of FUNCTION that makes it, or to the code of FUNCTION if there is no
   such loop or the share is too small for a finding.  */
static void attribute_library_bottleneck(const struct tally *tally, struct share *share,
                                         const struct function *function) {
  bool large = share->held->span >= tally->least && !is_inside_bottleneck_call(tally, function);
  const struct site *loop = large ? bottleneck_calling_loop(tally, function) : NULL;
  share->function = loop != NULL ? loop->callee : function;
  share->kind = loop != NULL ? BOTTLENECK_LOOP : BOTTLENECK_CODE;
}

/* Returns the share of SITE in the critical path, and the function and kind of bottleneck to which it is attributed.
   The function is NULL if the share is part of outer calls, or there is none.  */
static struct share bottleneck_share(const struct tally *tally, const struct site *site) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  if (on_span->local.count == 0 || tally->called_back[site - tally->model->sites] ||
      (site->caller != NULL && is_inside_bottleneck_call(tally, site->caller)))
    return (struct share){0};
  bool serial = is_serial_bottleneck_call(tally, site);
  if (serial && is_team_in_finding(tally->model, site->caller)) /* a part of each thread's share */
    return (struct share){BOTTLENECK_LOOP, site->caller, &on_span->top_call_site};
  struct share share = {.function = site->callee, .held = serial ? &on_span->top_call_site : &on_span->local};
  if (site->caller != NULL && !is_model_loop_site(site) && is_library_function(site->callee))
    attribute_library_bottleneck(tally, &share, model_user_function(tally->model, site->caller));
  else
    share.kind = site->kind == CILKPROF_SITE_SERIAL_LOOP ? BOTTLENECK_SERIAL_LOOP
                 : serial                                ? BOTTLENECK_SERIAL
                 : site->kind == CILKPROF_SITE_LOOP      ? BOTTLENECK_LOOP
                                                         : BOTTLENECK_CODE;
  return share;
}

/* Finds the largest bottlenecks, at most MOST, and fills in only their kind, function and span.  Returns their
   number.  */
static size_t find_largest_bottlenecks(const struct tally *tally, struct bottleneck *bottlenecks, size_t most) {
  const struct model *model = tally->model;
  uint64_t(*spans)[BOTTLENECK_KINDS] = allocate(model->functions.count, sizeof *spans);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    struct share share = bottleneck_share(tally, &model->sites[i]);
    if (share.function != NULL)
      model_add_saturating(&spans[share.function->number][share.kind], share.held->span);
  }
  for (size_t i = 0; i < model->functions.count; i++)
    for (enum bottleneck_kind kind = 0; kind < BOTTLENECK_KINDS; kind++)
      if (spans[i][kind] >= tally->least && spans[i][kind] > 0)
        count = keep_largest_bottleneck(
            bottlenecks, count, most,
            &(struct bottleneck){kind, model->functions.list[i], .held = {.span = spans[i][kind]}});
  free(spans);
  return count;
}

/* Adds SHARE, that of SITE, to BOTTLENECK: its cost, and SITE as a call site or as its largest part.  A call inside a
   library is replaced by the user call that led to it.  */
static void add_bottleneck_share(const struct model *model, struct bottleneck *bottleneck, const struct share *share,
                                 const struct site *site) {
  const struct site *call = model_user_site(model, site);
  add_model_measure(&bottleneck->held, share->held);
  if (share->function == site->callee) {
    bool within = share->kind != BOTTLENECK_LOOP && site->caller != NULL && is_library_function(site->caller);
    add_bottleneck_place(bottleneck, within && call != NULL ? call : site);
  } else if (share->held->span > bottleneck->part_span) {
    bottleneck->part = call != NULL && call->caller == share->function ? call : site;
    bottleneck->part_span = share->held->span;
  }
}

/* Returns the call by FUNCTION with the largest span on the critical path that is neither a loop nor recursive, or
   NULL.  */
static const struct site *longest_bottleneck_call(const struct tally *tally, const struct function *function) {
  const struct site *longest = NULL;
  uint64_t most = 0;
  for (size_t i = first_bottleneck_call(tally, function); is_bottleneck_call_by(tally, i, function); i++) {
    const struct site *site = tally->calls[i].of;
    uint64_t span = site->measured->on_span.top_call_site.span;
    if (site->kind != CILKPROF_SITE_LOOP && site->callee->order < function->order && span > most) {
      longest = site;
      most = span;
    }
  }
  return longest;
}

/* Finds the call that makes up a large part of the serial BOTTLENECK.  Descends along the longest calls while they make
   up most of it; the first may be less.  A call that is longer than the bottleneck is also made elsewhere, so its share
   in the bottleneck is unknown.  Of nested library functions the first is named, unless most of its span is in
   callbacks.  */
static void find_bottleneck_part(const struct tally *tally, struct bottleneck *bottleneck) {
  const struct site *call;
  for (const struct function *function = bottleneck->function; !function->foreign; function = call->callee) {
    bool library = is_library_function(function);
    call = longest_bottleneck_call(tally, function);
    uint64_t span = call != NULL ? call->measured->on_span.top_call_site.span : 0;
    bool is_most = span > bottleneck->held.span / 2,
         back = library && call != NULL && !is_library_function(call->callee);
    if (back && span <= bottleneck->part_span / 2)
      return;
    if (back)
      bottleneck->part = NULL, bottleneck->part_span = 0;
    if (call == NULL || span < tally->least || span > bottleneck->held.span ||
        (bottleneck->part != NULL && !is_most && !library))
      return;
    if (bottleneck->part == NULL || !library || back) {
      bottleneck->part = call;
      bottleneck->part_span = span;
    }
    if (!is_most && !is_library_function(call->callee))
      return;
  }
}

/* Finds the bottlenecks of MODEL with at least LEAST of the span, at most MOST, largest first.  Returns their
   number.  */
size_t find_bottlenecks(const struct model *model, uint64_t least, struct bottleneck *bottlenecks, size_t most) {
  struct tally tally = {model, least, .groups = allocate(model->functions.count, sizeof *tally.groups)};
  sort_calls_for_bottlenecks(&tally);
  find_bottleneck_groups(&tally);
  find_bottleneck_callbacks(&tally);
  size_t count = find_largest_bottlenecks(&tally, bottlenecks, most);
  for (size_t h = 0; h < count; h++)
    bottlenecks[h].held = (struct cilkprof_measure){0};
  struct calling_loops loops = {0};
  for (size_t i = 0; i < model->site_count; i++) {
    struct share share = bottleneck_share(&tally, &model->sites[i]);
    for (size_t h = 0; h < count; h++)
      if (share.function == bottlenecks[h].function && share.kind == bottlenecks[h].kind)
        add_bottleneck_share(model, &bottlenecks[h], &share, &model->sites[i]);
    if (share.function != NULL && model->sites[i].loop != NULL && share.held->span > 0)
      add_to_calling_loop(&loops, &model->sites[i], share.held);
  }
  for (size_t h = 0; h < count; h++)
    if (bottlenecks[h].kind == BOTTLENECK_SERIAL)
      find_bottleneck_part(&tally, &bottlenecks[h]);
  count = insert_calling_loops(model, &loops, least, bottlenecks, count, most);
  free_calling_loops(&loops);
  free(tally.groups);
  free(tally.calls);
  free(tally.called_back);
  return count;
}
