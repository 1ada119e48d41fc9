/* Costs and functions as other programs know them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/support/support.h"

/* Returns COST, in units of the profile, in nanoseconds, or in instructions if these were counted.  */
uint64_t exported_cost(const struct model *model, uint64_t cost) {
  uint64_t units_per_second = model->run.units_per_second;
  return units_per_second > 0 ? (uint64_t)((unsigned __int128)cost * 1000000000 / units_per_second) : cost;
}

/* Returns the name of the unit of exported costs: "nanoseconds", or "instructions" if these were counted.  */
const char *exported_cost_unit(const struct model *model) {
  return model->run.units_per_second > 0 ? "nanoseconds" : "instructions";
}

const struct function **exported_functions(const struct model *model) {
  const struct function **known = allocate(model->functions.count, sizeof *known);
  for (size_t i = 0; i < model->functions.count; i++)
    known[i] = model->functions.list[i];
  for (size_t i = 0; i < model->site_count; i++)
    if (is_model_loop_site(&model->sites[i]) && model->sites[i].caller != NULL) /* not the root of the report */
      known[model->sites[i].callee->number] = model->sites[i].caller;
  return known;
}
