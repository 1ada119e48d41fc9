/* The code to name for each cause of lost time in a parallel run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CULPRITS_H
#define CILKPROF_REPORT_CULPRITS_H

#include "cilkprof-report/analysis/causes.h"

/* Lost time of each cause, by culprit.  */
struct culprits {
  const struct samples *samples;
  bool *spawns; /* for each context: whether it spawns another one */
  double *lost[CAUSES];
};

/* Begins with no lost time; add_culprit adds some to the culprit for CONTEXT, and finish_culprits stores the culprit
   that lost most by each cause in LARGEST.  */
struct culprits begin_culprits(const struct samples *samples);
void add_culprit(struct culprits *culprits, enum cause cause, uint32_t context, double lost, bool idle);
void finish_culprits(struct culprits *culprits, struct culprit *largest);
/* Returns the culprit for idleness in CONTEXT.  */
struct culprit culprit_of_idleness(const struct culprits *culprits, uint32_t context);

#endif
