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

static inline record_t *book_plain(site_t *site, record_t *top) {
  return __cilkprof_p_book_plain(site, top, THREAD.local_work, THREAD.local_lost, THREAD.local_burden_lost);
}

static inline record_t *book(site_t *site, record_t *top, uint64_t key) {
  return __CILKPROF_RARE(site->active == key) ? __cilkprof_top_returned(site, top) : book_plain(site, top);
}

static inline record_t *returned(site_t *site, record_t *segment, uint64_t key) {
  record_t *top = __cilkprof_p_log_top();
  return __CILKPROF_RARE(__CILKPROF_AT_LIMIT(top, segment)) ? __cilkprof_returned_at_limit(site, segment, key, top)
                                                            : book(site, top, key);
}

#endif
