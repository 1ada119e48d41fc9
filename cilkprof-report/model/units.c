/* Formatting of numbers with units.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/numbers.h"

/* A unit of time or of instruction counts.  */
struct scale {
  double size; /* in seconds, or in instructions */
  const char *name, *per_call, *suffix;
};

static const struct scale times[] = {
    {1, "seconds", "s/call", "s"},
    {1e-3, "ms", "ms/call", "ms"},
    {1e-6, "us", "us/call", "us"},
    {1e-9, "ns", "ns/call", "ns"},
};

static const struct scale instructions[] = {
    {1e12, "Tinstr", "Ti/call", "T"}, {1e9, "Ginstr", "Gi/call", "G"}, {1e6, "Minstr", "Mi/call", "M"},
    {1e3, "kinstr", "ki/call", "k"},  {1, "instr", "i/call", ""},
};

/* Returns the factor from units of the profile to seconds or instructions.  */
static double model_unit_base_factor(uint64_t units_per_second) {
  return units_per_second > 0 ? 1.0 / (double)units_per_second : 1;
}

/* Returns the largest scale, of seconds or instructions, in which VALUE is at least 1, or else the smallest.  */
static const struct scale *model_unit_scale_for(uint64_t units_per_second, double value) {
  bool timed = units_per_second > 0;
  const struct scale *scale = timed ? times : instructions;
  const struct scale *last =
      timed ? &times[sizeof times / sizeof *times - 1] : &instructions[sizeof instructions / sizeof *instructions - 1];
  value *= model_unit_base_factor(units_per_second);
  while (scale < last && value < scale->size)
    scale++;
  return scale;
}

/* Returns the unit of a column whose values are shown in SCALE and measured in units of 1 / UNITS_PER_SECOND, or in
   instructions if that is 0.  */
static struct unit model_unit_of_scale(uint64_t units_per_second, const struct scale *scale) {
  return (struct unit){model_unit_base_factor(units_per_second) / scale->size, scale->name, scale->per_call};
}

/* Returns the unit for columns with two decimals whose values are at most the work of the program.  If the work is at
   least one second, the unit is seconds, as in gprof.  Otherwise the work has at least two digits before the decimal
   point, for the sake of small values in the table.  */
struct unit model_unit_for_table(const struct model *model) {
  double work = (double)model->totals.work;
  uint64_t units_per_second = model->run.units_per_second;
  bool seconds = units_per_second > 0 && work * model_unit_base_factor(units_per_second) >= 1;
  return model_unit_of_scale(units_per_second, model_unit_scale_for(units_per_second, seconds ? work : work / 10));
}

struct unit model_unit_for_value(const struct model *model, double value) {
  uint64_t units_per_second = model->run.units_per_second;
  return model_unit_of_scale(units_per_second, model_unit_scale_for(units_per_second, value));
}

/* Formats VALUE with DIGITS significant digits and a suitable unit, with GAP between them.  VALUE is in units of 1 /
   UNITS_PER_SECOND, or in instructions if that is 0.  */
static struct quantity model_quantity_in_units(uint64_t units_per_second, double value, int digits, const char *gap) {
  const struct scale *scale = model_unit_scale_for(units_per_second, value);
  struct quantity result;
  double scaled = value * model_unit_base_factor(units_per_second) / scale->size;
  int decimals = digits - (scaled >= 100 ? 3 : scaled >= 10 ? 2 : 1);
  if (value <= 0)
    return (struct quantity){"0"};
  if (scale->suffix[0] == 0) /* whole instructions have no fractions */
    decimals = 0;
  char number[NUMBER_ROOM];
  size_t length = format_fixed(number, decimals > 0 ? decimals : 0, scaled), most = sizeof result.text - 4;
  char *end = mempcpy(result.text, number, length < most ? length : most);
  stpcpy(stpcpy(end, gap), scale->suffix);
  return result;
}

/* Formats VALUE, a work or span of MODEL, with DIGITS significant digits and a suitable unit, with GAP between them:
   "141.9ms", "408.2M".  */
struct quantity model_quantity(const struct model *model, double value, int digits, const char *gap) {
  return model_quantity_in_units(model->run.units_per_second, value, digits, gap);
}

/* Formats VALUE, in nanoseconds, with DIGITS significant digits and a suitable unit, with GAP between them:
   "141.9ms".  */
struct quantity model_quantity_ns(double value, int digits, const char *gap) {
  return model_quantity_in_units(1000000000, value, digits, gap);
}

/* Formats VALUE with commas between groups of three digits: "1,234,567".  */
struct quantity model_grouped_number(uint64_t value) {
  char digits[24];
  struct quantity result;
  int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  char *to = result.text;
  *to++ = digits[0];
  for (int i = 1; i < length; i++) {
    if ((length - i) % 3 == 0)
      *to++ = ',';
    *to++ = digits[i];
  }
  *to = 0;
  return result;
}

