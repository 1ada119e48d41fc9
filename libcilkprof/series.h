/* Series of leaves: a loop in which nothing but leaves is called.
   SPDX-License-Identifier: MIT

   Their invocations are only counted, for up to as many sites as there are places, and booked when the frame has
   another event.  A frame with invocations that are not booked yet has CALL_LEAF without a site; there is at most one,
   the innermost of the thread that is profiled, as every other event of it books them.  So nothing can have changed
   meanwhile of what they are booked by: what is open, and which path they are on.  */

#ifndef CILKPROF_SERIES_H
#define CILKPROF_SERIES_H

#include "libcilkprof/leaf.h"

enum { SERIES_PENDING = __CILKPROF_CALL_LEAF };

/* Books what FRAME has pending.  */
HIDDEN void __cilkprof_end_series(frame_t *frame);

/* A leaf returned to the innermost FRAME by a site that has no place yet, or whose place is full.  */
HIDDEN __attribute__((noinline)) void __cilkprof_series_otherwise(frame_t *frame, site_t *site);

static inline struct __cilkprof_series *series_of(const site_t *site) {
  return &THREAD.series[(uint64_t)site / __CILKPROF_LINE % __CILKPROF_SERIES];
}

static inline void count_in_series(frame_t *frame, site_t *site) {
  struct __cilkprof_series *series = series_of(site);
  uint64_t own = THREAD.local_work;
  if (__CILKPROF_RARE(series->site != site || !series->left))
    __cilkprof_series_otherwise(frame, site);
  else {
    series->left--;
    series->work += own;
  }
}

#endif
