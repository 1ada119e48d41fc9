/* How sure the times of a profile are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TIMING_H
#define CILKPROF_REPORT_TIMING_H

#include "cilkprof-report/model/model.h"

struct timing {
  enum {
    TIMING_UNKNOWN,   /* instructions are counted, or nothing is known of what the run took as a whole */
    TIMING_UNCHECKED, /* PROBES says how much of the run was not the program's */
    TIMING_CHECKED,   /* the work is what the reference runs took */
    TIMING_CONTRARY   /* there was a reference, and it cannot be the same program */
  } kind;
  double measured, reference, run; /* seconds: the work as it was measured, the reference, all of the run */
  double scale;                    /* what all times were multiplied by */
  double probes;                   /* percent of the run; negative: more was measured than the run took */
  double system, system_share;     /* seconds in the system, and in percent of the work */
  uint64_t faults;                 /* page faults */
};
struct timing timing_of(const struct model *model);

/* Much of the work is the system's: another grain does not change that.  */
bool is_system_bound(const struct timing *timing);

/* In a few words, for the summary; allocated.  NULL: there is nothing to say.  */
char *timing_text(const struct model *model, const struct timing *timing);
char *system_text(const struct model *model, const struct timing *timing);

#endif
