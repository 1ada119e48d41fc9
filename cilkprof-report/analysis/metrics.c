/* The metrics that rules of a gate can refer to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/support.h"

/* Values of a function, a line, a region or the whole program, from which metrics are computed.  */
struct subject {
  const struct model *model;
  const struct options *options;
  struct cilkprof_measure measure;
  uint64_t calls, own_span;
  struct waste waste;
};

/* Returns PART / WHOLE for a metric of a gate, or 0 if WHOLE is 0.  */
static double gate_metric_ratio(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

/* Returns VALUE, a cost of SUBJECT in units of the profile, in seconds or instructions per run.  */
static double gate_metric_cost(const struct subject *subject, uint64_t value) {
  uint64_t units_per_second = subject->model->run.units_per_second;
  double mean = (double)value / (double)subject->model->run_count;
  return units_per_second > 0 ? mean / (double)units_per_second : mean;
}

/* The metrics themselves.  */

/* Metric "work" of a gate: returns the work of SUBJECT in seconds or instructions per run.  */
static double gate_metric_work(const struct subject *subject) {
  return gate_metric_cost(subject, subject->measure.work);
}
/* Metric "span" of a gate: returns the span of SUBJECT in seconds or instructions per run.  */
static double gate_metric_span(const struct subject *subject) {
  return gate_metric_cost(subject, subject->measure.span);
}
/* Metric "burdened_span" of a gate: returns the burdened span of SUBJECT in seconds or instructions per run.  */
static double gate_metric_burdened_span(const struct subject *subject) {
  return gate_metric_cost(subject, subject->measure.burdened_span);
}
/* Metric "parallelism" of a gate: returns work / span of SUBJECT, or 0 if there is no span.  */
static double gate_metric_parallelism(const struct subject *subject) {
  return gate_metric_ratio(subject->measure.work, subject->measure.span);
}
/* Metric "burdened_parallelism" of a gate: returns work / burdened span of SUBJECT, or 0 if there is no span.  */
static double gate_metric_burdened_parallelism(const struct subject *subject) {
  return gate_metric_ratio(subject->measure.work, subject->measure.burdened_span);
}
/* Metric "span_share" of a gate: returns the own span of SUBJECT, without callees, in percent of the whole.  */
static double gate_metric_span_share(const struct subject *subject) {
  return model_percent_of_whole(subject->own_span, subject->model->totals.span);
}
/* Metric "calls" of a gate: returns the number of calls of SUBJECT per run.  */
static double gate_metric_calls(const struct subject *subject) {
  return (double)subject->calls / (double)subject->model->run_count;
}
/* Metric "spawns" of a gate: returns the number of spawns of the whole program per run.  */
static double gate_metric_spawns(const struct subject *subject) {
  return (double)subject->model->totals.spawns / (double)subject->model->run_count;
}
/* Metric "speedup" of a gate: returns the upper bound of the speedup of the whole program on the processors of the
   options.  Fails if nothing was measured.  */
static double gate_metric_speedup(const struct subject *subject) {
  if (subject->model->totals.span == 0)
    fail("speedup", "the profile contains no work");
  const struct speedup_limits limits = speedup_bounds_of_model(subject->model);
  return speedup_upper_bound(&limits, subject->options->processors);
}
/* Metric "expected_speedup" of a gate: returns the speedup of the whole program that an emulation gives on the
   processors of the options.  Fails if there is no tree to emulate, or it deadlocks.  */
static double gate_metric_expected_speedup(const struct subject *subject) {
  check_analysed_model_tree(subject->model, "expected_speedup");
  double speedup = expected_speedup(subject->model, subject->options);
  if (isnan(speedup))
    fail("expected_speedup", "no emulation finishes on %u processors; see --emulate", subject->options->processors);
  return speedup;
}
/* Returns the time of KIND in percent of all processor time of SUBJECT in the samples of a parallel run.  */
static double gate_metric_waste(const struct subject *subject, enum waste_kind kind) {
  return model_percent_of_whole(subject->waste.of[kind], sample_waste_effort(&subject->waste));
}
/* Metric "idleness" of a gate: returns the idleness of SUBJECT in percent of its effort.  */
static double gate_metric_idleness(const struct subject *subject) {
  return gate_metric_waste(subject, WASTE_IDLENESS);
}
/* Metric "overhead" of a gate: returns the overhead of SUBJECT in percent of its effort.  */
static double gate_metric_overhead(const struct subject *subject) {
  return gate_metric_waste(subject, WASTE_OVERHEAD);
}
/* Metric "waiting" of a gate: returns the time in which SUBJECT waited for locks in percent of its effort.  */
static double gate_metric_waiting(const struct subject *subject) {
  return gate_metric_waste(subject, WASTE_WAITING);
}

enum unit_kind { PLAIN, COST, PERCENT };
enum meaning { ANYWHERE, ONLY_WHOLE, ONLY_PLACES }; /* for what a metric is defined */

static const struct metric {
  const char *name;
  double (*value)(const struct subject *subject);
  enum unit_kind unit;
  enum meaning meaning;
  enum gate_data data;
} metrics[] = {
    {"parallelism", gate_metric_parallelism, PLAIN, ANYWHERE, GATE_COSTS},
    {"burdened_parallelism", gate_metric_burdened_parallelism, PLAIN, ANYWHERE, GATE_COSTS},
    {"work", gate_metric_work, COST, ANYWHERE, GATE_COSTS},
    {"span", gate_metric_span, COST, ANYWHERE, GATE_COSTS},
    {"burdened_span", gate_metric_burdened_span, COST, ANYWHERE, GATE_COSTS},
    {"span_share", gate_metric_span_share, PERCENT, ONLY_PLACES, GATE_COSTS},
    {"calls", gate_metric_calls, PLAIN, ONLY_PLACES, GATE_COSTS},
    {"spawns", gate_metric_spawns, PLAIN, ONLY_WHOLE, GATE_COSTS},
    {"speedup", gate_metric_speedup, PLAIN, ONLY_WHOLE, GATE_COSTS},
    {"expected_speedup", gate_metric_expected_speedup, PLAIN, ONLY_WHOLE, GATE_COSTS},
    {"idleness", gate_metric_idleness, PERCENT, ANYWHERE, GATE_SAMPLES},
    {"overhead", gate_metric_overhead, PERCENT, ANYWHERE, GATE_SAMPLES},
    {"waiting", gate_metric_waiting, PERCENT, ANYWHERE, GATE_SAMPLES},
};

/* Returns the metric called NAME that the rules of a gate can refer to, or NULL.  */
const struct metric *find_gate_metric(const char *name) {
  for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
    if (strcmp(metrics[i].name, name) == 0)
      return &metrics[i];
  return NULL;
}

/* Returns the names of all metrics of gates for a message: "a, b or c".  The text is allocated.  */
char *gate_metric_names(void) {
  char *names = format_string("%s", metrics[0].name);
  size_t count = sizeof metrics / sizeof *metrics;
  for (size_t i = 1; i < count; i++) {
    char *before = names;
    names = format_string("%s%s%s", before, i + 1 < count ? ", " : " or ", metrics[i].name);
    free(before);
  }
  return names;
}

/* Returns what METRIC of a gate is about: work and span, or samples.  */
enum gate_data gate_metric_data(const struct metric *metric) {
  return metric->data;
}

/* Fills in SUBJECT, of which a gate checks a metric of samples, with those of the function PLACE, or of the whole run
   if that is NULL.  Fails if there are no samples of it.  */
static void measure_gate_samples(struct subject *subject, const char *metric, const char *place) {
  const struct samples *samples = subject->model->samples;
  if (samples == NULL)
    fail(metric, "there are no samples of a parallel run; add those of cilkprof waste");
  subject->waste = samples->total;
  if (place == NULL)
    return;
  struct symspec spec = symspec_parse(place);
  if (spec.line > 0)
    fail(place, "samples are known for functions and the whole program only");
  bool found = false;
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sample_function *of = samples->by_waste[i];
    if (of->function->file != NULL || !model_function_matches_symspec(&spec, of->function))
      continue;
    if (found)
      fail(place, "several functions have that name; use FILE:FUNCTION");
    found = true;
    subject->waste = of->all;
  }
  if (!found)
    fail(place, "there are no samples of such a function");
}

