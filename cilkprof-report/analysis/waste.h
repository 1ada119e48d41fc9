/* Judges a scope by its idleness and overhead: Table 1 of the PPoPP 2009 paper (libcilkprof/README.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WASTE_H
#define CILKPROF_REPORT_WASTE_H

#include "cilkprof-report/samples/samples.h"

struct judgement {
  bool idle, overhead, waiting; /* which of these is a large part of the effort */
  const char *code;             /* for other programs; it never changes */
  const char *brief;            /* for a table */
  const char *advice;           /* a sentence */
};

struct judgement judge_waste(const struct waste *waste, uint64_t samples);

/* Returns whether the runs SEVERAL and ONE had the same input, as far as that is known, so that they can be
   compared.  */
bool are_judged_runs_alike(const struct samples *several, const struct samples *one);

bool are_samples_too_few_to_judge(const struct samples *samples);
double judged_waste_share_error(const struct samples *samples);

uint64_t judged_waste_available_time(const struct samples *samples);
uint64_t judged_waste_absent_time(const struct samples *samples);

/* How that part divides, in nanoseconds of the processors.  */
struct absence {
  bool known;         /* the system provides it */
  uint64_t blocked;   /* code that had work slept, or waited for input, output or other processes */
  uint64_t preempted; /* code that had work was ready, and other programs had the processors */
};
struct absence divide_judged_absent_time(const struct samples *samples);

#endif
