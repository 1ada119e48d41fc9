/* Processor time and page faults of several runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sum is known only if all its parts are.  */

#include "cilkprof-report/model/usages.h"
#include "cilkprof-report/model/model.h"

static void add_usage(struct cilkprof_usage *sum, const struct cilkprof_usage *usage) {
  add_saturating(&sum->cpu_ns, usage->cpu_ns);
  add_saturating(&sum->system_ns, usage->system_ns);
  add_saturating(&sum->minor_faults, usage->minor_faults);
  add_saturating(&sum->major_faults, usage->major_faults);
}

/* Returns the units per second with which the sum of both works takes as long as the two together.  */
static uint64_t common_unit(uint64_t work, uint64_t unit, uint64_t other_work, uint64_t other_unit) {
  double seconds = (double)work / (double)unit + (double)other_work / (double)other_unit;
  double common = seconds > 0 ? ((double)work + (double)other_work) / seconds : 0;
  return common >= 1 && common < 0x1p63 ? (uint64_t)common : unit;
}

void usages_add(struct usages *usages, uint64_t work, const struct cilkprof_profile *profile, bool first) {
  struct cilkprof_usage_record *sum = &usages->sum;
  const struct cilkprof_usage_record *record = &profile->usage;
  if (first)
    *usages = (struct usages){*record, profile->has_usage};
  usages->known = usages->known && profile->has_usage;
  if (first || !usages->known)
    return;
  add_usage(&sum->run, &record->run);
  sum->units_per_second = common_unit(work, sum->units_per_second, profile->totals.work, record->units_per_second);
  if (sum->reference_runs > 0 && record->reference_runs > 0) {
    add_saturating(&sum->reference_runs, record->reference_runs);
    add_usage(&sum->reference, &record->reference);
  } else {
    sum->reference_runs = 0;
    sum->reference = (struct cilkprof_usage){0};
  }
}
