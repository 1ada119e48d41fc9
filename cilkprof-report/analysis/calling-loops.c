/* Serial loops that call functions: bottlenecks that are made of many calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   The compiler says in which loop each call is, and samples what the loop itself does.  Both together, where the calls
   are on the critical path and all serial, are one bottleneck: it is the loop that can be made parallel.  */

#include <stdlib.h>
#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/support/support.h"

bool is_in_same_calling_loop(const struct site *a, const struct site *b) {
  return a->caller == b->caller && a->loop == b->loop && a->file == b->file;
}

/* Callback of hash_table_find: returns whether the loop at PLACE of ARRAY is that of the call site KEY.  */
static bool is_calling_loop_of(const void *array, size_t place, const void *key) {
  return is_in_same_calling_loop(((const struct calling_loop *)array)[place].largest, key);
}

void add_to_calling_loop(struct calling_loops *loops, const struct site *site, const struct cilkprof_measure *held) {
  uint64_t hash = hash_add(hash_add((uintptr_t)site->caller, (uintptr_t)site->loop), (uintptr_t)site->file);
  size_t place = hash_table_find(&loops->table, hash, is_calling_loop_of, loops->list, site, loops->count);
  if (place == loops->count) {
    loops->list = grow_array(loops->list, loops->count++, &loops->room, sizeof *loops->list);
    loops->list[place] = (struct calling_loop){.largest = site};
  }
  struct calling_loop *loop = &loops->list[place];
  add_model_measure(&loop->held, held);
  loop->parts++;
  if (held->span > loop->largest_span)
    loop->largest_span = held->span;
  bool named = loop->largest->kind != CILKPROF_SITE_SERIAL_LOOP;
  if (site->kind != CILKPROF_SITE_SERIAL_LOOP && (!named || held->span > loop->largest_call)) {
    loop->largest = site;
    loop->largest_call = held->span;
  }
}

/* Returns how often CALLER, a function with a loop, was called in the whole run of MODEL.  */
static uint64_t invocations_of_loop_caller(const struct model *model, const struct function *caller) {
  uint64_t count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].callee == caller)
      model_add_saturating(&count, model->sites[i].measured->on_work.local.count);
  return count;
}

bool is_call_in_serial_loop(const struct model *model, const struct site *call) {
  if (call->loop == NULL || call->caller == NULL)
    return false;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct cilkprof_measure *all = &model->sites[i].measured->on_work.top_call_site;
    if (model->sites[i].loop != NULL && is_in_same_calling_loop(&model->sites[i], call) &&
        (double)all->work >= NEARLY_SERIAL * (double)all->span && all->work > 0)
      return false;
  }
  return call->sampled || call->measured->on_work.local.count / 2 >= invocations_of_loop_caller(model, call->caller);
}

char *calling_loop_place(const struct site *call) {
  return strchr(call->loop, ':') != NULL ? format_string("%s", base_name(call->loop))
                                         : format_string("%s:%s", base_name(call->file), call->loop);
}

uint32_t calling_loop_line(const struct site *call) {
  const char *colon = strrchr(call->loop, ':');
  return (uint32_t)strtoul(colon != NULL ? colon + 1 : call->loop, NULL, 10);
}

/* Returns whether most of BOTTLENECK are calls in LOOP, so that a finding about the loop says it too.  */
static bool is_bottleneck_in_calling_loop(const struct bottleneck *bottleneck, const struct calling_loop *loop) {
  return bottleneck->place_count > 0 && bottleneck->kind != BOTTLENECK_LOOP && bottleneck->kind != BOTTLENECK_CODE &&
         is_in_same_calling_loop(bottleneck->places[0], loop->largest) &&
         bottleneck_place_span(bottleneck, bottleneck->places[0]) > bottleneck->held.span / 2;
}

/* Removes those of the COUNT BOTTLENECKS that are calls in LOOP.  Returns how many are left.  */
static size_t remove_bottlenecks_in_calling_loop(struct bottleneck *bottlenecks, size_t count,
                                                 const struct calling_loop *loop) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_bottleneck_in_calling_loop(&bottlenecks[i], loop))
      bottlenecks[left++] = bottlenecks[i];
  return left;
}

/* Returns whether LOOP of MODEL has at least LEAST of the span, in several parts of which none is nearly all of it, and
   is serial.  */
static bool is_calling_loop_bottleneck(const struct model *model, const struct calling_loop *loop, uint64_t least) {
  return loop->held.span >= least && loop->parts > 1 && loop->largest_span < loop->held.span - loop->held.span / 5 &&
         is_call_in_serial_loop(model, loop->largest);
}

size_t insert_calling_loops(const struct model *model, const struct calling_loops *loops, uint64_t least,
                            struct bottleneck *bottlenecks, size_t count, size_t most) {
  for (size_t i = 0; i < loops->count; i++) {
    const struct calling_loop *loop = &loops->list[i];
    if (!is_calling_loop_bottleneck(model, loop, least))
      continue;
    count = remove_bottlenecks_in_calling_loop(bottlenecks, count, loop);
    struct bottleneck bottleneck = {BOTTLENECK_CALLING_LOOP, loop->largest->callee, .held = loop->held};
    add_bottleneck_place(&bottleneck, loop->largest);
    bottleneck.part = loop->largest;
    bottleneck.part_span = loop->largest_call;
    count = keep_largest_bottleneck(bottlenecks, count, most, &bottleneck);
  }
  return count;
}

void free_calling_loops(struct calling_loops *loops) {
  hash_table_free(&loops->table);
  free(loops->list);
}
