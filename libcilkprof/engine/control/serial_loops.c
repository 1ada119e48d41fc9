/* Serial loops: loops without events, which are booked like calls of leaves where they ran long.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/leaf.h"
#include "libcilkprof/engine/span/series.h"
#include "libcilkprof/engine/time/clock.h"

/* Books a serial loop that did INSIDE as an invocation of SITE, at TOP of the log.  SEGMENT and MERGE are those of the
   frame.  Returns the new top of the log.  Where contexts or roots are recorded, it is booked like any other call.  */
EXPORT entry_t *__cilkprof_serial_loop(site_t *site, uint64_t inside, entry_t *segment, entry_t *merge, entry_t *top) {
  if (!THREAD.recording)
    return top;
  if (site->flags & __CILKPROF_SITE_SIMPLE || __cilkprof_leaf_first(site)) {
    if (__CILKPROF_AT_LIMIT(top, segment))
      top = __cilkprof_fold(segment, top);
    entry_t *end = __cilkprof_leaves_pushed(site, 1, inside, merge, top);
    return top == THREAD.sink ? top : end;
  }
  uint64_t key = (uint64_t)&key; /* of no other open invocation */
  __cilkprof_h_bare(inside);
  __cilkprof_top_call(site, key);
  THREAD.top = marked_log_top(top);
  return __cilkprof_returned(site, segment, key);
}

/* Begins a serial loop while a strand is being measured: the loop is a strand of its own.  */
APART void begin_serial_loop_strand(frame_t *frame, uint64_t work, timing_point_t *point, uint64_t expected) {
  frame->before_begin = end_strand_of_frame(frame, work);
  frame->begin = __cilkprof_h_timing(0, point, expected);
}

/* Begins a serial loop.  In hybrid mode the timing point POINT measures it, and at least so many instructions as
   EXPECTED are to come; in count mode POINT is NULL.  Where a strand is being measured, the loop is part of it if the
   loops at POINT were short so far.  WORK is what the function did itself since its last event.  */
void __cilkprof_o_serial_loop_begin(uint64_t work, timing_point_t *point, uint64_t expected) {
  frame_t *frame = THREAD.frames;
  if (frame->site & ~(uint64_t)SERIES_PENDING)
    __cilkprof_o_returned();
  if (__CILKPROF_RARE(frame->begin && (expected >= __CILKPROF_LONG || !is_timing_point_short(point)))) {
    begin_serial_loop_strand(frame, work, point, expected);
    return;
  }
  frame->local_work = work += frame->local_work;
  if (frame->begin)
    return;
  if (frame->site)
    __cilkprof_series_not_measured();
  frame->before_begin = work;
  if (point)
    frame->begin = __cilkprof_h_timing(0, point, expected);
}

/* Ends a serial loop of the innermost frame, at SITE, that may have run long.  WORK is what it did since the function's
   last event; POINT is as for its beginning.  If a strand from before the loop is still being timed, by another timing
   point, the loop is part of that strand and gets no row of its own; but if it was long, the next ones at POINT
   will.  */
void __cilkprof_o_serial_loop_end(site_t *site, uint64_t work, timing_point_t *point) {
  frame_t *frame = THREAD.frames;
  uint64_t before = frame->before_begin;
  if (point && (frame->begin & ~(uint64_t)1) != (uint64_t)point) {
    frame->local_work += work;
    if (work >= __CILKPROF_LONG)
      __cilkprof_watch_point(point);
  } else
    frame->local_work = __cilkprof_h_serial_loop_end(frame, end_strand_of_frame(frame, work), site, before);
}
