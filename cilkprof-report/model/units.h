/* Numbers with their units.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_UNITS_H
#define CILKPROF_REPORT_UNITS_H

#include "cilkprof-report/model/model.h"

/* Converts all times of a profile to a unit of which UNITS_PER_SECOND make a second: runs calibrate theirs anew.  */
void convert_units(struct cilkprof_profile *profile, uint64_t units_per_second);

/* The unit of a column: a value of the profile times FACTOR is in it.  */
struct unit {
  double factor;
  const char *name;     /* "seconds", "ms", "Minstr", ... */
  const char *per_call; /* "s/call", "ms/call", "Mi/call", ... */
};

/* The unit in which VALUE has one to three digits before the point; seconds where it would have more.  */
struct unit unit_for(const struct model *model, double value);
/* The unit for columns of two decimals that all lie below the program's work.  */
struct unit unit_for_table(const struct model *model);

/* A value of the profile as a few digits and its own unit, with GAP between them: "141.9ms", "408.2M".  */
struct quantity {
  char text[32];
};
struct quantity quantity(const struct model *model, double value, int digits, const char *gap);

/* What the program takes on one processor; 0: not known, where instructions were counted.  */
double model_work_seconds(const struct model *model);

/* With commas between the thousands.  */
struct quantity grouped(uint64_t value);

/* What the name of COUNT things ends in.  */
const char *plural(uint64_t count);

/* WORK / SPAN, or "-" where there is no span.  */
struct quantity parallelism(uint64_t work, uint64_t span);

/* PART / WHOLE in percent; 0 of nothing.  */
double percent(uint64_t part, uint64_t whole);

#endif
