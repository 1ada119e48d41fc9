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
static double base_factor(uint64_t units_per_second) {
  return units_per_second > 0 ? 1.0 / (double)units_per_second : 1;
}

/* Returns the largest scale in which VALUE is at least 1, or else the smallest.  */
static const struct scale *scale_for(uint64_t units_per_second, double value) {
  bool timed = units_per_second > 0;
  const struct scale *scale = timed ? times : instructions;
  const struct scale *last =
      timed ? &times[sizeof times / sizeof *times - 1] : &instructions[sizeof instructions / sizeof *instructions - 1];
  value *= base_factor(units_per_second);
  while (scale < last && value < scale->size)
    scale++;
  return scale;
}

static struct unit unit_of(uint64_t units_per_second, const struct scale *scale) {
  return (struct unit){base_factor(units_per_second) / scale->size, scale->name, scale->per_call};
}

/* If the work is at least one second, the unit is seconds, as in gprof.  Otherwise the work has at least two digits
   before the decimal point, for the sake of small values in the table.  */
struct unit unit_for_table(const struct model *model) {
  double work = (double)model->totals.work;
  uint64_t units_per_second = model->run.units_per_second;
  bool seconds = units_per_second > 0 && work * base_factor(units_per_second) >= 1;
  return unit_of(units_per_second, scale_for(units_per_second, seconds ? work : work / 10));
}

struct unit unit_for(const struct model *model, double value) {
  uint64_t units_per_second = model->run.units_per_second;
  return unit_of(units_per_second, scale_for(units_per_second, value));
}

/* Formats VALUE as quantity does, in units of 1 / UNITS_PER_SECOND, or in instructions if that is 0.  */
static struct quantity quantity_in(uint64_t units_per_second, double value, int digits, const char *gap) {
  const struct scale *scale = scale_for(units_per_second, value);
  struct quantity result;
  double scaled = value * base_factor(units_per_second) / scale->size;
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

struct quantity quantity(const struct model *model, double value, int digits, const char *gap) {
  return quantity_in(model->run.units_per_second, value, digits, gap);
}

struct quantity quantity_ns(double value, int digits, const char *gap) {
  return quantity_in(1000000000, value, digits, gap);
}

struct quantity grouped(uint64_t value) {
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

const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}
_Static_assert(sizeof(struct quantity) >= sizeof "18,446,744,073,709,551,615", "every 64-bit value fits");

struct quantity parallelism(uint64_t work, uint64_t span) {
  struct quantity result = {"-"};
  double ratio = (double)work / (double)span;
  char number[NUMBER_ROOM]; /* at most 2^64 */
  if (span > 0)
    *(char *)mempcpy(result.text, number, format_fixed(number, ratio < 100 ? 2 : ratio < 10000 ? 1 : 0, ratio)) = 0;
  return result;
}

double percent(uint64_t part, uint64_t whole) {
  return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Returns VALUE * TO / FROM, saturated.  */
static uint64_t converted(uint64_t value, uint64_t to, uint64_t from) {
  unsigned __int128 product = (unsigned __int128)value * to / from;
  return product >> 64 != 0 ? sum_of(UINT64_MAX, 1) : (uint64_t)product;
}

static void convert_measure(struct cilkprof_measure *measure, uint64_t to, uint64_t from) {
  measure->work = converted(measure->work, to, from);
  measure->span = converted(measure->span, to, from);
  measure->burdened_span = converted(measure->burdened_span, to, from);
}

static void convert_measures(struct cilkprof_measures *measures, uint64_t to, uint64_t from) {
  convert_measure(&measures->top_call_site, to, from);
  convert_measure(&measures->top_caller, to, from);
  convert_measure(&measures->local, to, from);
}

void convert_units(struct cilkprof_profile *profile, uint64_t units_per_second) {
  uint64_t from = profile->run.units_per_second;
  if (from == units_per_second || from == 0)
    return;
  profile->totals.work = converted(profile->totals.work, units_per_second, from);
  profile->totals.span = converted(profile->totals.span, units_per_second, from);
  profile->totals.burdened_span = converted(profile->totals.burdened_span, units_per_second, from);
  for (size_t i = 0; i < profile->site_count; i++) {
    convert_measures(&profile->sites[i].on_work, units_per_second, from);
    convert_measures(&profile->sites[i].on_span, units_per_second, from);
  }
  for (size_t i = 0; i < profile->context_count; i++) {
    convert_measure(&profile->contexts[i].on_work, units_per_second, from);
    convert_measure(&profile->contexts[i].on_span, units_per_second, from);
  }
  for (size_t i = 0; i < profile->region_count; i++)
    convert_measure(&profile->regions[i].total, units_per_second, from);
  convert_measure(&profile->own, units_per_second, from);
  profile->outside = converted(profile->outside, units_per_second, from);
  profile->run.preempted_units = converted(profile->run.preempted_units, units_per_second, from);
  profile->run.units_per_second = units_per_second;
  uint64_t measured = converted(profile->usage.units_per_second, units_per_second, from);
  profile->usage.units_per_second = measured > 0 ? measured : 1;
}

double model_work_seconds(const struct model *model) {
  double units = (double)model->run.units_per_second * (double)model->run_count;
  return units > 0 ? (double)model->totals.work / units : 0;
}
