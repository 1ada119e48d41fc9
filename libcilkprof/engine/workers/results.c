/* Results of passages: what the sites of a passage got, and its part of the on-span log.
   SPDX-License-Identifier: MIT

   In a passage recursion begins anew.  Where it is joined, more invocations may be open, above the spawn: those of the
   spawning function's callers.  An invocation of a site that is open there is below another one of its site, so it is
   no top-call-site invocation; and if the caller has open top-call-site invocations there, it is no top-caller
   invocation.  */

#include <string.h>

#include "libcilkprof/engine/span/counted.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/tasks/shares.h"
#include "libcilkprof/engine/workers/workers.h"

/* Returns the site that stands for SITE of this thread in a result: that of the first worker.  Of one for a callee,
   or for a place in code without events that calls a function, this is the one for all of these, to which the slot
   leads.  */
static site_t *first_workers_site(const site_t *site) {
  if (!site->callee)
    return (site_t *)((uint64_t)site - THREAD.records);
  void *record = *(void *const *)site->description;
  return site->function == &__cilkprof_outside ? &((function_t *)record)->outside : (site_t *)record;
}

/* Returns the site of this thread for RESULT.  */
static site_t *own_site_of_result(const struct site_result *result) {
  site_t *site = (site_t *)((uint64_t)result->site + THREAD.records);
  return result->callee ? __cilkprof_callee(site, result->callee) : site;
}

/* Returns whether SITE stands in for another one, for counted calls that are below others of theirs.  */
static int is_inner_stand_in(const site_t *site) {
  const counted_t *counted = stands_in_for(site);
  return counted && site == &counted->standing[INNER];
}

/* Stores what SITE got in a passage to RESULT.  What was booked at one that stands in for it is the real one's: counted
   calls do nothing at other sites.  */
static void store_site_result(struct site_result *result, const site_t *site) {
  const counted_t *counted = stands_in_for(site);
  int inner = is_inner_stand_in(site);
  result->site = first_workers_site(counted ? counted->site : site);
  result->callee = site->callee;
  result->leaf = !counted && site->flags & __CILKPROF_SITE_LEAF;
  result->count = site->count;
  result->local_work = site->local_work;
  result->local_off_span = site->local_off_span;
  result->local_off_burdened_span = site->local_off_burdened_span;
  result->top_call_site = inner ? (struct __cilkprof_total){0} : __cilkprof_top_call_site_of(site);
  result->top_caller = inner ? (struct __cilkprof_total){0} : __cilkprof_top_caller_of(site);
}

/* Makes SITE one that the passage has not reached.  What was learnt of its callees stays.  */
static void clear_reached_site(site_t *site) {
  __cilkprof_counted_passed_on(site);
  site->flags &= ~(uint64_t)(__CILKPROF_SITE_LISTED | __CILKPROF_SITE_SIMPLE | __CILKPROF_SITE_TOP_CALLER);
  site->active = 0;
  site->count = site->local_work = site->local_off_span = site->local_off_burdened_span = 0;
  site->last.entry = NULL;
  site->top_call_site = site->top_caller = (struct __cilkprof_total){0};
}

/* Returns memory for a result with so many sites, entries and loops; NULL if there is none.  */
static struct passage_result *new_passage_result(size_t sites, size_t entries, size_t loops) {
  struct passage_result *result =
      __cilkprof_buffer_take(sizeof *result + sites * sizeof *result->sites + entries * sizeof *result->entries +
                             loops * sizeof *result->loops);
  if (!result)
    return NULL;
  result->in_place = 0;
  result->site_count = sites;
  result->entry_count = entries;
  result->loop_count = loops;
  result->sites = (struct site_result *)(result + 1);
  result->entries = (entry_t *)(result->sites + sites);
  result->loops = (struct loop_result *)(result->entries + entries);
  return result;
}

/* Numbers the sites that the passage has reached, where they keep the key of an open invocation: none is open.  Returns
   how many they are.  */
static size_t number_reached_sites(const struct recorder *recorder) {
  size_t count = 0;
  for (site_t *site = recorder->profiled.first_site; site; site = site->next)
    site->active = count++;
  return count;
}

