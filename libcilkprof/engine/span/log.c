/* The on-span log: which invocations are on the longest path.
   SPDX-License-Identifier: MIT

   Every invocation that returns pushes an entry on one contiguous stack.  A child that turns out not to be on the
   longest path is dropped by lowering the top.  If another child overtakes the longest one so far, the latter becomes a
   hole that readers skip.  When a segment grows long, its entries are folded: summed by site.  So an event costs O(1)
   amortised, and the length of the log stays within a few times the number of sites (and contexts), plus the depth of
   the recursion.

   Where the log is not kept, because it is full or the thread is not recorded, every event that returns a new top
   returns the sink instead: a few entries that are written and never read.  So the top is never beyond the second entry
   of the sink, however deep calls nest, and a thread that is not recorded needs no memory for a log.  */

#include <string.h>
#include <sys/mman.h>

#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/memory.h"

/* A test builds the engine with a lower threshold, so that even a short log is folded often.  */
#ifndef CILKPROF_FIRST_FOLD
#define CILKPROF_FIRST_FOLD 512
#endif

enum {
  /* A segment with fewer entries is not folded.  */
  FIRST_FOLD = CILKPROF_FIRST_FOLD,
  /* Entries that one event may use beyond the limit, before the next event checks it: one that is left free for a hole,
     two that are pushed, and two for every root that is open.  */
  BEYOND = 24,
};

/* Reserves the log.  Address space costs nothing until it is written to, so the arena is as large as the limits allow.
   Returns 0, or -1 if there is none.  */
int __cilkprof_log_start(void) {
  struct profiled_log *log = &profiled_thread()->log;
  size_t bytes = (size_t)64 << 30;
  entry_t *memory = NULL;
  while (bytes >= (size_t)4 << 20 && !(memory = __cilkprof_reserve(bytes)))
    bytes /= 4;
  if (!memory)
    return -1;
  log->begin = memory;
  log->end = memory + bytes / sizeof(entry_t) - BEYOND - SINK_ENTRIES;
  THREAD.sink = log->end + BEYOND;
  THREAD.top = marked(log->begin);
  THREAD.limit = log->end;
  THREAD.fold_bytes = FIRST_FOLD * sizeof(entry_t);
  return 0;
}

/* Stops keeping the log, for lack of memory.  Returns -1.  */
static int give_up(void) {
  flag(CILKPROF_NO_ON_SPAN);
  return -1;
}

/* Doubles the scratch memory for sums.  Returns 0, or -1 if there is no memory.  */
static int grow_folded(struct profiled_log *log) {
  size_t room = log->folded_room ? 2 * log->folded_room : 1024;
  entry_t *memory = __cilkprof_reserve(room * sizeof(entry_t));
  if (!memory)
    return give_up();
  if (log->folded) {
    memcpy(memory, log->folded, log->folded_count * sizeof(entry_t));
    munmap(log->folded, log->folded_room * sizeof(entry_t));
  }
  log->folded = memory;
  log->folded_room = room;
  return 0;
}

/* Returns the word, in the site or tally of ENTRY, that holds 1 + the index of the sum to which the entry belongs.  */
static uint64_t *slot_of(const entry_t *entry) {
  uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND, address = entry->key - kind;
  if (kind == __CILKPROF_ENTRY_TALLY)
    return &((struct tally *)address)->folded;
  return &((site_t *)address)->folded[kind / 2];
}

/* Returns ENTRY with the values that plain entries and those of leaves do not store.  */
static entry_t complete_entry(const entry_t *entry) {
  entry_t copy = *entry;
  uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND;
  if (kind == __CILKPROF_ENTRY_PLAIN)
    copy.work = copy.span = copy.burdened_span = 0;
  else if (kind & __CILKPROF_ENTRY_LEAF) {
    copy.key -= __CILKPROF_ENTRY_LEAF;
    copy.work = copy.span = copy.burdened_span = copy.local_work;
  }
  return copy;
}

/* Adds PUSHED, times SIGN, to the sum for its site or tally and its kind.  SIGN is 1, or -1 modulo 2^64.  Returns 0, or
   -1 if there is no memory.  */
static int add_entry(struct profiled_log *log, const entry_t *pushed, uint64_t sign) {
  const entry_t copy = complete_entry(pushed), *entry = &copy;
  uint64_t *slot = slot_of(entry);
  if (!*slot) {
    if (log->folded_count == log->folded_room && grow_folded(log) < 0)
      return -1;
    log->folded[log->folded_count++] = (entry_t){.key = entry->key};
    *slot = log->folded_count;
  }
  entry_t *sum = &log->folded[*slot - 1];
  sum->count += sign * entry->count;
  sum->local_work += sign * entry->local_work;
  sum->local_off_span += sign * entry->local_off_span;
  sum->local_off_burdened_span += sign * entry->local_off_burdened_span;
  sum->work += sign * entry->work;
  sum->span += sign * entry->span;
  sum->burdened_span += sign * entry->burdened_span;
  return 0;
}

