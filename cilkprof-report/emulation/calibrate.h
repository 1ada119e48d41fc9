/* Measures the overheads of runtime systems on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CALIBRATE_H
#define CILKPROF_REPORT_CALIBRATE_H

#include <stdio.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/emulation/outside.h"

/* Measures the overheads and the memory of this machine, prints them, and writes them to the file of overheads_path.
   Fails if there is no compiler.  */
void calibrate(FILE *out);
/* calibrate-cilk.c: returns a line with name and nanoseconds for each overhead of Cilk that could be measured; nothing
   if Cilk is not installed.  */
char *measure_cilk(const struct outside *outside);

/* memory-calibrate.c: returns the measured parameters of memory.  If they cannot be measured, returns none, and *SAID
   tells why.  */
struct memory_machine measure_memory(const struct outside *outside, char **said);
void print_memory(FILE *out, const struct memory_machine *machine);

#endif
