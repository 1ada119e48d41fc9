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

static bool is_serial(const struct cilkprof_measure *measure) {
  return measure->span > 0 && (double)measure->work < NEARLY_SERIAL * (double)measure->span;
}

static bool is_recursion(const struct site *site) {
  return is_nested(site->caller, site->callee);
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

static struct group *group_of(const struct tally *tally, const struct function *function) {
  return &tally->groups[function->order];
}

/* Returns a sort key that makes the functions of a cycle adjacent.  */
static uint64_t key_of(const struct function *function) {
  return (uint64_t)function->order << 32 | function->number;
}

/* Fills in CALLS.  */
static void sort_calls(struct tally *tally) {
  const struct model *model = tally->model;
  tally->calls = allocate(model->site_count, sizeof *tally->calls);
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].caller != NULL)
      tally->calls[tally->call_count++] = (struct keyed){key_of(model->sites[i].caller), &model->sites[i]};
  sort_keyed(tally->calls, tally->call_count, NULL, NULL);
}

static bool is_before_key(const void *item, const void *key) {
  const struct keyed *call = item;
  return call->key < *(const uint64_t *)key;
}

/* Returns the index of the first call that FUNCTION makes; its other calls follow.  */
static size_t first_call(const struct tally *tally, const struct function *function) {
  uint64_t key = key_of(function);
  return first_from(tally->calls, tally->call_count, sizeof *tally->calls, is_before_key, &key);
}

static bool is_call_of(const struct tally *tally, size_t place, const struct function *function) {
  return place < tally->call_count && tally->calls[place].key == key_of(function);
}

/* Returns whether SITE is, or leads to, a cilk_for with a large share of the span.  Its caller is not serial then: it
   is the loop that lacks parallelism.  */
static bool marks_loop(const struct tally *tally, const struct site *site) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  if (on_span->local.count == 0)
    return false;
  if (site->kind == CILKPROF_SITE_LOOP)
    return on_span->local.span >= tally->least;
  return group_of(tally, site->callee)->has_loop;
}

/* Sets HAS_LOOP for the OpenMP regions that contain LOOP.  They are in the same function, begin before the loop, and
   take at least as long.  */
static void mark_regions(const struct tally *tally, const struct site *loop) {
  if (loop->kind != CILKPROF_SITE_LOOP || !is_openmp(loop->callee))
    return;
  for (size_t i = first_call(tally, loop->caller); is_call_of(tally, i, loop->caller); i++) {
    const struct site *region = tally->calls[i].of;
    if (is_openmp(region->callee) && region->kind == CILKPROF_SITE_CALL && region->line <= loop->line &&
        region->measured->on_span.top_call_site.span >= loop->measured->on_span.local.span)
      group_of(tally, region->callee)->has_loop = true;
  }
}

/* Fills in the groups.  Calls are sorted so that callees are complete before their callers are visited.  */
static void find_groups(struct tally *tally) {
  const struct model *model = tally->model;
  for (size_t i = 0; i < model->site_count; i++)
    if (!is_recursion(&model->sites[i]))
      add_measure(&group_of(tally, model->sites[i].callee)->entered, &model->sites[i].measured->on_span.top_call_site);
  for (size_t i = 0; i < tally->call_count; i++) {
    const struct site *site = tally->calls[i].of;
    if (marks_loop(tally, site)) {
      group_of(tally, site->caller)->has_loop = true;
      mark_regions(tally, site);
    }
  }
}

static bool is_serial_function(const struct tally *tally, const struct function *function) {
  const struct group *group = group_of(tally, function);
  return !group->has_loop && is_serial(&group->entered);
}

static bool is_serial_call(const struct tally *tally, const struct site *site) {
  return site->kind != CILKPROF_SITE_LOOP && !is_recursion(site) && !group_of(tally, site->callee)->has_loop &&
         is_serial(&site->measured->on_span.top_call_site);
}

/* Returns the span of what the library called back in the calls of the site.  The exclusive costs of nested calls are
   not known separately, so all of them may have made callbacks.  */
static uint64_t span_of_callbacks(const struct tally *tally, const struct site *site) {
  const struct cilkprof_measure *all = &site->measured->on_span.top_call_site, *local = &site->measured->on_span.local;
  if (!site->callee->foreign || !is_serial_call(tally, site))
    return 0;
  return all->count < local->count ? all->span : all->span > local->span ? all->span - local->span : 0;
}

/* Returns the span of callbacks in all direct and indirect calls of FUNCTION.  Skips functions REACHED before.  */
static uint64_t follow_calls(const struct tally *tally, const struct function *function, bool *reached,
                             const struct function **path) {
  uint64_t sum = 0;
  size_t length = 0;
  if (!reached[function->number])
    path[length++] = function;
  reached[function->number] = true;
  while (length > 0) {
    function = path[--length];
    for (size_t i = first_call(tally, function); is_call_of(tally, i, function); i++) {
      const struct site *site = tally->calls[i].of;
      if (site->measured->on_span.local.count == 0)
        continue;
      add_saturating(&sum, span_of_callbacks(tally, site));
      if (!reached[site->callee->number])
        path[length++] = site->callee;
      reached[site->callee->number] = true;
    }
  }
  return sum;
}