/* Returns the plural ending of a noun that is counted by COUNT: "s", or "" if COUNT is 1.  */
const char *model_plural_ending(uint64_t count) {
  return count == 1 ? "" : "s";
}
_Static_assert(sizeof(struct quantity) >= sizeof "18,446,744,073,709,551,615", "every 64-bit value fits");

/* Formats WORK / SPAN with at most two decimals, or "-" if SPAN is 0.  */
struct quantity model_parallelism_text(uint64_t work, uint64_t span) {
  struct quantity result = {"-"};
  double ratio = (double)work / (double)span;
  char number[NUMBER_ROOM]; /* at most 2^64 */
  if (span > 0)
    *(char *)mempcpy(result.text, number, format_fixed(number, ratio < 100 ? 2 : ratio < 10000 ? 1 : 0, ratio)) = 0;
  return result;
}

double model_percent_of_whole(uint64_t part, uint64_t whole) {
  return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Returns VALUE * TO / FROM: VALUE in units of 1 / TO seconds, where it was in units of 1 / FROM seconds.
   Saturates.  */
static uint64_t convert_model_value(uint64_t value, uint64_t to, uint64_t from) {
  unsigned __int128 product = (unsigned __int128)value * to / from;
  return product >> 64 != 0 ? model_saturating_sum(UINT64_MAX, 1) : (uint64_t)product;
}

/* Converts the times in MEASURE from units of 1 / FROM seconds to units of 1 / TO seconds.  */
static void convert_model_measure(struct cilkprof_measure *measure, uint64_t to, uint64_t from) {
  measure->work = convert_model_value(measure->work, to, from);
  measure->span = convert_model_value(measure->span, to, from);
  measure->burdened_span = convert_model_value(measure->burdened_span, to, from);
}

/* Converts the times in all MEASURES of a call site from units of 1 / FROM seconds to units of 1 / TO seconds.  */
static void convert_model_measures(struct cilkprof_measures *measures, uint64_t to, uint64_t from) {
  convert_model_measure(&measures->top_call_site, to, from);
  convert_model_measure(&measures->top_caller, to, from);
  convert_model_measure(&measures->local, to, from);
}

/* Converts the times of LOOP from units of 1 / FROM seconds to units of 1 / TO seconds.  */
static void convert_model_loop(struct cilkprof_loop *loop, uint64_t to, uint64_t from) {
  loop->work = convert_model_value(loop->work, to, from);
  for (int i = 0; i < CILKPROF_SHARES; i++) {
    loop->longest[i] = convert_model_value(loop->longest[i], to, from);
    loop->more[i] = convert_model_value(loop->more[i], to, from);
  }
}

/* Converts all times of PROFILE to units of 1 / UNITS_PER_SECOND seconds, because each run calibrates its own unit.
   Counts of instructions are not changed.  */
void convert_model_profile_units(struct cilkprof_profile *profile, uint64_t units_per_second) {
  uint64_t from = profile->run.units_per_second;
  if (from == units_per_second || from == 0)
    return;
  profile->totals.work = convert_model_value(profile->totals.work, units_per_second, from);
  profile->totals.span = convert_model_value(profile->totals.span, units_per_second, from);
  profile->totals.burdened_span = convert_model_value(profile->totals.burdened_span, units_per_second, from);
  for (size_t i = 0; i < profile->site_count; i++) {
    convert_model_measures(&profile->sites[i].on_work, units_per_second, from);
    convert_model_measures(&profile->sites[i].on_span, units_per_second, from);
  }
  for (size_t i = 0; i < profile->loop_count; i++)
    convert_model_loop(&profile->loops[i], units_per_second, from);
  for (size_t i = 0; i < profile->estimate_count; i++)
    profile->estimates[i].error = convert_model_value(profile->estimates[i].error, units_per_second, from);
  for (size_t i = 0; i < profile->context_count; i++) {
    convert_model_measure(&profile->contexts[i].on_work, units_per_second, from);
    convert_model_measure(&profile->contexts[i].on_span, units_per_second, from);
  }
  for (size_t i = 0; i < profile->region_count; i++)
    convert_model_measure(&profile->regions[i].total, units_per_second, from);
  convert_model_measure(&profile->own, units_per_second, from);
  profile->outside = convert_model_value(profile->outside, units_per_second, from);
  profile->run.preempted_units = convert_model_value(profile->run.preempted_units, units_per_second, from);
  profile->run.units_per_second = units_per_second;
  uint64_t measured = convert_model_value(profile->usage.units_per_second, units_per_second, from);
  profile->usage.units_per_second = measured > 0 ? measured : 1;
}

double model_work_seconds(const struct model *model) {
  double units = (double)model->run.units_per_second * (double)model->run_count;
  return units > 0 ? (double)model->totals.work / units : 0;
}
