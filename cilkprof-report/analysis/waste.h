/* Judges a scope by its idleness and overhead: Table 1 of the PPoPP 2009 paper (libcilkprof/README.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WASTE_H
#define CILKPROF_REPORT_WASTE_H

#include "cilkprof-report/samples/samples.h"

struct judgement {
  bool idle, overhead, waiting; /* which of these is a large part of the effort */
  const char *brief;            /* for a table */
  const char *advice;           /* a sentence */
};

struct judgement judge_waste(const struct waste *waste);

/* Returns the processor time that was available during the run: elapsed time times processors.  */
uint64_t waste_judgement_available_time(const struct samples *samples);
/* Returns the part of that time in which threads of the program neither ran nor lacked work: they were blocked in the
   system, or other processes had the processors.  */
uint64_t waste_judgement_absent_time(const struct samples *samples);

#endif
