/* The on-span log: which invocations are on the path of highest cost.
   SPDX-License-Identifier: MIT

   Every invocation that returns pushes a record on one contiguous stack.  A child that turns out not to be on the path
   is dropped by lowering the top; a longest child that is overtaken becomes a hole that readers skip.  When a segment
   grows long its records are folded: summed by site.  So an event costs O(1) amortised, and the log stays as long as a
   few times the number of sites (and contexts), plus the depth of the recursion.

   Where the log is not kept, because it is full or the thread is not recorded, every event that gives a new top gives
   the sink instead: a few records that are written and never read.  So the top is never beyond the sink's second
   record, however deep calls nest, and such a thread needs no memory for a log.  */

#include <string.h>
#include <sys/mman.h>

#include "libcilkprof/span/span.h"
#include "libcilkprof/support/support.h"

/* A test builds the engine with another threshold, so that even a short log is folded again and again.  */
#ifndef CILKPROF_FIRST_FOLD
#define CILKPROF_FIRST_FOLD 512
#endif

enum {
  FIRST_FOLD = CILKPROF_FIRST_FOLD, /* records of one segment that are folded at the earliest */
  BEYOND = 4, /* records that an event may go beyond the limit before the next one looks at it: two are pushed, one is
                 left free for a hole */
};

/* Address space costs nothing, so the arena is as large as the limits allow; a page is used when it is first
   written.  */
int __cilkprof_log_start(void) {
  struct recorder_log *log = &recorder()->log;
  size_t bytes = (size_t)64 << 30;
  record_t *memory = NULL;
  while (bytes >= (size_t)4 << 20 && !(memory = __cilkprof_reserve(bytes)))
    bytes /= 4;
  if (!memory)
    return -1;
  log->begin = memory;
  log->end = memory + bytes / sizeof(record_t) - BEYOND - SINK_RECORDS;
  THREAD.sink = log->end + BEYOND;
  THREAD.top = marked(log->begin);
  THREAD.limit = log->end;
  THREAD.fold_bytes = FIRST_FOLD * sizeof(record_t);
  return 0;
}

static int give_up(void) {
  flag(CILKPROF_NO_ON_SPAN);
  return -1;
}

static int make_room(struct recorder_log *log) {
  size_t room = log->folded_room ? 2 * log->folded_room : 1024;
  record_t *memory = __cilkprof_reserve(room * sizeof(record_t));
  if (!memory)
    return give_up();
  if (log->folded) {
    memcpy(memory, log->folded, log->folded_count * sizeof(record_t));
    munmap(log->folded, log->folded_room * sizeof(record_t));
  }
  log->folded = memory;
  log->folded_room = room;
  return 0;
}

static uint64_t *slot_of(const record_t *record) {
  uint64_t kind = record->key & __CILKPROF_RECORD_KIND, address = record->key - kind;
  if (kind == __CILKPROF_RECORD_CONTEXT)
    return &((context_t *)address)->folded;
  return &((site_t *)address)->folded[kind / 2];
}

/* What a leaf's record does not hold.  */
static record_t whole(const record_t *record) {
  record_t copy = *record;
  uint64_t kind = record->key & __CILKPROF_RECORD_KIND;
  if (kind == __CILKPROF_RECORD_PLAIN)
    copy.work = copy.span = copy.burdened_span = 0;
  else if (kind & __CILKPROF_RECORD_LEAF) {
    copy.key -= __CILKPROF_RECORD_LEAF;
    copy.work = copy.span = copy.burdened_span = copy.local_work;
  }
  return copy;
}

static int add_record(struct recorder_log *log, const record_t *pushed) {
  const record_t copy = whole(pushed), *record = &copy;
  uint64_t *slot = slot_of(record);
  if (!*slot) {
    if (log->folded_count == log->folded_room && make_room(log) < 0)
      return -1;
    log->folded[log->folded_count++] = *record;
    *slot = log->folded_count;
    return 0;
  }
  record_t *sum = &log->folded[*slot - 1];
  sum->count += record->count;
  sum->local_work += record->local_work;
  sum->local_lost += record->local_lost;
  sum->local_burden_lost += record->local_burden_lost;
  sum->work += record->work;
  sum->span += record->span;
  sum->burdened_span += record->burdened_span;
  return 0;
}

/* Sums the records from BASE to TOP in the scratch; the sites' slots stay set.  */
static void sum_records(struct recorder_log *log, const record_t *base, const record_t *top) {
  log->folded_count = 0;
  while (top > base) {
    --top;
    if (top->key == __CILKPROF_RECORD_HOLE)
      top = (const record_t *)top->count;
    else if (add_record(log, top) < 0)
      return;
  }
}

/* Replaces the records from BASE to TOP by their sums; returns the new top.  */
static record_t *replace(record_t *base, const record_t *top) {
  struct recorder_log *log = &recorder()->log;
  sum_records(log, base, top);
  for (size_t i = 0; i < log->folded_count; i++)
    *slot_of(&log->folded[i]) = 0;
  memcpy(base, log->folded, log->folded_count * sizeof(record_t));
  return base + log->folded_count;
}

static void raise_fold_bytes(size_t records) {
  if (2 * records * sizeof(record_t) > THREAD.fold_bytes)
    THREAD.fold_bytes = 2 * records * sizeof(record_t);
}

/* A segment is folded when it is longer than the threshold, or the arena is full.  The threshold is at least twice as
   long as any folded segment was, so that folding costs no more than the records that were pushed since.  */
EXPORT record_t *__cilkprof_fold(record_t *base, record_t *top) {
  if (!THREAD.recording || ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return THREAD.sink;
  top = replace(base, top);
  raise_fold_bytes((size_t)(top - base));
  if (top < THREAD.limit)
    return top;
  give_up();
  return THREAD.sink;
}

/* The same for a frame whose longest child's records, from START to END, must stay apart from those before.  */
EXPORT struct __cilkprof_child __cilkprof_fold_around(record_t *base, record_t *start, record_t *end) {
  if (!THREAD.recording || ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return (struct __cilkprof_child){THREAD.sink, THREAD.sink};
  end = replace(start, end);
  size_t child = (size_t)(end - start);
  record_t *new_start = replace(base, start);
  memmove(new_start, start, child * sizeof(record_t));
  end = new_start + child;
  raise_fold_bytes((size_t)(end - base));
  return (struct __cilkprof_child){new_start, end};
}

/* Between the records of an open path there may be free ones, with anything in them: that does no harm.  */
void __cilkprof_log_moved(site_t *(*moved)(site_t *site)) {
  struct recorder_log *log = &recorder()->log;
  for (record_t *record = log->begin; record < __cilkprof_p_log_top(); record++) {
    uint64_t kind = record->key & __CILKPROF_RECORD_KIND;
    record->key = (uint64_t)moved((site_t *)(record->key - kind)) | kind;
  }
}

size_t __cilkprof_log_sum(const record_t **records) {
  struct recorder_log *log = &recorder()->log;
  if (ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return 0;
  sum_records(log, log->begin, __cilkprof_p_log_top());
  *records = log->folded;
  return log->folded_count;
}