/* Returns the functions that code without instrumentation called: the start of the program first, then by span.  */
static struct keyed *sort_entries(const struct model *model, size_t *count) {
  struct keyed *entries = allocate(model->site_count, sizeof *entries);
  *count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    uint64_t span = is_start(site->callee) ? UINT64_MAX : site->measured->on_span.top_call_site.span;
    if (site->kind == CILKPROF_SITE_OUTSIDE && site->measured->on_span.local.count > 0)
      entries[(*count)++] = (struct keyed){UINT64_MAX - span, site};
  }
  sort_keyed(entries, *count, NULL, NULL);
  return entries;
}

/* Fills in CALLED_BACK.  A serial function that code without instrumentation called is taken as part of a library call
   of a function with a larger span, if one is long enough to contain it; otherwise it counts as an entry.  */
static void find_called_back(struct tally *tally) {
  const struct model *model = tally->model;
  bool *reached = allocate(model->functions.count, sizeof *reached);
  const struct function **path = allocate(model->functions.count, sizeof *path);
  size_t count;
  struct keyed *entries = sort_entries(model, &count);
  uint64_t room = 0;
  tally->called_back = allocate(model->site_count, sizeof *tally->called_back);
  for (size_t i = 0; i < count; i++) {
    const struct site *site = entries[i].of;
    uint64_t span = site->measured->on_span.top_call_site.span;
    if (!is_start(site->callee) && is_serial_call(tally, site) && span <= room) {
      tally->called_back[site - model->sites] = true;
      room -= span;
    }
    add_saturating(&room, follow_calls(tally, site->callee, reached, path));
  }
  free(entries);
  free(path);
  free(reached);
}

/* Returns whether the calls that FUNCTION makes are part of outer calls.  Those of a library function are if nothing is
   known of the calls to it.  */
static bool is_inner(const struct tally *tally, const struct function *function) {
  bool entered = group_of(tally, function)->entered.count > 0;
  return is_serial_function(tally, function) || (!entered && is_library(function));
}

/* Returns the loop of FUNCTION that contains nearly all of its calls on the critical path, or NULL.  The inclusive cost
   of a loop beyond its own code is that of calls and of other constructs of the function, all possibly in it.  */
static const struct site *calling_loop(const struct tally *tally, const struct function *function) {
  const struct site *loop = NULL;
  uint64_t called = 0, in_loop = 0, constructs = 0;
  for (size_t i = first_call(tally, function); is_call_of(tally, i, function); i++) {
    const struct site *site = tally->calls[i].of;
    uint64_t all = site->measured->on_span.top_call_site.span, own = site->measured->on_span.local.span;
    bool is_loop = site->kind == CILKPROF_SITE_LOOP;
    if (is_loop && own <= all && all - own > in_loop) {
      loop = site;
      in_loop = all - own;
    }
    add_saturating(is_loop || is_openmp(site->callee) ? &constructs : &called,
                   is_loop || is_openmp(site->callee) ? own : all);
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
static void library_share(const struct tally *tally, struct share *share, const struct function *function) {
  bool large = share->held->span >= tally->least && !is_inner(tally, function);
  const struct site *loop = large ? calling_loop(tally, function) : NULL;
  share->function = loop != NULL ? loop->callee : function;
  share->kind = loop != NULL ? BOTTLENECK_LOOP : BOTTLENECK_CODE;
}

/* Returns the share of SITE in the critical path.  */
static struct share share_of(const struct tally *tally, const struct site *site) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  if (on_span->local.count == 0 || tally->called_back[site - tally->model->sites] ||
      (site->caller != NULL && is_inner(tally, site->caller)))
    return (struct share){0};
  bool serial = is_serial_call(tally, site);
  struct share share = {.function = site->callee, .held = serial ? &on_span->top_call_site : &on_span->local};
  if (site->caller != NULL && site->kind != CILKPROF_SITE_LOOP && is_library(site->callee))
    library_share(tally, &share, user_function(tally->model, site->caller));
  else
    share.kind = serial ? BOTTLENECK_SERIAL : site->kind == CILKPROF_SITE_LOOP ? BOTTLENECK_LOOP : BOTTLENECK_CODE;
  return share;
}

/* Inserts BOTTLENECK into the COUNT largest ones seen so far, at most MOST.  Returns the new count.  */
static size_t keep(struct bottleneck *bottlenecks, size_t count, size_t most, const struct bottleneck *bottleneck) {
  size_t place = count < most ? count++ : most;
  for (; place > 0 && bottlenecks[place - 1].held.span < bottleneck->held.span; place--)
    if (place < most)
      bottlenecks[place] = bottlenecks[place - 1];
  if (place < most)
    bottlenecks[place] = *bottleneck;
  return count;
}

/* Finds the largest bottlenecks, at most MOST, and fills in only their kind, function and span.  */
static size_t find_largest(const struct tally *tally, struct bottleneck *bottlenecks, size_t most) {
  const struct model *model = tally->model;
  uint64_t(*spans)[BOTTLENECK_KINDS] = allocate(model->functions.count, sizeof *spans);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    struct share share = share_of(tally, &model->sites[i]);
    if (share.function != NULL)
      add_saturating(&spans[share.function->number][share.kind], share.held->span);
  }
  for (size_t i = 0; i < model->functions.count; i++)
    for (enum bottleneck_kind kind = 0; kind < BOTTLENECK_KINDS; kind++)
      if (spans[i][kind] >= tally->least && spans[i][kind] > 0)
        count = keep(bottlenecks, count, most,
                     &(struct bottleneck){kind, model->functions.list[i], .held = {.span = spans[i][kind]}});
  free(spans);
  return count;
}

