/* User code and library code: finds the user code that calls a library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Returns whether SITE has more of the span than THAN, or more work if both have the same span.  */
static bool is_larger(const struct site *site, const struct site *than) {
  const struct cilkprof_site *a = site->measured, *b = than->measured;
  if (a->on_span.top_call_site.span != b->on_span.top_call_site.span)
    return a->on_span.top_call_site.span > b->on_span.top_call_site.span;
  return a->on_work.top_call_site.work > b->on_work.top_call_site.work;
}

void callers_find(struct model *model) {
  model->callers = allocate(model->functions.count, sizeof *model->callers);
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i], **largest = &model->callers[site->callee->order];
    bool from_outside = site->caller != NULL && !is_nested(site->caller, site->callee);
    if (from_outside && !site->unreached && (*largest == NULL || is_larger(site, *largest)))
      *largest = site;
  }
}

/* Returns the largest call into the cycle of FUNCTION, or NULL.  Its caller has a higher order than FUNCTION, so
   following callers ends.  */
static const struct site *largest_caller(const struct model *model, const struct function *function) {
  return model->callers[function->order];
}

const struct site *user_site(const struct model *model, const struct site *site) {
  while (site != NULL && site->caller != NULL && (is_library(site->caller) || is_system_file(site->file)))
    site = largest_caller(model, site->caller);
  return site;
}

const struct function *user_function(const struct model *model, const struct function *function) {
  const struct function *found = function;
  for (const struct site *site; is_library(found); found = site->caller) {
    site = largest_caller(model, found);
    if (site == NULL)
      return function;
  }
  return found;
}
