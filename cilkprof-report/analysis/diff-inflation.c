/* Work inflation, by a profile of a run on one worker and one of a run on several.
   SPDX-License-Identifier: GPL-3.0-or-later

   Both do the same, so code whose own work grew took longer because others ran at the same time, or because it was
   compiled differently.  What is small may be chance: with several runs of both, Welch's test tells; with one run, a
   part of the code must have grown by a twentieth.  */

#include "cilkprof-report/analysis/diff.h"

#define LEAST_OF_PROGRAM 0.01 /* growth of a call site's own work that counts, as a part of the program's work */
#define LEAST_OF_SITE    0.05 /* with one run only: as a part of the call site's */

double diff_growth(const struct diff *diff, const struct change *change, enum value value) {
  return diff_series_mean(&change->values[NEW][value], diff->runs[NEW].count) -
         diff_series_mean(&change->values[OLD][value], diff->runs[OLD].count);
}

/* Returns whether the own work of CHANGE, a call site in DIFF, grew by more than chance.  WORK is that of the old
   program.  */
static bool is_diff_site_inflated(const struct diff *diff, const struct change *change, double work) {
  const struct series *old = &change->values[OLD][OWN_WORK], *new = &change->values[NEW][OWN_WORK];
  double growth = diff_growth(diff, change, OWN_WORK);
  if (!change->present[OLD] || !change->present[NEW] || growth < LEAST_OF_PROGRAM * work)
    return false;
  return is_diff_of_several_runs(diff) ? !is_diff_noise(diff, old, new)
                                       : growth >= LEAST_OF_SITE * diff_series_mean(old, diff->runs[OLD].count);
}

struct diff_inflation find_diff_inflation(const struct diff *diff) {
  struct diff_inflation found = {0};
  const struct model *old = &diff->runs[OLD].models[0], *new = &diff->runs[NEW].models[0];
  double work = 0, most = 0;
  if (old->usages.workers.workers > 1 || new->usages.workers.workers < 2 || new->run.units_per_second <= 0)
    return found;
  for (size_t i = 0; i < diff->runs[OLD].count; i++)
    work += (double)diff->runs[OLD].models[i].totals.work / (double)diff->runs[OLD].count;
  found.workers = new->usages.workers.workers;
  for (size_t i = 0; i < diff->count && work > 0; i++) {
    double growth = diff_growth(diff, &diff->changes[i], OWN_WORK);
    if (!is_diff_site_inflated(diff, &diff->changes[i], work))
      continue;
    found.grown += growth / work;
    if (growth > most) {
      most = growth;
      found.most = &diff->changes[i];
    }
  }
  return found;
}
