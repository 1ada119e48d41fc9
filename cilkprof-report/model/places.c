/* Finds where functions are defined, from debugging information and call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/model.h"

/* Fills in source locations that are still unknown.  A call site has the file of its caller; one for calls from code
   without instrumentation has the line of its callee.  */
static void places_from_sites(struct model *model) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && site->caller->place.file == NULL && site->line > 0)
      site->caller->place.file = site->file;
    if (site->kind == CILKPROF_SITE_OUTSIDE && site->callee->place.line == 0 && site->line > 0)
      site->callee->place.file = site->file, site->callee->place.line = site->line;
  }
}

void places_find(struct model *model, struct binding *binding) {
  functions_place(&model->functions, binding);
  places_from_sites(model);
}
