/* How reliable the times of a profile are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TIMING_H
#define CILKPROF_REPORT_TIMING_H

#include "cilkprof-report/model/model.h"

struct timing {
  enum {
    TIMING_UNKNOWN,   /* instructions are counted, or the time of the whole run is unknown */
    TIMING_UNCHECKED, /* there was no reference run; PROBES is the overhead */
    TIMING_CHECKED,   /* the work is scaled to the time of the reference runs */
    TIMING_CONTRARY   /* the reference runs did something else */
  } kind;
  double measured, reference, run; /* seconds: work as measured, reference runs, whole profiled run */
  double scale;                    /* factor by which all times were multiplied */
  double probes;                   /* overhead in percent of the run; negative: more was measured than the run took */
  double system, system_share;     /* system time in seconds, and in percent of the work */
  uint64_t faults;                 /* page faults */
};
/* Compares the work of MODEL with the time of the whole run and of reference runs.  */
struct timing timing_reliability(const struct model *model);

/* Returns whether the system time is more than PERCENT of the work, and long enough to be measured.  */
bool is_timing_system_above(const struct timing *timing, double percent);
/* Returns whether much of the work is system time, which another grain size does not change.  */
bool is_timing_system_bound(const struct timing *timing);

/* Returns whether the run of MODEL had no processor, and did not want one, for most of the elapsed time.  */
bool is_timed_run_mostly_waiting(const struct model *model);

/* Describe the reliability of the times and the system time in a few words, for the summary.  Return NULL if there is
   nothing to say.  The text is allocated.  */
char *timing_reliability_text(const struct model *model, const struct timing *timing);
char *timing_system_text(const struct model *model, const struct timing *timing);

#endif
