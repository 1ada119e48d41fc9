/* What runtime systems cost on a machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OVERHEADS_H
#define CILKPROF_REPORT_OVERHEADS_H

#include "cilkprof-report/emulation/emulation.h"
#include "cilkprof-report/emulation/memory.h"

/* By name, in nanoseconds.  */
struct overhead_name {
  const char *name, *meaning;
  size_t offset;  /* in struct overheads */
  double typical; /* where nothing was measured */
};
enum { OVERHEADS = 9 };
extern const struct overhead_name overhead_names[OVERHEADS];
double *overhead_place(struct overheads *overheads, size_t i);

/* Where they come from.  */
enum overheads_source { OVERHEADS_TYPICAL, OVERHEADS_MEASURED };

/* In nanoseconds: those of the file that --calibrate wrote, or typical ones.  */
enum overheads_source overheads_read(struct overheads *overheads);
/* The name of that file; NULL when there is no folder for it.  Allocated.  */
char *overheads_path(void);
/* Changes some: "fork=900,lock=40,psi2=linear:1.5:2000".  Fails when the text is something else.  */
void overheads_parse(struct overheads *overheads, struct memory_machine *memory, const char *text);
/* From nanoseconds to units, of which so many are a second; 0: they are instructions.  */
struct overheads overheads_in_units(const struct overheads *overheads, double units_per_second);

#endif