static uint64_t place_span(const struct bottleneck *bottleneck, const struct site *place) {
  const struct cilkprof_measures *on_span = &place->measured->on_span;
  return bottleneck->kind == BOTTLENECK_SERIAL ? on_span->top_call_site.span : on_span->local.span;
}

/* Inserts SITE into the COUNT call sites of BOTTLENECK, sorted by span; the last one is dropped.  */
static void insert_place(struct bottleneck *bottleneck, size_t count, const struct site *site) {
  for (; count > 0 && place_span(bottleneck, bottleneck->places[count - 1]) < place_span(bottleneck, site); count--)
    if (count < MOST_PLACES)
      bottleneck->places[count] = bottleneck->places[count - 1];
  if (count < MOST_PLACES)
    bottleneck->places[count] = site;
}

/* Adds SITE to the call sites of BOTTLENECK.  Of calls on the same line, only the one with the larger span is kept.  */
static void add_place(struct bottleneck *bottleneck, const struct site *site) {
  size_t known = bottleneck->place_count < MOST_PLACES ? bottleneck->place_count : MOST_PLACES;
  for (size_t i = 0; i < known; i++) {
    const struct site *place = bottleneck->places[i];
    if (place->file != site->file || place->line != site->line)
      continue;
    if (place_span(bottleneck, place) < place_span(bottleneck, site)) {
      bottleneck->places[i] = site;
      insert_place(bottleneck, i, site);
    }
    return;
  }
  insert_place(bottleneck, known, site);
  bottleneck->place_count++;
}

/* Adds SHARE, that of SITE, to BOTTLENECK.  A call inside a library is replaced by the user call that led to it.  */
static void add_share(const struct model *model, struct bottleneck *bottleneck, const struct share *share,
                      const struct site *site) {
  const struct site *call = user_site(model, site);
  add_measure(&bottleneck->held, share->held);
  if (share->function == site->callee) {
    bool within = share->kind != BOTTLENECK_LOOP && site->caller != NULL && is_library(site->caller);
    add_place(bottleneck, within && call != NULL ? call : site);
  } else if (share->held->span > bottleneck->part_span) {
    bottleneck->part = call != NULL && call->caller == share->function ? call : site;
    bottleneck->part_span = share->held->span;
  }
}

/* Returns the longest call of FUNCTION on the critical path that is not recursive.  */
static const struct site *longest_call(const struct tally *tally, const struct function *function) {
  const struct site *longest = NULL;
  uint64_t most = 0;
  for (size_t i = first_call(tally, function); is_call_of(tally, i, function); i++) {
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
static void find_part(const struct tally *tally, struct bottleneck *bottleneck) {
  const struct site *call;
  for (const struct function *function = bottleneck->function; !function->foreign; function = call->callee) {
    bool library = is_library(function);
    call = longest_call(tally, function);
    uint64_t span = call != NULL ? call->measured->on_span.top_call_site.span : 0;
    bool is_most = span > bottleneck->held.span / 2, back = library && call != NULL && !is_library(call->callee);
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
    if (!is_most && !is_library(call->callee))
      return;
  }
}

uint64_t large_span(const struct model *model) {
  return (uint64_t)ceil((double)model->totals.span * LARGE_SHARE / 100);
}

size_t bottlenecks_find(const struct model *model, uint64_t least, struct bottleneck *bottlenecks, size_t most) {
  struct tally tally = {model, least, .groups = allocate(model->functions.count, sizeof *tally.groups)};
  sort_calls(&tally);
  find_groups(&tally);
  find_called_back(&tally);
  size_t count = find_largest(&tally, bottlenecks, most);
  for (size_t h = 0; h < count; h++)
    bottlenecks[h].held = (struct cilkprof_measure){0};
  for (size_t i = 0; i < model->site_count; i++) {
    struct share share = share_of(&tally, &model->sites[i]);
    for (size_t h = 0; h < count; h++)
      if (share.function == bottlenecks[h].function && share.kind == bottlenecks[h].kind)
        add_share(model, &bottlenecks[h], &share, &model->sites[i]);
  }
  for (size_t h = 0; h < count; h++)
    if (bottlenecks[h].kind == BOTTLENECK_SERIAL)
      find_part(&tally, &bottlenecks[h]);
  free(tally.groups);
  free(tally.calls);
  free(tally.called_back);
  return count;
}
