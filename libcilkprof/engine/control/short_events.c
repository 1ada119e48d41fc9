/* The short events as functions, for units of Fortran: these cannot have bodies of events to inline.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"

/* Each function does what the inlined event of its name does (abi/timing.h): here where timing of a strand begins.  */
uint64_t __cilkprof_o_short_timing(uint64_t begin, timing_point_t *point, uint64_t expected) {
  return __cilkprof_h_timing(begin, point, expected);
}

/* Returns the local work, with the cost of a counted strand if it ends before a timing point.  */
uint64_t __cilkprof_o_short_counted(uint64_t work, uint64_t begin, uint64_t before, uint64_t expected) {
  return __cilkprof_h_counted(work, begin, before, expected);
}

/* Returns BEGIN, or 0 if a counted strand ends before a timing point.  */
uint64_t __cilkprof_o_short_still(uint64_t begin, uint64_t expected) {
  return __cilkprof_h_still(begin, expected);
}

/* Returns the local work when the strand that is measured began.  */
uint64_t __cilkprof_o_short_work_before(uint64_t begin, uint64_t before, uint64_t local_work) {
  return __cilkprof_h_work_before(begin, before, local_work);
}

/* Returns the local work of a function without a frame.  */
uint64_t __cilkprof_o_short_work_so_far(uint64_t work, uint64_t local_work) {
  return __cilkprof_h_work_so_far(work, local_work);
}

/* Returns the local work with the cost of a strand that ends.  */
uint64_t __cilkprof_o_short_timed(uint64_t local_work, uint64_t begin, uint64_t before) {
  return __cilkprof_h_timed(local_work, begin, before);
}

/* Books a serial loop if it ran long, and returns the work since the last event.  */
uint64_t __cilkprof_o_short_serial_loop_over(uint64_t work, site_t *site, timing_point_t *point) {
  return __cilkprof_h_serial_loop_over(work, site, point);
}
