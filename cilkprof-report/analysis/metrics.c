/* The metrics that rules of a gate can refer to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Values of a function, a line, a region or the whole program, from which metrics are computed.  */
struct subject {
  const struct model *model;
  struct cilkprof_measure measure;
  uint64_t calls, own_span;
};

static double ratio(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

/* Returns a cost in seconds or instructions per run.  */
static double cost(const struct subject *subject, uint64_t value) {
  uint64_t units_per_second = subject->model->run.units_per_second;
  double mean = (double)value / (double)subject->model->run_count;
  return units_per_second > 0 ? mean / (double)units_per_second : mean;
}

/* The metrics themselves.  */

static double work(const struct subject *subject) {
  return cost(subject, subject->measure.work);
}
static double span(const struct subject *subject) {
  return cost(subject, subject->measure.span);
}
static double burdened_span(const struct subject *subject) {
  return cost(subject, subject->measure.burdened_span);
}
static double plain_parallelism(const struct subject *subject) {
  return ratio(subject->measure.work, subject->measure.span);
}
static double burdened_parallelism(const struct subject *subject) {
  return ratio(subject->measure.work, subject->measure.burdened_span);
}
static double span_share(const struct subject *subject) {
  return percent(subject->own_span, subject->model->totals.span);
}
static double calls(const struct subject *subject) {
  return (double)subject->calls / (double)subject->model->run_count;
}
static double spawns(const struct subject *subject) {
  return (double)subject->model->totals.spawns / (double)subject->model->run_count;
}

enum unit_kind { PLAIN, COST, PERCENT };
enum meaning { ANYWHERE, ONLY_WHOLE, ONLY_PLACES }; /* for what a metric is defined */

static const struct metric {
  const char *name;
  double (*value)(const struct subject *subject);
  enum unit_kind unit;
  enum meaning meaning;
} metrics[] = {
    {"parallelism", plain_parallelism, PLAIN, ANYWHERE},
    {"burdened_parallelism", burdened_parallelism, PLAIN, ANYWHERE},
    {"work", work, COST, ANYWHERE},
    {"span", span, COST, ANYWHERE},
    {"burdened_span", burdened_span, COST, ANYWHERE},
    {"span_share", span_share, PERCENT, ONLY_PLACES},
    {"calls", calls, PLAIN, ONLY_PLACES},
    {"spawns", spawns, PLAIN, ONLY_WHOLE},
};

const struct metric *metric_find(const char *name) {
  for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
    if (strcmp(metrics[i].name, name) == 0)
      return &metrics[i];
  return NULL;
}

/* Fills in SUBJECT with the calls of a line.  */
static void find_line(struct subject *subject, const struct symspec *spec, const char *place) {
  const struct model *model = subject->model;
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].line == spec->line && (spec->file == NULL || is_file(model->sites[i].file, spec->file)))
      sites[count++] = &model->sites[i];
  if (count == 0)
    fail(place, "the program makes no calls there");
  struct nesting nesting = nesting_make(model);
  struct annotation line = annotation_of(&nesting, sites, count);
  subject->measure = line.on_work;
  subject->calls = line.calls;
  subject->own_span = line.local_span;
  nesting_free(&nesting);
  free(sites);
}

/* Fills in SUBJECT with the values of a function.  */
static void find_function(struct subject *subject, const struct symspec *spec, const char *place) {
  bool found = false;
  for (size_t i = 0; i < subject->model->functions.count; i++) {
    const struct function *function = subject->model->functions.list[i];
    if (function->merged || function->file != NULL || !symspec_matches(spec, function))
      continue; /* a loop has the symbol of the enclosing function; users name it by its line */
    if (found)
      fail(place, "several functions are called so; use FILE:FUNCTION or FILE:LINE");
    found = true;
    subject->measure = function_measure(function);
    subject->calls = sum_of(function->calls, function->own_calls);
    subject->own_span = function->self_on_span;
  }
  if (!found)
    fail(place, "the program has no such function");
}

static void find_region(struct subject *subject, const char *label) {
  const struct cilkprof_region *region = region_find(&subject->model->regions, label);
  if (region == NULL)
    fail(label, "the program has no such region");
  subject->measure = region->total;
  subject->calls = region->total.count;
  subject->own_span = region->total.span;
}

double metric_value(const struct metric *metric, const struct model *model, const char *place) {
  const struct cilkprof_totals *totals = &model->totals;
  struct subject subject = {.model = model, .measure = {1, totals->work, totals->span, totals->burdened_span}};
  if (place == NULL && metric->meaning == ONLY_PLACES)
    fail(metric->name, "it needs a place: %s(FUNCTION) or %s(FILE:LINE)", metric->name, metric->name);
  if (place != NULL && metric->meaning == ONLY_WHOLE)
    fail(metric->name, "it is only known of the whole program");
  static const char region[] = "region ";
  if (place != NULL && strncmp(place, region, sizeof region - 1) == 0)
    find_region(&subject, place + sizeof region - 1);
  else if (place != NULL) {
    struct symspec spec = symspec_parse(place);
    if (spec.line > 0)
      find_line(&subject, &spec, place);
    else
      find_function(&subject, &spec, place);
  }
  return metric->value(&subject);
}

static const struct unit_name {
  const char *name;
  double size;
} times[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}},
  counts[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

/* Converts VALUE from UNIT to the base unit of UNITS.  Fails if UNIT is not among them; WANTED names them.  */
static double convert(const struct unit_name *units, size_t count, double value, const char *unit, const char *wanted) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(units[i].name, unit) == 0) {
      if (!isfinite(value * units[i].size))
        fail("--gate", "%g%s is too large", value, unit);
      return value * units[i].size;
    }
  fail(unit[0] != 0 ? unit : "a number without unit", "the unit of the rule must be %s", wanted);
}

double metric_convert(const struct metric *metric, const struct model *model, double value, const char *unit) {
  if (metric->unit == COST && model->run.units_per_second > 0)
    return convert(times, sizeof times / sizeof *times, value, unit, "s, ms, us or ns, because strands were timed");
  if (metric->unit == COST)
    return convert(counts, sizeof counts / sizeof *counts, value, unit,
                   "none, k, M, G or T, because instructions were counted");
  if (unit[0] != 0 && !(metric->unit == PERCENT && strcmp(unit, "%") == 0))
    fail(unit, "%s has no such unit", metric->name);
  return value;
}

char *metric_text(const struct metric *metric, const struct model *model, double value) {
  double units = model->run.units_per_second > 0 ? value * (double)model->run.units_per_second : value;
  if (metric->unit == COST && model->run.units_per_second == 0)
    return format_string("%s", grouped((uint64_t)value).text);
  if (metric->unit == COST)
    return format_string("%s", quantity(model, units, 5, " ").text);
  return format_string(metric->unit == PERCENT ? "%.2f%%" : value == (double)(uint64_t)value ? "%.0f" : "%.4g", value);
}
