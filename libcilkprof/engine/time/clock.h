/* The timer, and the cost of strands.
   SPDX-License-Identifier: MIT

   In clock mode a unit of work is a tick of the timer; in hybrid mode it is an instruction.  A "look" reads the
   thread's CPU time, to find out for how long other threads had the processor.  */

#ifndef CILKPROF_CLOCK_H
#define CILKPROF_CLOCK_H

#include "libcilkprof/engine/profiled_thread.h"

/* clock.c */
HIDDEN void __cilkprof_clock_start(void);
HIDDEN uint64_t __cilkprof_now_ns(void); /* returns the monotonic time */

/* Pause and continue enclose work of the engine that must not count as the program's.  __cilkprof_clock_continue
   returns how many ticks it took.  */
struct cilkprof_pause {
  uint64_t ticks, cpu_ns;
};
HIDDEN void __cilkprof_clock_pause(struct cilkprof_pause *pause);
HIDDEN uint64_t __cilkprof_clock_continue(const struct cilkprof_pause *pause);

HIDDEN uint64_t __cilkprof_units_per_second(void); /* 0 in count mode */
HIDDEN uint64_t __cilkprof_ticks_to_units(uint64_t ticks);

HIDDEN uint64_t __cilkprof_look(void);

HIDDEN uint64_t __cilkprof_clock_strand_cost(uint64_t begin);

HIDDEN uint64_t __cilkprof_own_ticks(void);

HIDDEN void __cilkprof_not_this_strand(uint64_t units);

HIDDEN void __cilkprof_clock_forget_others(void);

/* Takes the time since the handler of a sample began, at SINCE, at the CPU time CPU_NS, off the strand that it
   interrupted.  */
HIDDEN void __cilkprof_clock_sampled(uint64_t since, uint64_t cpu_ns);

/* host.c */
HIDDEN void __cilkprof_host_start(void);
HIDDEN uint64_t __cilkprof_host_took(uint64_t ticks);
HIDDEN uint64_t __cilkprof_host_took_in_all(void);

HIDDEN uint64_t __cilkprof_timer_frequency(void); /* frequency.c */

/* timing_point.c */
HIDDEN void __cilkprof_timing_points_start(void);
/* Returns whether the strands that were timed at POINT are known to be short: some are not timed any more.  */
static inline int is_timing_point_short(const timing_point_t *point) {
  return point->skip != 0;
}
/* Makes the next strands at POINT be timed: one was unexpectedly long.  */
HIDDEN void __cilkprof_watch_point(timing_point_t *point);

/* Sets the strand that POINT times aside, as it has reached code of the program, and returns what it took so far; goes
   on with the strand, which took UNITS so far.  */
HIDDEN uint64_t __cilkprof_timing_point_pause(timing_point_t *point);
HIDDEN void __cilkprof_timing_point_resume(timing_point_t *point, uint64_t units);

/* Hybrid mode: returns the cost of a strand that was timed at UNITS.  Long strands are scaled and summed.  */
HIDDEN uint64_t __cilkprof_timed(uint64_t units);

/* Sets the scale of long strands, in 1/CILKPROF_TIMED_SCALE.  */
HIDDEN void __cilkprof_timed_start(uint64_t scale);

/* Returns the cost of all long strands; stores what they took without the scale to AS_TIMED.  */
HIDDEN uint64_t __cilkprof_timed_units(uint64_t *as_timed);

#endif
