/* Serial loops: loops without events, which are booked like calls of leaves where they ran long.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/leaf.h"

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

/* Begins a serial loop: what follows is a strand of its own.  In hybrid mode the timing point POINT measures it, and at
   least so many instructions as EXPECTED are to come; in count mode POINT is NULL.  WORK is what the function did
   itself since its last event.  */
void __cilkprof_o_serial_loop_begin(uint64_t work, timing_point_t *point, uint64_t expected) {
  frame_t *frame = THREAD.frames;
  frame->before_begin = end_strand(frame, work);
  frame->begin = point ? __cilkprof_h_timing(0, point, expected) : 0;
}

/* Ends the serial loop that the innermost frame began last, at SITE.  WORK is what the loop did since the function's
   last event.  */
void __cilkprof_o_serial_loop_end(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  uint64_t before = frame->before_begin;
  frame->local_work = __cilkprof_h_serial_loop_end(frame, end_strand(frame, work), site, before);
}
