/* The largest loss of a parallel run in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_HEADLINE_H
#define CILKPROF_REPORT_HEADLINE_H

#include "cilkprof-report/analysis/causes.h"

/* Returns sentences that name the largest loss of the parallel run and its place, or that there are too few samples to
   say; NULL if little was lost.  CAUSES are those of MODEL.  Allocated.  */
char *waste_headline(const struct model *model, const struct causes *causes);

/* Returns the name of the code to blame, with its source location if that is known.  Allocated.  */
char *headline_culprit_text(const struct function *function);

#endif
