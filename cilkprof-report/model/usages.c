/* Processor time and page faults of several runs, and their workers.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sum is known only if all its parts are.  */

#include "cilkprof-report/model/usages.h"
#include "cilkprof-report/model/model.h"

/* Adds the processor times and page faults of USAGE to SUM.  */
static void add_model_usage_values(struct cilkprof_usage *sum, const struct cilkprof_usage *usage) {
  model_add_saturating(&sum->cpu_ns, usage->cpu_ns);
  model_add_saturating(&sum->system_ns, usage->system_ns);
  model_add_saturating(&sum->minor_faults, usage->minor_faults);
  model_add_saturating(&sum->major_faults, usage->major_faults);
}

/* Returns the units per second with which WORK + OTHER_WORK takes as long as WORK in its UNIT and OTHER_WORK in
   OTHER_UNIT, both in units per second, take together.  */
static uint64_t common_model_usage_unit(uint64_t work, uint64_t unit, uint64_t other_work, uint64_t other_unit) {
  double seconds = (double)work / (double)unit + (double)other_work / (double)other_unit;
  double common = seconds > 0 ? ((double)work + (double)other_work) / seconds : 0;
  return common >= 1 && common < 0x1p63 ? (uint64_t)common : unit;
}

/* Adds WORKERS, how a run on several workers went, to SUM, of the runs before it; FIRST says that there are none.  A
   serial run has no workers, and neither has a sum with one.  */
static void add_model_workers(struct cilkprof_workers *sum, const struct cilkprof_workers *workers, bool first) {
  if (first || workers->workers == 0)
    *sum = *workers;
  if (first || sum->workers == 0)
    return;
  if (workers->workers > sum->workers)
    sum->workers = workers->workers;
  model_add_saturating(&sum->elapsed_ns, workers->elapsed_ns);
  model_add_saturating(&sum->deferred, workers->deferred);
  model_add_saturating(&sum->stolen, workers->stolen);
}

/* Adds the usage of the run of PROFILE, its processor time and page faults, to USAGES.  WORK is the work of the runs
   before it, in the same unit as that of PROFILE.  FIRST says that there are none before it.  */
void add_model_usage(struct usages *usages, uint64_t work, const struct cilkprof_profile *profile, bool first) {
  struct cilkprof_usage_record *sum = &usages->sum;
  const struct cilkprof_usage_record *record = &profile->usage;
  add_model_workers(&usages->workers, &profile->workers, first);
  if (first)
    *usages = (struct usages){*record, usages->workers, profile->has_usage};
  usages->known = usages->known && profile->has_usage;
  if (first || !usages->known)
    return;
  add_model_usage_values(&sum->run, &record->run);
  model_add_saturating(&sum->delayed_ns, record->delayed_ns);
  model_add_saturating(&sum->blocked_ns, record->blocked_ns);
  sum->units_per_second =
      common_model_usage_unit(work, sum->units_per_second, profile->totals.work, record->units_per_second);
  if (sum->reference_runs > 0 && record->reference_runs > 0) {
    model_add_saturating(&sum->reference_runs, record->reference_runs);
    add_model_usage_values(&sum->reference, &record->reference);
  } else {
    sum->reference_runs = 0;
    sum->reference = (struct cilkprof_usage){0};
  }
}
