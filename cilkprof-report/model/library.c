/* Whose code it is: the user's, or that of the system and of libraries.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/library.h"
#include "cilkprof-report/support/support.h"

/* Whether more of the span, or of the work where none is there, comes through SITE.  */
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

/* What calls a function from outside its cycle comes after it in the order: this ends.  */
static const struct site *caller_of(const struct model *model, const struct function *function) {
  return model->callers[function->order];
}

const struct site *user_site(const struct model *model, const struct site *site) {
  while (site != NULL && site->caller != NULL && (is_library(site->caller) || is_system_file(site->file)))
    site = caller_of(model, site->caller);
  return site;
}

const struct function *user_function(const struct model *model, const struct function *function) {
  const struct function *found = function;
  for (const struct site *site; is_library(found); found = site->caller) {
    site = caller_of(model, found);
    if (site == NULL)
      return function;
  }
  return found;
}
