/* Measuring what runtime systems cost on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CALIBRATE_H
#define CILKPROF_REPORT_CALIBRATE_H

#include <stdio.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/emulation/outside.h"

/* Measures, prints the costs and writes them to the file of overheads.h.  Fails when there is no compiler.  */
void calibrate(FILE *out);
/* calibrate-cilk.c: lines of names and nanoseconds, of what there is to measure; none where Cilk is not here.  */
char *measure_cilk(const struct outside *outside);

/* memory-calibrate.c: what is known of memory then; nothing when it could not be measured, and *SAID is why.  */
struct memory_machine measure_memory(const struct outside *outside, char **said);
void print_memory(FILE *out, const struct memory_machine *machine);

#endif
