/* User code and library code: finds the user code that calls a library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Returns whether SITE has more of the span than THAN, or more work if both have the same span.  */
static bool is_larger_model_site(const struct site *site, const struct site *than) {
  const struct cilkprof_site *a = site->measured, *b = than->measured;
  if (a->on_span.top_call_site.span != b->on_span.top_call_site.span)
    return a->on_span.top_call_site.span > b->on_span.top_call_site.span;
  return a->on_work.top_call_site.work > b->on_work.top_call_site.work;
}

/* Sets the user code of all sites of MODEL whose source line is the system's, when the largest calls are known.  */
static void find_user_calls_of_model_sites(struct model *model) {
  for (size_t i = 0; i < model->site_count; i++) {
    struct site *site = &model->sites[i];
    const struct site *user = is_system_source_file(site->file) ? model_user_site(model, site) : site;
    site->user = user != site && user != NULL && user->caller != NULL ? user : NULL;
  }
}

/* Finds the largest call into each cycle of MODEL from an instrumented function outside it, and for the calls in
   libraries those in user code that lead to them.  The order of functions must be known.  */
void find_largest_model_callers(struct model *model) {
  model->callers = allocate(model->functions.count, sizeof *model->callers);
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i], **largest = &model->callers[site->callee->order];
    bool from_outside = site->caller != NULL && !is_nested_model_call(site->caller, site->callee);
    if (from_outside && !site->unreached && (*largest == NULL || is_larger_model_site(site, *largest)))
      *largest = site;
  }
  find_user_calls_of_model_sites(model);
}

/* Returns the largest call into the cycle of FUNCTION, or NULL.  The caller has a higher order than FUNCTION, so
   following callers ends.  */
static const struct site *largest_model_call_into_cycle(const struct model *model, const struct function *function) {
  return model->callers[function->order];
}

const struct site *model_user_site(const struct model *model, const struct site *site) {
  while (site != NULL && site->caller != NULL &&
         (is_library_function(site->caller) || is_system_source_file(site->file)))
    site = largest_model_call_into_cycle(model, site->caller);
  return site;
}

const struct function *model_user_function(const struct model *model, const struct function *function) {
  const struct function *found = function;
  for (const struct site *site; is_library_function(found); found = site->caller) {
    site = largest_model_call_into_cycle(model, found);
    if (site == NULL)
      return function;
  }
  return found;
}
