/* How the rules of the verdict add to it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FINDINGS_H
#define CILKPROF_REPORT_FINDINGS_H

#include "cilkprof-report/analysis/verdict.h"

/* TEXT belongs to the verdict from then on.  */
void add_finding(struct verdict *verdict, enum tone tone, const char *subject, char *text);

/* holders.c: which call sites hold the span, and whether they are serial.  */
void judge_holders(struct verdict *verdict);

#endif