/* Fills in SUBJECT, of which a gate checks a metric, with the calls of the line in SPEC.  Fails if the program makes
   none at PLACE.  */
static void measure_gate_line(struct subject *subject, const struct symspec *spec, const char *place) {
  const struct model *model = subject->model;
  const struct site **sites = allocate(model->site_count, sizeof *sites);
  size_t count = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].line == spec->line &&
        (spec->file == NULL || path_ends_in_file(model->sites[i].file, spec->file)))
      sites[count++] = &model->sites[i];
  if (count == 0)
    fail(place, "the program makes no calls there");
  struct nesting nesting = make_model_nesting(model);
  struct annotation line = model_annotate_sites(&nesting, sites, count);
  subject->measure = line.on_work;
  subject->calls = line.calls;
  subject->own_span = line.local_span;
  free_model_nesting(&nesting);
  free(sites);
}

/* Fills in SUBJECT, of which a gate checks a metric, with the values of the function in SPEC.  Fails if there is none
   or several match; PLACE is its name in the message.  */
static void measure_gate_function(struct subject *subject, const struct symspec *spec, const char *place) {
  bool found = false;
  for (size_t i = 0; i < subject->model->functions.count; i++) {
    const struct function *function = subject->model->functions.list[i];
    if (function->merged || function->file != NULL || !model_function_matches_symspec(spec, function))
      continue; /* a loop has the symbol of the enclosing function; users name it by its line */
    if (found)
      fail(place, "several functions have that name; use FILE:FUNCTION or FILE:LINE");
    found = true;
    subject->measure = model_function_measure(function);
    subject->calls = model_saturating_sum(function->calls, function->own_calls);
    subject->own_span = function->self_on_span;
  }
  if (!found)
    fail(place, "the program has no such function");
}

