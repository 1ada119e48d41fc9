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

/* What n processors had in ELAPSED and no thread of the program used for work, overhead or waiting, nor lacked work
   for: blocked in the system, or taken by others.  */
uint64_t waste_neither(const struct samples *samples);

#endif
