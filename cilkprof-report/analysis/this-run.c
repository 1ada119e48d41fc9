/* The speedup of a profiled run on several workers, beside the bounds for as many.
   SPDX-License-Identifier: GPL-3.0-or-later

   The elapsed time is that of the run with its events, and so is the work: what events take is in the former only.  So
   the program itself may be faster than this, but not slower.  */

#include <math.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

static const double NEAR = 1.1; /* ratio by which events and the end of the run may make it miss the bound */

/* Returns the speedup of the very runs of MODEL: their work divided by their elapsed time.  NaN if they were serial, or
   if instructions were counted.  */
double speedup_of_this_run(const struct model *model) {
  double elapsed = (double)model->usages.workers.elapsed_ns * 1e-9, work = model_work_seconds(model);
  return model->usages.workers.workers > 0 && elapsed > 0 && work > 0 ? work / elapsed : NAN;
}

/* Adds a finding to VERDICT that compares the speedup of a profiled run on several workers with the bounds.  */
void judge_this_run(struct verdict *verdict) {
  uint64_t workers = verdict->model->usages.workers.workers;
  double speedup = speedup_of_this_run(verdict->model);
  if (workers < 2 || isnan(speedup) || reason_for_no_speedup_bounds(verdict->model) != NULL)
    return;
  double lower = speedup_lower_bound(&verdict->limits, (double)workers),
         upper = speedup_upper_bound(&verdict->limits, (double)workers);
  bool slow = speedup * NEAR < lower;
  add_finding(verdict, FINDING_THIS_RUN, slow ? TONE_NOTICE : TONE_GOOD,
              format_string("%.2f on %s workers, its work divided by its elapsed time; work and span allow %.2f to "
                            "%.2f.%s",
                            speedup, model_grouped_number(workers).text, lower, upper,
                            slow ? "  The rest of the time went to events of the profiler, to other programs, or to "
                                   "workers that waited: cilkprof scale measures the program without events."
                                 : ""));
}
