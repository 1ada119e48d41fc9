/* The runtime of OpenMP that another one stood in for while samples were taken.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_STAND_IN_H
#define CILKPROF_REPORT_STAND_IN_H

#include "cilkprof-report/samples/samples.h"

/* Returns which runtime of OpenMP ran the samples of MODEL, which is known, and what it cost if it stood in for another
   one.  Allocated.  */
char *headline_runtime_text(const struct model *model);

/* Returns what to say in the place of advice if trials show that the sampled run of MODEL took much longer because
   another runtime took the place of the program's own; otherwise NULL.  Allocated.  */
char *headline_stand_in_text(const struct model *model);

/* Returns a remark on losses inside of the runtime, "" if it was the program's own, or trials show that it was not much
   slower.  Allocated.  */
char *headline_stand_in_remark(const struct model *model);

#endif
