/* The timer, and what strands cost.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CLOCK_H
#define CILKPROF_CLOCK_H

#include "libcilkprof/engine/profiled_thread.h"

/* clock.c */
HIDDEN void __cilkprof_clock_start(void);
HIDDEN uint64_t __cilkprof_now_ns(void);
/* What happens between the two is not the program's.  The second returns how long it took, in ticks.  */
struct cilkprof_pause {
  uint64_t ticks, cpu_ns;
};
HIDDEN void __cilkprof_clock_pause(struct cilkprof_pause *pause);
HIDDEN uint64_t __cilkprof_clock_continue(const struct cilkprof_pause *pause);
HIDDEN uint64_t __cilkprof_units_per_second(void);
HIDDEN uint64_t __cilkprof_ticks_to_units(uint64_t ticks);
HIDDEN uint64_t __cilkprof_look(void);                  /* at the CPU time; returns the timer */
HIDDEN uint64_t __cilkprof_time(uint64_t begin);        /* hybrid mode: what was timed since then, in units of work */
HIDDEN uint64_t __cilkprof_own_ticks(void);             /* the timer without the time that others had */
HIDDEN void __cilkprof_not_this_strand(uint64_t units); /* hybrid mode: of what it will have taken in the end */
HIDDEN void __cilkprof_forget_others(void);             /* a strand begins to be timed: they were another's */

/* place.c */
HIDDEN void __cilkprof_places_start(void);
/* Hybrid mode: what a strand is worth that took so many units, if it is long enough for that to be known.  */
HIDDEN uint64_t __cilkprof_timed(uint64_t units);
HIDDEN void __cilkprof_timed_start(uint64_t scale);
HIDDEN uint64_t __cilkprof_timed_units(uint64_t *as_timed); /* of all of them; and without the scale */

#endif
