/* Bounds of the speedup.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BOUNDS_H
#define CILKPROF_REPORT_BOUNDS_H

#include "cilkprof-report/model/model.h"

/* Everything that is known to limit the speedup.  The arrays are for 2, 4, ... 128 processors.  */
struct speedup_limits {
  struct cilkprof_totals totals;
  double locked, longest_lock;  /* what is done under locks, under all of them and under the longest one */
  double more[CILKPROF_SHARES]; /* what static schedules add to the span */
  double idle[CILKPROF_SHARES]; /* by how much the longest shares of static schedules exceed equal ones */
  double making;                /* what it costs to make tasks of OpenMP and to hand out chunks of its loops */
  double shared;                /* the part of the span in loops with static schedules and serial iterations */
  unsigned most;                /* processors for which they hold: as many as a watched program had threads */
};

/* Returns the limits of the whole program, or those that follow from TOTALS alone.  */
struct speedup_limits speedup_bounds_of_model(const struct model *model);
struct speedup_limits speedup_bounds_of_totals(const struct cilkprof_totals *totals);

/* Returns why MODEL has no bounds of the speedup, in some words; NULL if it has.  The program spawns nothing, or it
   mostly waited, of which work and span say nothing.  */
const char *reason_for_no_speedup_bounds(const struct model *model);

/* Returns whether the pieces of LOOP, which is at SITE, have nearly no parallelism of their own.  */
bool are_loop_pieces_serial_for_bounds(const struct cilkprof_loop *loop, const struct cilkprof_site *site);

/* Returns the span on so many PROCESSORS: the longest path, where static schedules divide loops among these.  */
double speedup_bound_span(const struct speedup_limits *limits, double processors);

/* Bounds of the speedup on P PROCESSORS.  The lower one is what a greedy scheduler reaches, with a burden: work / (work
   / P + 1.7 burdened span).  Locks and static schedules add to this time what they let processors wait; a loop of
   which all shares are known adds nothing else.  Making tasks of OpenMP, and handing out chunks, is added as if one
   processor did it at a time, as libraries take a lock for it.  The upper one is the
   smallest of P, work / span on P processors, and work / the time under any lock.  */
double speedup_lower_bound(const struct speedup_limits *limits, double processors);
double speedup_upper_bound(const struct speedup_limits *limits, double processors);

/* this-run.c: returns the speedup of the very runs that were profiled, on several workers: their work divided by their
   elapsed time.  NaN if they were serial, or if instructions were counted.  */
double speedup_of_this_run(const struct model *model);

/* Returns by how much the longest shares of static schedules exceed equal ones on so many PROCESSORS.  */
double speedup_idle_time(const struct speedup_limits *limits, double processors);

/* Returns whether the bounds on so many PROCESSORS are not exact.  The shares of static schedules are measured for 2,
   4, ... 128 threads; for other numbers they are interpolated, which matters if they let processors wait for 1% of the
   time or more.  */
bool is_speedup_bound_interpolated(const struct speedup_limits *limits, unsigned processors);

/* Returns what the upper bound would be if so much of the SPAN were not on the critical path.  */
double speedup_upper_bound_without(const struct speedup_limits *limits, double processors, double span);

/* Returns the speedup that is expected on so many PROCESSORS where an emulation that knows nothing of locks and static
   schedules has the speedup EMULATED.  It lies between the bounds.  */
double speedup_between_bounds(const struct speedup_limits *limits, double processors, double emulated);

#endif
