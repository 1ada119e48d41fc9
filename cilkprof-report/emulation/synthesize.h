/* Synthetic programs, which run a tree in parallel with delays instead of work, and their running times on this
   machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYNTHESIZE_H
#define CILKPROF_REPORT_SYNTHESIZE_H

#include "cilkprof-report/emulation/forecasts.h"

/* Returns the running times in seconds, in the order of FORECASTS, in an allocated array.  A time below 0 was not
   measured, because this machine has fewer processors, or no runtime system for that schedule.  *SHARE becomes the
   smallest part of a processor that one of the programs got while other processes had the rest.  Fails if there is no
   compiler.  */
double *measure_synthetic_programs(const struct forecasts *forecasts, const struct options *options, double *share);

/* A synthetic program that got a smaller part of a processor took too long.  */
#define ENOUGH_SHARE 0.9
/* Returns the speedup of such a time over the work of the tree; 0: it was not measured.  */
double synthesized_speedup(const struct forecasts *forecasts, const double *seconds, size_t schedule,
                           size_t processors);

#endif
