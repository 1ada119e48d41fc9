/* Serial loops: loops without events, which are booked like calls of leaves where they ran long.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"

/* A loop that took less, in units of work, is not worth an entry in the log: it stays part of its function.  A unit is
   an instruction, or the time of one.  */
enum { LEAST = __CILKPROF_LONG };

/* Ends a serial loop in FRAME, the innermost one.  If it ran long it is booked as an invocation of SITE.  LOCAL_WORK is
   what the function did itself so far, BEFORE what it had done when the loop began.  Returns the function's own work
   without the loop if that is booked.  */
EXPORT uint64_t __cilkprof_serial_loop_end(frame_t *frame, uint64_t local_work, site_t *site, uint64_t before) {
  if (local_work - before < LEAST)
    return local_work;
  frame->local_work = before;
  __cilkprof_o_locked(site, 0, local_work - before);
  return before;
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
  __cilkprof_serial_loop_end(frame, end_strand(frame, work), site, before);
}
