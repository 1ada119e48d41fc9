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

/* The address space for the log of a thread.  In a parallel run there may be thousands: one for each join that runs a
   child in a child that a join runs (workers/recorder.c).  */
#ifndef CILKPROF_LOG_BYTES /* a test defines another one */
#ifdef __CILKPROF_PARALLEL
#define CILKPROF_LOG_BYTES ((size_t)1 << 30)
#else
#define CILKPROF_LOG_BYTES ((size_t)64 << 30)
#endif
#endif

/* Reserves the on-span log of the profiled thread.  Address space costs nothing until it is written to, so the arena is
   as large as the limits allow.  Returns 0, or -1 if there is none.  */
int __cilkprof_log_start(void) {
  struct profiled_log *log = &profiled_thread()->log;
  size_t bytes = CILKPROF_LOG_BYTES;
  entry_t *memory = NULL;
  while (bytes >= (size_t)4 << 20 && !(memory = __cilkprof_reserve(bytes)))
    bytes /= 4;
  if (!memory)
    return -1;
  log->begin = memory;
  log->end = memory + bytes / sizeof(entry_t) - BEYOND - SINK_ENTRIES;
  THREAD.sink = log->end + BEYOND;
  THREAD.top = marked_log_top(log->begin);
  THREAD.limit = log->end;
  THREAD.fold_bytes = FIRST_FOLD * sizeof(entry_t);
  THREAD.long_child = __CILKPROF_LONG_CHILD;
  return 0;
}

/* Stops keeping the on-span log, for lack of memory: the profile will have no on-span values.  Returns -1.  */
static int give_up_span_log(void) {
  set_profile_flags(CILKPROF_NO_ON_SPAN);
  return -1;
}

/* Doubles the scratch memory for sums of entries of the log.  Returns 0, or -1 if there is no memory; then the log is
   given up.  */
static int grow_folded_log_sums(struct profiled_log *log) {
  size_t room = log->folded_room ? 2 * log->folded_room : 1024;
  entry_t *memory = __cilkprof_reserve(room * sizeof(entry_t));
  if (!memory)
    return give_up_span_log();
  if (log->folded) {
    memcpy(memory, log->folded, log->folded_count * sizeof(entry_t));
    munmap(log->folded, log->folded_room * sizeof(entry_t));
  }
  log->folded = memory;
  log->folded_room = room;
  return 0;
}

/* Returns the word, in the site or tally of ENTRY, that holds 1 + the index of the sum to which the entry belongs.  */
static uint32_t *folded_log_sum_slot(const entry_t *entry) {
  uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND, address = entry->key - kind;
  if (kind == __CILKPROF_ENTRY_TALLY)
    return &((struct tally *)address)->folded;
  return &((site_t *)address)->folded[kind / 2];
}

/* Returns ENTRY of the log with the values that some kinds of entries do not store.  */
static entry_t complete_log_entry(const entry_t *entry) {
  entry_t copy = *entry;
  uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND;
  if (kind == __CILKPROF_ENTRY_ONE) {
    copy.key += __CILKPROF_ENTRY_PLAIN;
    copy.count = 1;
  }
  if (kind <= __CILKPROF_ENTRY_PLAIN)
    copy.work = copy.span = copy.burdened_span = 0;
  else if (kind & __CILKPROF_ENTRY_LEAF) {
    copy.key -= __CILKPROF_ENTRY_LEAF;
    copy.work = copy.span = copy.burdened_span = copy.local_work;
  }
  return copy;
}

/* Adds PUSHED, an entry of the log, times SIGN, to the sum for its site or tally and its kind.  SIGN is 1, or -1 modulo
   2^64.  Returns 0, or -1 if there is no memory.  */
