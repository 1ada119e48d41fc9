/* Overheads of runtime systems on a machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OVERHEADS_H
#define CILKPROF_REPORT_OVERHEADS_H

#include "cilkprof-report/emulation/emulation.h"
#include "cilkprof-report/emulation/memory.h"

/* An overhead that users can set by name.  */
struct overhead_name {
  const char *name, *meaning;
  size_t offset;  /* in struct overheads */
  double typical; /* nanoseconds, if it was not measured */
};
enum { OVERHEADS = 9 };
extern const struct overhead_name overhead_names[OVERHEADS];
double *emulated_overhead_by_index(struct overheads *overheads, size_t i);

enum overheads_source { OVERHEADS_TYPICAL, OVERHEADS_MEASURED };

enum overheads_source read_emulated_overheads(struct overheads *overheads);
char *emulated_overheads_path(void);
void parse_emulated_overheads(struct overheads *overheads, struct memory_machine *memory, const char *text);
struct overheads emulated_overheads_in_units(const struct overheads *overheads, double units_per_second);

#endif
