/* Measures the overheads of runtime systems on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CALIBRATE_H
#define CILKPROF_REPORT_CALIBRATE_H

#include <stdio.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/emulation/outside.h"

void calibrate_emulated_overheads(FILE *out, bool force);
/* calibrate-cilk.c */
char *calibrate_cilk_overheads(const struct outside *outside);

/* memory-calibrate.c */
struct memory_machine calibrate_memory_contention(const struct outside *outside, char **said);
void print_memory_calibration(FILE *out, const struct memory_machine *machine);

#endif