/* Adds the entries from BASE to TOP, times SIGN, to the sums.  The slots of their sites stay set.  */
static void add_entries(struct profiled_log *log, const entry_t *base, const entry_t *top, uint64_t sign) {
  while (top > base) {
    --top;
    if (top->key == __CILKPROF_ENTRY_HOLE)
      top = (const entry_t *)top->count;
    else if (add_entry(log, top, sign) < 0)
      return;
  }
}

entry_t *__cilkprof_push_tally(struct tally *tally, entry_t *top) {
  *top = (entry_t){.key = (uint64_t)tally | __CILKPROF_ENTRY_TALLY,
                   .count = 1,
                   .work = THREAD.work,
                   .span = THREAD.span,
                   .burdened_span = THREAD.burdened_span};
  return top + 1;
}

/* Replaces the entries from BASE to TOP by their sums.  Returns the new top.  */
static entry_t *replace_by_sums(entry_t *base, const entry_t *top) {
  struct profiled_log *log = &profiled_thread()->log;
  __cilkprof_sum_begin();
  add_entries(log, base, top, 1);
  __cilkprof_sum_end();
  memcpy(base, log->folded, log->folded_count * sizeof(entry_t));
  return base + log->folded_count;
}

void __cilkprof_sum_begin(void) {
  profiled_thread()->log.folded_count = 0;
}

void __cilkprof_sum_add(const entry_t *base, const entry_t *top, uint64_t sign) {
  if (THREAD.recording && !(ENGINE.flags & CILKPROF_NO_ON_SPAN))
    add_entries(&profiled_thread()->log, base, top, sign);
}

struct cilkprof_sum __cilkprof_sum_end(void) {
  struct profiled_log *log = &profiled_thread()->log;
  for (size_t i = 0; i < log->folded_count; i++)
    *slot_of(&log->folded[i]) = 0;
  return (struct cilkprof_sum){log->folded, log->folded_count};
}

entry_t *__cilkprof_log_push(entry_t *top, struct cilkprof_sum sum) {
  if (!THREAD.recording || ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return top;
  if (top >= THREAD.limit || (size_t)(THREAD.limit - top) <= sum.count) {
    give_up();
    return THREAD.sink;
  }
  memcpy(top, sum.entries, sum.count * sizeof(entry_t));
  return top + sum.count;
}

/* Raises the threshold for folding to at least twice the number of ENTRIES that a fold has left.  */
static void raise_fold_bytes(size_t entries) {
  if (2 * entries * sizeof(entry_t) > THREAD.fold_bytes)
    THREAD.fold_bytes = 2 * entries * sizeof(entry_t);
}

/* Folds the segment from BASE to TOP, which is longer than the threshold, or reaches the end of the arena.  Returns the
   new top.  The threshold is at least twice the length of any folded segment, so that folding costs no more than
   pushing the entries since the last fold.  */
EXPORT entry_t *__cilkprof_fold(entry_t *base, entry_t *top) {
  if (!THREAD.recording || ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return THREAD.sink;
  top = replace_by_sums(base, top);
  raise_fold_bytes((size_t)(top - base));
  if (top < THREAD.limit)
    return top;
  give_up();
  return THREAD.sink;
}

/* Folds the part of the log that belongs to a frame, from BASE to END.  The entries of its longest child, from START to
   END, stay apart from those before.  Returns where the child's entries are afterwards.  */
EXPORT struct __cilkprof_child __cilkprof_fold_around(entry_t *base, entry_t *start, entry_t *end) {
  if (!THREAD.recording || ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return (struct __cilkprof_child){THREAD.sink, THREAD.sink};
  end = replace_by_sums(start, end);
  size_t child = (size_t)(end - start);
  entry_t *new_start = replace_by_sums(base, start);
  memmove(new_start, start, child * sizeof(entry_t));
  end = new_start + child;
  raise_fold_bytes((size_t)(end - base));
  return (struct __cilkprof_child){new_start, end};
}

/* Between the entries of an open path there may be free ones with arbitrary contents.  Changing these does no harm.  */
void __cilkprof_log_moved(site_t *(*moved)(site_t *site)) {
  struct profiled_log *log = &profiled_thread()->log;
  for (entry_t *entry = log->begin; entry < __cilkprof_p_log_top(); entry++) {
    uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND;
    entry->key = (uint64_t)moved((site_t *)(entry->key - kind)) | kind;
  }
}

size_t __cilkprof_log_sum(const entry_t **entries) {
  struct profiled_log *log = &profiled_thread()->log;
  if (ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return 0;
  __cilkprof_sum_begin();
  add_entries(log, log->begin, __cilkprof_p_log_top(), 1);
  *entries = log->folded;
  return log->folded_count;
}
