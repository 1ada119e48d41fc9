/* What an invocation that returns adds to its site, and to the log.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SITE_H
#define CILKPROF_SITE_H

#include "libcilkprof/engine.h"

/* It was a top-call-site invocation.  Returns the new top of the log, as do all below.  */
HIDDEN __attribute__((noinline)) record_t *__cilkprof_top_returned(site_t *site, record_t *top);

/* The segment is long, the log is full or not kept any more, or its limit is 0 because this thread is not recorded.  */
HIDDEN __attribute__((noinline)) record_t *__cilkprof_returned_at_limit(site_t *site, record_t *segment, uint64_t key,
                                                                        record_t *top);

static inline record_t *log_top(void) {
  return (record_t *)((uint64_t)THREAD.top & ~(uint64_t)1);
}

static inline int at_limit(const record_t *top, const record_t *segment) {
  return top >= THREAD.limit || (uint64_t)top - (uint64_t)segment > THREAD.fold_bytes;
}

/* Of an invocation that is no top-call-site one.  The slots are read once: what is written might be one of them.  */
static inline record_t *book_plain(site_t *site, record_t *top) {
  uint64_t work = THREAD.local_work, lost = THREAD.local_lost, burden_lost = THREAD.local_burden_lost;
  site->count++;
  site->local_work += work;
  site->local_lost += lost;
  site->local_burden_lost += burden_lost;
  top->key = (uint64_t)site | __CILKPROF_RECORD_PLAIN;
  top->count = 1;
  top->local_work = work;
  top->local_lost = lost;
  top->local_burden_lost = burden_lost;
  return top + 1;
}

static inline record_t *book(site_t *site, record_t *top, uint64_t key) {
  return __CILKPROF_RARE(site->active == key) ? __cilkprof_top_returned(site, top) : book_plain(site, top);
}

static inline record_t *returned(site_t *site, record_t *segment, uint64_t key) {
  record_t *top = log_top();
  return __CILKPROF_RARE(at_limit(top, segment)) ? __cilkprof_returned_at_limit(site, segment, key, top)
                                                 : book(site, top, key);
}

#endif
