/* What idleness and overhead say of a scope: Table 1 of the paper.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WASTE_H
#define CILKPROF_REPORT_WASTE_H

#include "cilkprof-report/samples/samples.h"

struct judgement {
  bool idle, overhead, waiting; /* much of the effort is that */
  const char *brief;            /* for a table */
  const char *advice;           /* a sentence */
};

struct judgement judge(const struct waste *waste);

/* What the processors had in the time of the run; and what of that no thread of the program used, nor lacked work for:
   they were blocked in the system, or others had the processors.  */
uint64_t waste_processors(const struct samples *samples);
uint64_t waste_neither(const struct samples *samples);

#endif
