/* Programs that do in parallel what a tree says, with delays in the place of work; and how long they take here.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYNTHESIZE_H
#define CILKPROF_REPORT_SYNTHESIZE_H

#include "cilkprof-report/emulation/forecasts.h"

/* The seconds of schedule S on the processors number P, in the order of the forecasts; below 0: they were not measured,
   because this machine has fewer, or nothing runs that schedule.  Allocated.  *SHARE is the least part of a processor
   that one of these programs had: others had the rest.  Fails when there is no compiler.  */
double *synthesize(const struct forecasts *forecasts, const struct options *options, double *share);
/* How many times as fast that is as the tree on one processor; 0: it was not measured.  */
double synthesized_speedup(const struct forecasts *forecasts, const double *seconds, size_t schedule,
                           size_t processors);

#endif