/* Stores the loops of the passage to RESULT, and clears what is recorded of them.  */
static void take_passage_loops(struct passage_result *result) {
  struct loop_result *to = result->loops;
  for (struct loop_record *loop = __cilkprof_loop_records(); loop; loop = loop->next) {
    if (loop->sums.executions)
      *to++ = (struct loop_result){loop->site->active, loop->sums};
    loop->sums = (struct cilkprof_loop){0};
  }
  result->loop_count = (size_t)(to - result->loops);
}

/* Stores the sums of the log, SUM, to RESULT.  */
static void take_passage_entries(struct passage_result *result, struct cilkprof_sum sum) {
  for (size_t i = 0; i < sum.count; i++) {
    uint64_t key = sum.entries[i].key, kind = key & __CILKPROF_ENTRY_KIND;
    const site_t *site = kind == __CILKPROF_ENTRY_TALLY ? NULL : (const site_t *)(key - kind);
    result->entries[i] = sum.entries[i];
    if (site && is_inner_stand_in(site))
      kind = __CILKPROF_ENTRY_PLAIN;
    result->entries[i].key = 8 * (site ? site->active : __cilkprof_samples_path_of_entry(key)) + kind;
  }
}

/* Stores what only counts for the whole run to RESULT, and clears it in RECORDER.  */
static void take_passage_counts(struct passage_result *result, struct recorder *recorder) {
  struct profiled_clock *clock = &recorder->profiled.clock;
  result->preempted_strands = clock->preempted_strands;
  result->preempted_ticks = clock->preempted_ticks;
  result->deferred = recorder->profiled.passages.deferred;
  result->stolen = recorder->profiled.passages.stolen;
  clock->preempted_strands = clock->preempted_ticks = 0;
  recorder->profiled.passages = (struct profiled_passages){0, 0, 0};
}

/* Returns the result of the passage that this thread has just run with RECORDER, which did WORK, and whose part of the
   log is from START to END; clears the records.  Its spans are left to the caller.  Returns NULL if there is no
   memory.  */
struct passage_result *__cilkprof_passage_result(struct recorder *recorder, uint64_t work, const entry_t *start,
                                                 const entry_t *end) {
  size_t loops = 0, number = 0;
  for (const struct loop_record *loop = __cilkprof_loop_records(); loop; loop = loop->next)
    loops++;
  __cilkprof_sum_begin();
  __cilkprof_sum_add(start, end, 1);
  struct cilkprof_sum sum = __cilkprof_sum_end();
  struct passage_result *result = new_passage_result(number_reached_sites(recorder), sum.count, loops);
  if (result) {
    result->work = work;
    result->syncs = THREAD.syncs;
    result->loop_spawns = THREAD.loop_spawns;
    take_passage_entries(result, sum);
    take_passage_loops(result);
    take_passage_counts(result, recorder);
  }
  for (site_t *site = recorder->profiled.first_site, *next; site; site = next) {
    next = site->next;
    if (result)
      store_site_result(&result->sites[number++], site);
    clear_reached_site(site);
  }
  recorder->profiled.first_site = recorder->profiled.last_site = NULL;
  return result;
}

/* Returns the result of a child that was recorded where its parent is, which did WORK and whose part of the log is from
   START to END.  Its sites have what it did, and its spans are left to the caller.  Returns NULL if there is no
   memory.  */
struct passage_result *__cilkprof_in_place_result(uint64_t work, const entry_t *start, const entry_t *end) {
  __cilkprof_sum_begin();
  __cilkprof_sum_add(start, end, 1);
  struct cilkprof_sum sum = __cilkprof_sum_end();
  struct passage_result *result = new_passage_result(0, sum.count, 0);
  if (!result)
    return NULL;
  memcpy(result->entries, sum.entries, sum.count * sizeof *result->entries);
  result->in_place = 1;
  result->work = work;
  result->syncs = result->loop_spawns = result->deferred = result->stolen = 0;
  result->preempted_strands = result->preempted_ticks = 0;
  return result;
}

/* Adds PART to TOTAL.  */
static void add_passage_total(struct __cilkprof_total *total, const struct __cilkprof_total *part) {
  total->count += part->count;
  total->work += part->work;
  total->span += part->span;
  total->burdened_span += part->burdened_span;
}

