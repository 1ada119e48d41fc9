/* Series of leaves: a loop in which nothing but leaves is called.
   SPDX-License-Identifier: MIT

   Their invocations are only counted, for up to as many sites as there are places, and booked when the frame has
   another event.  A frame with invocations that are not booked yet has CALL_LEAF without a site; there is at most one,
   the innermost of the thread that is profiled, as every other event of it books them.  So nothing can have changed
   meanwhile of what they are booked by: what is open, and which path they are on.  */

#ifndef CILKPROF_SERIES_H
#define CILKPROF_SERIES_H

#include "libcilkprof/engine/span/leaf.h"

enum { SERIES_PENDING = __CILKPROF_CALL_LEAF };

static inline struct __cilkprof_series *series_of(const site_t *site) {
  return &THREAD.series[(uint64_t)site / __CILKPROF_LINE % __CILKPROF_SERIES];
}

/* A series of SITE begins, with an invocation that returned to FRAME; what stood in its place is booked.  */
HIDDEN void __cilkprof_begin_series(frame_t *frame, site_t *site);

/* Books what FRAME has pending.  */
HIDDEN void __cilkprof_end_series(frame_t *frame);

#endif