/* Fills in SUBJECT, of which a gate checks a metric, with the values of the region LABEL.  Fails if there is none.  */
static void measure_gate_region(struct subject *subject, const char *label) {
  const struct cilkprof_region *region = find_model_region(&subject->model->regions, label);
  if (region == NULL)
    fail(label, "the program has no such region");
  subject->measure = region->total;
  subject->calls = region->total.count;
  subject->own_span = region->total.span;
}

double gate_metric_value(const struct metric *metric, const struct model *model, const char *place,
                         const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  struct subject subject = {
      .model = model, .options = options, .measure = {1, totals->work, totals->span, totals->burdened_span}};
  if (place == NULL && metric->meaning == ONLY_PLACES)
    fail(metric->name, "it needs a place: %s(FUNCTION) or %s(FILE:LINE)", metric->name, metric->name);
  if (place != NULL && metric->meaning == ONLY_WHOLE)
    fail(metric->name, "it is known for the whole program only");
  static const char region[] = "region ";
  if (metric->data == GATE_SAMPLES)
    measure_gate_samples(&subject, metric->name, place);
  else if (place != NULL && strncmp(place, region, sizeof region - 1) == 0)
    measure_gate_region(&subject, place + sizeof region - 1);
  else if (place != NULL) {
    struct symspec spec = symspec_parse(place);
    if (spec.line > 0)
      measure_gate_line(&subject, &spec, place);
    else
      measure_gate_function(&subject, &spec, place);
  }
  return metric->value(&subject);
}

static const struct unit_name {
  const char *name;
  double size;
} times[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}},
  counts[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

/* Converts VALUE, from the rule of a gate, from UNIT to the base unit of UNITS.  Fails if UNIT is not among them;
   WANTED names them.  */
static double convert_gate_unit(const struct unit_name *units, size_t count, double value, const char *unit,
                                const char *wanted) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(units[i].name, unit) == 0) {
      if (!isfinite(value * units[i].size))
        fail("--gate", "%g%s is too large", value, unit);
      return value * units[i].size;
    }
  fail("--gate", "%g%s: the unit must be %s", value, unit, wanted);
}

/* Converts VALUE from the UNIT that the rule of a gate gives to the unit of gate_metric_value.  Fails if METRIC has no
   such UNIT.  */
double convert_to_gate_metric_unit(const struct metric *metric, const struct model *model, double value,
                                   const char *unit) {
  if (metric->unit == COST && model->run.units_per_second > 0)
    return convert_gate_unit(times, sizeof times / sizeof *times, value, unit,
                             "s, ms, us or ns, because strands were timed");
  if (metric->unit == COST)
    return convert_gate_unit(counts, sizeof counts / sizeof *counts, value, unit,
                             "none, k, M, G or T, because instructions were counted");
  if (unit[0] != 0 && !(metric->unit == PERCENT && strcmp(unit, "%") == 0))
    fail(unit, "%s has no such unit", metric->name);
  return value;
}

/* Returns VALUE of METRIC with its unit, for the message that the rule of a gate is broken.  The text is allocated.  */
char *gate_metric_text(const struct metric *metric, const struct model *model, double value) {
  double units = model->run.units_per_second > 0 ? value * (double)model->run.units_per_second : value;
  if (metric->unit == COST && model->run.units_per_second == 0)
    return format_string("%s", model_grouped_number((uint64_t)value).text);
  if (metric->unit == COST)
    return format_string("%s", model_quantity(model, units, 5, " ").text);
  return format_string(metric->unit == PERCENT ? "%.2f%%" : value == (double)(uint64_t)value ? "%.0f" : "%.4g", value);
}