/* Adds the top-call-site and top-caller values of RESULT to SITE, which is not that of a leaf.  */
static void add_top_values(site_t *site, const struct site_result *result) {
  if (site->active)
    return;
  add_passage_total(&site->top_call_site, &result->top_call_site);
  if (!caller_of_site(site)->open)
    add_passage_total(&site->top_caller, &result->top_caller);
}

/* Adds the invocations of RESULT that are not top-caller ones to SITE, that of a leaf.  */
static void add_leaves_below(site_t *site, const struct site_result *result) {
  int below = caller_of_site(site)->open != 0;
  site->top_caller.count += result->count - (below ? 0 : result->top_caller.count);
  site->top_caller.work += result->local_work - (below ? 0 : result->top_caller.work);
}

/* Adds RESULT, what a site got in a passage, to the site of this thread.  */
static void add_site_result(const struct site_result *result) {
  site_t *site = own_site_of_result(result);
  if (!(site->flags & __CILKPROF_SITE_LISTED) && result->leaf)
    site->flags |= __CILKPROF_SITE_LEAF;
  __cilkprof_list_site(site);
  if (site->flags & __CILKPROF_SITE_LEAF && !result->leaf)
    __cilkprof_leaf_becomes_function(site);
  site->count += result->count;
  site->local_work += result->local_work;
  site->local_off_span += result->local_off_span;
  site->local_off_burdened_span += result->local_off_burdened_span;
  if (site->flags & __CILKPROF_SITE_LEAF)
    add_leaves_below(site, result);
  else
    add_top_values(site, result);
}

/* Adds LOOP, what a loop got in the passage with RESULT, to what this thread knows of it.  */
static void add_loop_result(const struct passage_result *result, const struct loop_result *loop) {
  struct loop_record *record = __cilkprof_loop_record(own_site_of_result(&result->sites[loop->site]));
  if (!record)
    return;
  record->sums.executions += loop->sums.executions;
  record->sums.pieces += loop->sums.pieces;
  record->sums.single += loop->sums.single;
  record->sums.work += loop->sums.work;
}

/* Adds the values of RESULT to the sites of this thread.  */
void __cilkprof_add_passage(const struct passage_result *result) {
  for (size_t i = 0; i < result->site_count; i++)
    add_site_result(&result->sites[i]);
  for (size_t i = 0; i < result->loop_count; i++)
    add_loop_result(result, &result->loops[i]);
  THREAD.syncs += result->syncs;
  THREAD.loop_spawns += result->loop_spawns;
  profiled_thread()->clock.preempted_strands += result->preempted_strands;
  profiled_thread()->clock.preempted_ticks += result->preempted_ticks;
  profiled_thread()->passages.deferred += result->deferred;
  profiled_thread()->passages.stolen += result->stolen;
}

/* Returns ENTRY of RESULT as one of this thread's log.  */
static entry_t own_entry_of_result(const struct passage_result *result, const entry_t *entry) {
  uint64_t kind = entry->key % 8;
  entry_t own = *entry;
  if (kind == __CILKPROF_ENTRY_TALLY) {
    own.key = __cilkprof_samples_entry_of_path(entry->key / 8);
    return own;
  }
  site_t *site = own_site_of_result(&result->sites[entry->key / 8]);
  if (kind >= __CILKPROF_ENTRY_TOP_SITE && site->active)
    kind = __CILKPROF_ENTRY_PLAIN;
  else if (kind == __CILKPROF_ENTRY_TOP_CALLER && caller_of_site(site)->open)
    kind = __CILKPROF_ENTRY_TOP_SITE;
  own.key = (uint64_t)site | kind;
  return own;
}

/* Pushes the entries of RESULT at TOP of the log.  Returns the new top.  */
entry_t *__cilkprof_push_passage(const struct passage_result *result, entry_t *top) {
  for (size_t i = 0; i < result->entry_count && !result->in_place; i++)
    result->entries[i] = own_entry_of_result(result, &result->entries[i]);
  return __cilkprof_log_push(top, (struct cilkprof_sum){result->entries, result->entry_count});
}
