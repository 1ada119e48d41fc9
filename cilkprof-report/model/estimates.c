/* How sure the times of call sites are, added up over profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>
#include "cilkprof-report/model/estimates.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/model/sums.h"
#include "cilkprof-report/support/support.h"

/* Returns the place for the estimate of site number SITE, which is all zero at first.  */
static struct cilkprof_estimate *model_estimate_place(struct estimates *estimates, uint64_t site) {
  size_t before = estimates->count;
  while (estimates->count <= site)
    estimates->of_sites =
        grow_array(estimates->of_sites, estimates->count, &estimates->count, sizeof *estimates->of_sites);
  if (estimates->count > before)
    memset(estimates->of_sites + before, 0, (estimates->count - before) * sizeof *estimates->of_sites);
  return &estimates->of_sites[site];
}

/* Adds ESTIMATE to SUM.  Errors of different sites or runs do not depend on each other, so their squares add up.  */
static void add_model_estimate(struct cilkprof_estimate *sum, const struct cilkprof_estimate *estimate) {
  model_add_saturating(&sum->counted, estimate->counted);
  model_add_saturating(&sum->followed, estimate->followed);
  model_add_saturating(&sum->timed, estimate->timed);
  sum->error =
      (uint64_t)sqrt((double)sum->error * (double)sum->error + (double)estimate->error * (double)estimate->error);
}

void add_model_estimates(struct estimates *estimates, const struct cilkprof_profile *profile, const uint32_t *places) {
  for (size_t i = 0; i < profile->estimate_count; i++) {
    const struct cilkprof_estimate *estimate = &profile->estimates[i];
    struct cilkprof_estimate *sum = model_estimate_place(estimates, places[estimate->site]);
    sum->site = places[estimate->site];
    add_model_estimate(sum, estimate);
  }
}

void set_model_site_estimates(struct model *model) {
  const struct estimates *estimates = &model->estimates;
  for (size_t i = 0; i < model->site_count && i < estimates->count; i++)
    if (estimates->of_sites[i].counted + estimates->of_sites[i].error > 0)
      model->sites[i].estimate = &estimates->of_sites[i];
}

bool is_model_site_unsure(const struct site *site) {
  static const double most = 0.05;
  return site->estimate != NULL && (double)site->estimate->error > most * (double)site->measured->on_work.local.work;
}

struct cilkprof_estimate model_estimate_of_all(const struct model *model) {
  struct cilkprof_estimate sum = {0};
  for (size_t i = 0; i < model->estimates.count; i++)
    add_model_estimate(&sum, &model->estimates.of_sites[i]);
  return sum;
}
