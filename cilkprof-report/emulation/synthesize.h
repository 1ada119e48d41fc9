/* Synthetic programs, which run a tree in parallel with delays instead of work, and their running times on this
   machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYNTHESIZE_H
#define CILKPROF_REPORT_SYNTHESIZE_H

#include "cilkprof-report/emulation/forecasts.h"

double *measure_synthetic_programs(const struct forecasts *forecasts, const struct options *options, double *share);

/* A synthetic program that got a smaller part of a processor took too long.  */
#define ENOUGH_SHARE 0.9
double synthesized_speedup(const struct forecasts *forecasts, const double *seconds, size_t schedule,
                           size_t processors);

#endif
