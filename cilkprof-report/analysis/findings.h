/* How the rules of the verdict add to it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FINDINGS_H
#define CILKPROF_REPORT_FINDINGS_H

#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/verdict.h"

/* TEXT belongs to the verdict from then on.  */
void add_finding(struct verdict *verdict, enum tone tone, const char *subject, char *text);

static inline double ratio(uint64_t work, uint64_t span) {
  return span > 0 ? (double)work / (double)span : 0;
}

/* timing.c: whether the times can be believed.  */
void judge_timing(struct verdict *verdict);

/* grain.c: whether the pieces of work, and all of it, are large enough.  */
void judge_length(struct verdict *verdict);
void judge_grain(struct verdict *verdict);
void judge_strands(struct verdict *verdict);
bool is_grain_too_fine(const struct verdict *verdict);
/* With the cost of moving work, a call of that WORK could still be made twice as fast or more.  */
bool is_worth_dividing(const struct model *model, double work);
/* LOOP, which is on the span, would not gain from smaller pieces.  */
bool is_fine_loop(const struct verdict *verdict, const struct site *loop);

/* measured.c: what was measured on several processors.  */
void judge_trials(struct verdict *verdict);

/* next-findings.c: what will hold the span when that is mended which does.  */
void judge_next(struct verdict *verdict);

/* bottleneck-findings.c: what holds the span, and whether it is serial.  */
void judge_bottlenecks(struct verdict *verdict);

#endif
