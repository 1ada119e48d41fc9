/* Findings about the reliability of times: compares the work with the time of the whole run and of runs without
   instrumentation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

enum {
  MUCH_PROBING = 20,   /* percent of the run: the times may be inaccurate */
  MOST_PROBING = 50,   /* percent of the run: the times are not reliable */
  MUCH_SYSTEM = 10,    /* percent of the work */
  LARGE_DIFFERENCE = 4 /* a correction by more than 1 / LARGE_DIFFERENCE is worth a finding */
};
#define SHORT_SYSTEM 0.02 /* seconds: the system measures system time in ticks of up to 10 ms */
#define SAME         1e-3 /* relative difference of equal times, due to rounding to units */

/* Returns whether the profile begins with the start of the program.  Otherwise the rest of the run is unknown code, not
   overhead.  */
static bool is_whole(const struct model *model) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->kind == CILKPROF_SITE_OUTSIDE && is_start(site->callee) && site->measured->on_work.local.count > 0)
      return true;
  }
  return false;
}

struct timing timing_of(const struct model *model) {
  const struct cilkprof_usage_record *record = &model->usages.sum;
  struct timing timing = {.kind = TIMING_UNKNOWN, .scale = 1};
  if (!model->usages.known || model->run.units_per_second == 0 || model->totals.work == 0)
    return timing;
  double work = (double)model->totals.work / (double)model->run.units_per_second;
  timing.measured = (double)model->totals.work / (double)record->units_per_second;
  timing.reference = (double)record->reference.cpu_ns * 1e-9;
  timing.run = (double)record->run.cpu_ns * 1e-9;
  timing.scale = work / timing.measured;
  timing.probes = timing.run > 0 ? 100 * (1 - work / timing.run) : 0;
  if (record->reference_runs > 0)
    timing.kind = fabs(work - timing.reference) < SAME * timing.reference ? TIMING_CHECKED : TIMING_CONTRARY;
  else if (is_whole(model) && !(model->program.flags & CILKPROF_INCOMPLETE))
    timing.kind = TIMING_UNCHECKED;
  const struct cilkprof_usage *used = timing.kind == TIMING_CHECKED ? &record->reference : &record->run;
  timing.system = (double)used->system_ns * 1e-9;
  timing.system_share = 100 * timing.system / work;
  timing.faults = sum_of(used->minor_faults, used->major_faults);
  return timing;
}

bool is_system_bound(const struct timing *timing) {
  return timing->system_share > MUCH_SYSTEM && timing->system > SHORT_SYSTEM;
}

/* Formats VALUE, which is in seconds.  */
static struct quantity seconds(const struct model *model, double value) {
  return quantity(model, value * (double)model->run.units_per_second, 3, " ");
}

char *timing_text(const struct model *model, const struct timing *timing) {
  uint64_t runs = model->usages.sum.reference_runs;
  struct quantity number = grouped(runs);
  const char *which = runs == 1 ? "a" : number.text;
  switch (timing->kind) {
  case TIMING_UNKNOWN:
    return NULL;
  case TIMING_CHECKED:
    return format_string("checked by %s reference run%s (measured %s, scaled by %.2f)", which, plural(runs),
                         seconds(model, timing->measured).text, timing->scale);
  case TIMING_CONTRARY:
    return format_string("unchecked; %s reference run%s took %s, which cannot be the same", which, plural(runs),
                         seconds(model, timing->reference).text);
  case TIMING_UNCHECKED:
    break;
  }
  if (timing->probes < -MUCH_PROBING)
    return format_string("unchecked; more was measured than the run took: cilkprof-run checks it");
  if (timing->probes > MUCH_PROBING)
    return format_string("unchecked; probes took %.0f%% of the run: cilkprof-run checks it", timing->probes);
  return format_string("probes took %.0f%% of the run", timing->probes > 0 ? timing->probes : 0);
}

char *system_text(const struct model *model, const struct timing *timing) {
  if (!is_system_bound(timing))
    return NULL;
  return format_string("%s, %.0f%% of the work, with %s page fault%s", seconds(model, timing->system).text,
                       timing->system_share, grouped(timing->faults).text, plural(timing->faults));
}

/* Reports a large correction of the times.  */
static void judge_checked(struct verdict *verdict, const struct timing *timing) {
  if (fabs(timing->scale - 1) * LARGE_DIFFERENCE <= 1)
    return;
  add_finding(verdict, TONE_NOTICE, "Scaled time",
              format_string("%s was measured and takes %s without probes: all times are scaled by %.2f, and what is "
                            "called often and briefly may weigh too much or too little.  Compare its share with that "
                            "in a profile of -fcilkprof=count.",
                            seconds(verdict->model, timing->measured).text,
                            seconds(verdict->model, timing->reference).text, timing->scale));
}

void judge_timing(struct verdict *verdict) {
  struct timing timing = timing_of(verdict->model);
  verdict->system_bound = is_system_bound(&timing);
  if (timing.kind == TIMING_CHECKED)
    judge_checked(verdict, &timing);
  if (timing.kind == TIMING_CONTRARY)
    add_finding(verdict, TONE_BAD, "Unchecked time",
                format_string("the reference took %s, and the profiled run %s in all: they did not do the same.  Give "
                              "both the same input and files, and run it again.",
                              seconds(verdict->model, timing.reference).text,
                              seconds(verdict->model, timing.run).text));
  if (timing.kind == TIMING_UNCHECKED && (timing.probes > MOST_PROBING || timing.probes < -MOST_PROBING))
    add_finding(verdict, TONE_BAD, "Unchecked time",
                format_string("%s, so that times may be far off.  Run the program by cilkprof-run, which checks them "
                              "by a run without probes.",
                              timing.probes < 0 ? "more was measured than the run took"
                                                : format_string("probes took %.0f%% of the run", timing.probes)));
  if (verdict->system_bound)
    add_finding(verdict, TONE_NOTICE, "System time",
                format_string("%s of the work, %.0f%%, is spent in the system, with %s page fault%s: memory that is "
                              "touched for the first time, or input and output.  Allocate once and reuse memory; "
                              "another grain size does not change it.",
                              seconds(verdict->model, timing.system).text, timing.system_share,
                              grouped(timing.faults).text, plural(timing.faults)));
}
