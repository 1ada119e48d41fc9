/* Series of leaves: booking the invocations that were counted.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/series.h"

/* The highest number of invocations that are counted before they are booked.  A profile that is written in between
   lacks them.  */
enum { MOST = 4096 };

/* Books the invocations of a leaf that SERIES counts, if there are any, in FRAME, and empties SERIES.  */
static void book_leaf_series(frame_t *frame, struct __cilkprof_series *series) {
  if (series->site)
    __cilkprof_book_leaves(frame, series->site, MOST - series->left, series->work);
  series->site = NULL;
}

/* Begins a series of calls of the leaf of SITE with an invocation that returned to FRAME.  Books the series of another
   site that was counted in the same element of THREAD.series.  */
void __cilkprof_begin_series(frame_t *frame, site_t *site) {
  struct __cilkprof_series *series = leaf_series_of(site);
  book_leaf_series(frame, series);
  *series = (struct __cilkprof_series){.site = site, .left = MOST - 1, .work = THREAD.local_work};
  frame->site = SERIES_PENDING;
}

/* Books all invocations of leaves in FRAME that were only counted, because another event of the frame happens.  */
void __cilkprof_book_series(frame_t *frame) {
  frame->site = 0;
  for (int i = 0; i < __CILKPROF_SERIES; i++)
    book_leaf_series(frame, &THREAD.series[i]);
}
