/* Series of leaves: booking the invocations that were counted.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/profiled_thread.h"
#include "libcilkprof/engine/span/series.h"

enum {
  MOST =
      4096, /* invocations that are counted before they are booked; a profile that is written in between lacks them */
  POINTS = 64,             /* timing points, by the sites at which series begin */
  EVENT_INSTRUCTIONS = 10, /* of an event that counts an invocation: about 16, some of which run while others wait */
};

/* What is known of the cost of instructions in series that begin at SITE.  */
struct series_point {
  const site_t *site;
  timing_point_t point;
};

/* Returns the timing point for series that begin at SITE, which may have been that of another site; NULL: there is no
   memory.  */
static timing_point_t *timing_point_of_series(const site_t *site) {
  struct profiled_series *all = &profiled_thread()->series;
  if (!all->points)
    all->points = __cilkprof_allocate(POINTS * sizeof *all->points);
  if (!all->points)
    return NULL;
  struct series_point *found = &all->points[(uint64_t)site / __CILKPROF_LINE % POINTS];
  if (found->site != site)
    *found = (struct series_point){.site = site, .point = {.factor = 1 << 16}};
  return &found->point;
}

/* Begins to measure series in FRAME, the first one at SITE, unless a strand of FRAME is being measured already.  Leaves
   may wait for memory or for results more than for instructions, which only the timer shows.  */
static void begin_measuring_series(const frame_t *frame, const site_t *site) {
  struct profiled_series *all = &profiled_thread()->series;
  timing_point_t *point = ENGINE.mode == CILKPROF_MODE_HYBRID && !frame->begin ? timing_point_of_series(site) : NULL;
  all->begin = point ? __cilkprof_h_timing(0, point, 0) : 0;
  all->local_work = frame->local_work;
  all->site = site;
  all->first = THREAD.local_work;
  all->begun = profiled_thread()->timing_points.begun;
}

/* Ends what begin_measuring_series began.  Scales FRAME's own work since then, and returns the factor by which the work
   of the leaves since then has to be scaled, too.  If leaves were timed by themselves, it is 1.  */
static double factor_of_measured_series(frame_t *frame) {
  struct profiled_series *all = &profiled_thread()->series;
  uint64_t own = frame->local_work - all->local_work, counted = own - all->first, begin = all->begin, events = 0;
  all->begin = 0;
  if (!begin || all->begun != profiled_thread()->timing_points.begun) {
    all->site = NULL;
    return 1;
  }
  for (int i = 0; i < __CILKPROF_SERIES; i++)
    if (THREAD.series[i].site) {
      counted += THREAD.series[i].work;
      events += MOST - THREAD.series[i].left;
    }
  THREAD.probes += (events - 1) * EVENT_INSTRUCTIONS;
  double factor = (double)__cilkprof_p_measured(begin, counted) / (double)(counted ? counted : 1);
  frame->local_work = all->local_work + (uint64_t)((double)own * factor);
  return factor;
}

/* Begins a series of calls of the leaf of SITE with an invocation that returned to FRAME.  Books all series if the one
   of SITE is complete, or that of another site was counted in the same element of THREAD.series.  */
void __cilkprof_begin_series(frame_t *frame, site_t *site) {
  struct __cilkprof_series *series = leaf_series_of(site);
  if (series->site)
    __cilkprof_book_series(frame);
  if (frame->site != SERIES_PENDING)
    begin_measuring_series(frame, site);
  *series = (struct __cilkprof_series){.site = site, .left = MOST - 1, .work = THREAD.local_work};
  frame->site = SERIES_PENDING;
}

/* Returns the work of SERIES if FACTOR is that of the time that was measured, if it was.  The first leaf of all had
   returned before that, and may have been timed by itself.  */
static uint64_t scaled_work_of_series(const struct __cilkprof_series *series, double factor) {
  const struct profiled_series *all = &profiled_thread()->series;
  uint64_t before = series->site == all->site ? all->first : 0;
  return before + (uint64_t)((double)(series->work - before) * factor);
}

/* Books all invocations of leaves in FRAME that were only counted, because another event of the frame happens.  */
void __cilkprof_book_series(frame_t *frame) {
  double factor = factor_of_measured_series(frame);
  frame->site = 0;
  for (int i = 0; i < __CILKPROF_SERIES; i++) {
    struct __cilkprof_series *series = &THREAD.series[i];
    if (series->site)
      __cilkprof_book_leaves(frame, series->site, MOST - series->left, scaled_work_of_series(series, factor));
    series->site = NULL;
  }
}

/* Goes on without measuring the series of the innermost frame, if there are any: another strand is measured next.  */
void __cilkprof_series_not_measured(void) {
  profiled_thread()->series.begin = 0;
}
