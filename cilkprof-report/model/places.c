/* Finds where functions are defined, from debugging information and call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/model.h"

/* Fills in the source locations of functions that are still unknown.  A call site has the file of its caller; one for
   calls from code without instrumentation has the line of its callee.  */
static void set_model_places_from_sites(struct model *model) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && site->caller->place.file == NULL && site->line > 0)
      site->caller->place.file = site->file;
    if (site->kind == CILKPROF_SITE_OUTSIDE && site->callee->place.line == 0 && site->line > 0)
      site->callee->place.file = site->file, site->callee->place.line = site->line;
  }
}

/* Finds the source locations of the functions of MODEL in the debugging information of the files of BINDING and in call
   sites.  */
void find_model_places(struct model *model, struct binding *binding) {
  functions_find_definition_places(&model->functions, binding);
  set_model_places_from_sites(model);
}
