/* Series: calls of leaves in a loop that calls nothing else.
   SPDX-License-Identifier: MIT

   The invocations are only counted, for at most __CILKPROF_SERIES sites at a time, and are booked at the frame's
   next other event, with the time that all of them took together in hybrid mode.  A frame with invocations that are
   not booked yet has CALL_LEAF without a site.  There is at most one such frame, the innermost of the profiled
   thread, because every other event of the frame books them.  So the open invocations and the path, which determine
   how they are booked, cannot have changed in between.  */

#ifndef CILKPROF_SERIES_H
#define CILKPROF_SERIES_H

#include "libcilkprof/engine/span/leaf.h"

enum { SERIES_PENDING = __CILKPROF_CALL_LEAF };

/* Returns the series that counts invocations of the leaf of SITE.  Several sites share it.  */
static inline struct __cilkprof_series *leaf_series_of(const site_t *site) {
  return &THREAD.series[(uint64_t)site / __CILKPROF_LINE % __CILKPROF_SERIES];
}

/* Begins a series of SITE with an invocation that returned to FRAME.  Books the series of another site that was counted
   in the same element of THREAD.series.  */
HIDDEN void __cilkprof_begin_series(frame_t *frame, site_t *site);

/* Goes on without measuring the series that are not booked yet: another strand is measured next.  */
HIDDEN void __cilkprof_series_not_measured(void);

/* Books all invocations in FRAME that were only counted.  */
HIDDEN void __cilkprof_book_series(frame_t *frame);

#endif