static int add_log_entry_to_sum(struct profiled_log *log, const entry_t *pushed, uint64_t sign) {
  const entry_t copy = complete_log_entry(pushed), *entry = &copy;
  uint32_t *slot = folded_log_sum_slot(entry);
  if (!*slot) {
    if (log->folded_count == log->folded_room && grow_folded_log_sums(log) < 0)
      return -1;
    log->folded[log->folded_count++] = (entry_t){.key = entry->key};
    *slot = (uint32_t)log->folded_count;
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

/* Adds the entries of the log from BASE to TOP, times SIGN, to the sums by site, and skips holes.  The slots of their
   sites stay set.  */
static void add_log_entries_to_sums(struct profiled_log *log, const entry_t *base, const entry_t *top, uint64_t sign) {
  while (top > base) {
    --top;
    if (top->key == __CILKPROF_ENTRY_HOLE)
      top = (const entry_t *)top->local_work;
    else if (add_log_entry_to_sum(log, top, sign) < 0)
      return;
  }
}

/* Pushes an entry for TALLY, with the values of the return slots, at TOP of the log.  Returns the new top of the
   log.  */
entry_t *__cilkprof_log_push_tally(struct tally *tally, entry_t *top) {
  *top = (entry_t){.key = (uint64_t)tally | __CILKPROF_ENTRY_TALLY,
                   .count = 1,
                   .work = THREAD.work,
                   .span = THREAD.span,
                   .burdened_span = THREAD.burdened_span};
  return top + 1;
}

/* Replaces the entries of the log from BASE to TOP by their sums by site.  Returns the new top.  */
static entry_t *replace_log_entries_by_sums(entry_t *base, const entry_t *top) {
  struct profiled_log *log = &profiled_thread()->log;
  __cilkprof_sum_begin();
  add_log_entries_to_sums(log, base, top, 1);
  __cilkprof_sum_end();
  memcpy(base, log->folded, log->folded_count * sizeof(entry_t));
  return base + log->folded_count;
}

/* Begins a sum of entries of the log, by site and kind.  The last one is no longer valid.  */
void __cilkprof_sum_begin(void) {
  profiled_thread()->log.folded_count = 0;
}

/* Adds the entries from BASE to TOP, times SIGN, to the sum under way; SIGN is 1, or -1 modulo 2^64.  Does nothing
   where the log is not kept.  */
void __cilkprof_sum_add(const entry_t *base, const entry_t *top, uint64_t sign) {
  if (THREAD.recording && !has_profile_flags(CILKPROF_NO_ON_SPAN))
    add_log_entries_to_sums(&profiled_thread()->log, base, top, sign);
}

/* Ends the sum of entries of the log and returns it.  It is valid until the next one begins.  */
struct cilkprof_sum __cilkprof_sum_end(void) {
  struct profiled_log *log = &profiled_thread()->log;
  for (size_t i = 0; i < log->folded_count; i++)
    *folded_log_sum_slot(&log->folded[i]) = 0;
  return (struct cilkprof_sum){log->folded, log->folded_count};
}

/* Pushes the entries of SUM at TOP of the log.  Returns the new top of the log, which is the sink if there is no
   room.  */
entry_t *__cilkprof_log_push(entry_t *top, struct cilkprof_sum sum) {
  if (!THREAD.recording || has_profile_flags(CILKPROF_NO_ON_SPAN))
    return top;
  if (top >= THREAD.limit || (size_t)(THREAD.limit - top) <= sum.count) {
    give_up_span_log();
    return THREAD.sink;
  }
  memcpy(top, sum.entries, sum.count * sizeof(entry_t));
  return top + sum.count;
}

/* Raises the threshold for folding a segment of the log to at least twice the number of ENTRIES that a fold has
   left.  */
static void raise_log_fold_threshold(size_t entries) {
  if (2 * entries * sizeof(entry_t) > THREAD.fold_bytes)
    THREAD.fold_bytes = 2 * entries * sizeof(entry_t);
}

/* Folds the segment of the log from BASE to TOP, that is, sums its entries by site.  It is longer than the threshold,
   or reaches the end of the arena.  Returns the new top, which is the sink if the log is not kept.  The threshold is at
   least twice the length of any folded segment, so that folding costs no more than pushing the entries since the last
   fold.  */
EXPORT entry_t *__cilkprof_fold(entry_t *base, entry_t *top) {
  if (!THREAD.recording || has_profile_flags(CILKPROF_NO_ON_SPAN))
    return THREAD.sink;
  top = replace_log_entries_by_sums(base, top);
  raise_log_fold_threshold((size_t)(top - base));
  if (top < THREAD.limit)
    return top;
  give_up_span_log();
  return THREAD.sink;
}

/* Folds the part of the log that belongs to a frame, from BASE to END.  The entries of its longest child, from START to
   END, stay apart from those before.  Returns where the child's entries are afterwards.  */
EXPORT struct __cilkprof_child __cilkprof_fold_around(entry_t *base, entry_t *start, entry_t *end) {
  if (!THREAD.recording || has_profile_flags(CILKPROF_NO_ON_SPAN))
    return (struct __cilkprof_child){THREAD.sink, THREAD.sink};
  end = replace_log_entries_by_sums(start, end);
  size_t child = (size_t)(end - start);
  entry_t *new_start = replace_log_entries_by_sums(base, start);
  memmove(new_start, start, child * sizeof(entry_t));
  end = new_start + child;
  raise_log_fold_threshold((size_t)(end - base));
  return (struct __cilkprof_child){new_start, end};
}

/* Replaces the sites of all entries of the log by what MOVED returns for them: a shared library with sites has been
   unloaded.  Between the entries of an open path there may be free ones with arbitrary contents.  Changing these does
   no harm.  */
void __cilkprof_log_moved(site_t *(*moved)(site_t *site)) {
  struct profiled_log *log = &profiled_thread()->log;
  for (entry_t *entry = log->begin; entry < __cilkprof_p_log_top(); entry++) {
    uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND;
    entry->key = (uint64_t)moved((site_t *)(entry->key - kind)) | kind;
  }
}

/* Sums the whole log by site and kind, when the profile is written.  Stores where the sums are in *ENTRIES, and returns
   their number; 0 if the log was not kept.  The FOLDED of a site then holds 1 + the index of its sum for each kind, or
   0.  */
size_t __cilkprof_log_sum(const entry_t **entries) {
  struct profiled_log *log = &profiled_thread()->log;
  if (has_profile_flags(CILKPROF_NO_ON_SPAN))
    return 0;
  __cilkprof_sum_begin();
  add_log_entries_to_sums(log, log->begin, __cilkprof_p_log_top(), 1);
  *entries = log->folded;
  return log->folded_count;
}
