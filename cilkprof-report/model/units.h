/* Formatting of numbers with units.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_UNITS_H
#define CILKPROF_REPORT_UNITS_H

#include "cilkprof-report/model/model.h"

/* Converts all times of PROFILE to units of 1 / UNITS_PER_SECOND, because each run calibrates its own unit.  */
void convert_model_profile_units(struct cilkprof_profile *profile, uint64_t units_per_second);

/* The unit of a column.  Values of the profile are multiplied by FACTOR.  */
struct unit {
  double factor;
  const char *name;     /* "seconds", "ms", "Minstr", ... */
  const char *per_call; /* "s/call", "ms/call", "Mi/call", ... */
};

/* Returns the unit in which VALUE has one to three digits before the decimal point, or seconds if it is larger.  */
struct unit model_unit_for_value(const struct model *model, double value);
/* Returns the unit for columns with two decimals whose values are at most the work of the program.  */
struct unit model_unit_for_table(const struct model *model);

/* Formats a VALUE of the profile with DIGITS significant digits and a suitable unit, with GAP between them: "141.9ms",
   "408.2M".  */
struct quantity {
  char text[32];
};
struct quantity model_quantity(const struct model *model, double value, int digits, const char *gap);
/* Formats nanoseconds in the same way.  */
struct quantity model_quantity_ns(double value, int digits, const char *gap);

/* Returns the running time of the program on one processor in seconds, or 0 if it is unknown because instructions were
   counted.  */
double model_work_seconds(const struct model *model);

/* Formats VALUE with thousands separators.  */
struct quantity model_grouped_number(uint64_t value);

/* Returns the plural ending of a noun that is counted by COUNT.  */
const char *model_plural_ending(uint64_t count);

/* Formats WORK / SPAN, or "-" if there is no span.  */
struct quantity model_parallelism_text(uint64_t work, uint64_t span);

/* Returns PART / WHOLE in percent, or 0 if WHOLE is 0.  */
double model_percent_of_whole(uint64_t part, uint64_t whole);

#endif
