/* What calls cost that are not followed: learnt from those that are timed.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CALL_COST_H
#define CILKPROF_CALL_COST_H

#include "libcilkprof/engine/engine.h"

struct call_cost {
  uint64_t time_after;   /* so many calls are not timed before the next one is */
  uint64_t units;        /* what a call costs that is not timed */
  uint64_t timed, total; /* the calls that were timed, and what they took: old ones count less */
  uint64_t timings;      /* all calls that were timed */
  uint64_t held;         /* as of a timing point */
  uint64_t counters;     /* what the counters of calls inside take, which is no work of the program */
};

/* Returns the timer where a call begins that is to be timed.  */
HIDDEN uint64_t __cilkprof_call_begin(void);

/* Returns what a call took that began when the timer was SINCE, in units of work, and learns from it.  */
HIDDEN uint64_t __cilkprof_call_end(struct call_cost *cost, uint64_t since);

/* Returns the units of work that a stretch of code must take at least so that its time is worth measuring; and those
   that one may take at most that is followed to learn from it, where it can be shorter.  */
HIDDEN uint64_t __cilkprof_short_stretch(void);
HIDDEN uint64_t __cilkprof_long_sample(void);

/* Returns a random number from LEAST to three times that, exclusively: twice as many on average.  */
HIDDEN uint64_t __cilkprof_random_around(uint64_t least);

#endif
