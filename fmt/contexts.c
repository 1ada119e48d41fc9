/* What holds between calling contexts, their sites and the whole program.
   SPDX-License-Identifier: MIT

   Sums are compared by subtracting the parts from the whole and adding them again: that needs no memory, and a file may
   have a million contexts.  A profile that is wrong is thrown away, so nothing is restored then.  */

#include <string.h>
#include "fmt/verify.h"

static int subtract(uint64_t *whole, uint64_t part) {
  return !__builtin_sub_overflow(*whole, part, whole);
}

static int subtract_measure(struct cilkprof_measure *whole, const struct cilkprof_measure *part) {
  return subtract(&whole->count, part->count) && subtract(&whole->work, part->work) &&
         subtract(&whole->span, part->span) && subtract(&whole->burdened_span, part->burdened_span);
}

static void add_measure(struct cilkprof_measure *whole, const struct cilkprof_measure *part) {
  whole->count += part->count;
  whole->work += part->work;
  whole->span += part->span;
  whole->burdened_span += part->burdened_span;
}

/* What children did is part of what their parent did, and one follows the other where both are on the span.  Parents
   come first: on the way there a child is still whole, on the way back it is so again.  */
static const char *verify_children(const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *child = &profile->contexts[i];
    if (child->parent == CILKPROF_NO_CONTEXT)
      continue;
    struct cilkprof_context *parent = &profile->contexts[child->parent];
    if (!subtract(&parent->on_work.work, child->on_work.work) ||
        !subtract(&parent->on_span.work, child->on_span.work) || !subtract(&parent->on_span.span, child->on_span.span))
      return "the children of a context have more than it has";
  }
  for (size_t i = profile->context_count; i-- > 0;) {
    const struct cilkprof_context *child = &profile->contexts[i];
    if (child->parent == CILKPROF_NO_CONTEXT)
      continue;
    struct cilkprof_context *parent = &profile->contexts[child->parent];
    parent->on_work.work += child->on_work.work;
    parent->on_span.work += child->on_span.work;
    parent->on_span.span += child->on_span.span;
  }
  return NULL;
}

static int is_zero(const struct cilkprof_measure *measure) {
  static const struct cilkprof_measure none;
  return memcmp(measure, &none, sizeof none) == 0;
}

/* The contexts of a site share its top-call-site invocations among them; when there were too many, they have less.  */
static const char *verify_sites(const struct cilkprof_profile *profile) {
  const char *wrong = NULL;
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *context = &profile->contexts[i];
    struct cilkprof_site *site = &profile->sites[context->site];
    if (!subtract_measure(&site->on_work.top_call_site, &context->on_work) ||
        !subtract_measure(&site->on_span.top_call_site, &context->on_span))
      return "the contexts of a site have more than it has";
  }
  for (size_t i = 0; i < profile->site_count; i++) {
    const struct cilkprof_site *site = &profile->sites[i];
    if (!(profile->program.flags & CILKPROF_CONTEXTS_CUT) &&
        !(is_zero(&site->on_work.top_call_site) && is_zero(&site->on_span.top_call_site)))
      wrong = "the contexts of a site have less than it has";
  }
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *context = &profile->contexts[i];
    add_measure(&profile->sites[context->site].on_work.top_call_site, &context->on_work);
    add_measure(&profile->sites[context->site].on_span.top_call_site, &context->on_span);
  }
  return wrong;
}

static const char *verify_outermost(const struct cilkprof_profile *profile) {
  struct cilkprof_totals left = profile->totals;
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_measure *root = &profile->contexts[i].on_work;
    if (profile->contexts[i].parent == CILKPROF_NO_CONTEXT &&
        !(subtract(&left.work, root->work) && subtract(&left.span, root->span) &&
          subtract(&left.burdened_span, root->burdened_span)))
      return "the outermost contexts have more than the program";
  }
  if ((left.work | left.span | left.burdened_span) != 0 && !(profile->program.flags & CILKPROF_CONTEXTS_CUT))
    return "the outermost contexts have less than the program";
  return NULL;
}

/* Times may be a sum of runs whose units were converted: then they are rounded.  Instructions are exact.  */
const char *cilkprof_verify_contexts(const struct cilkprof_profile *profile) {
  if (profile->context_count == 0)
    return NULL;
  const char *wrong = verify_children(profile);
  if (wrong != NULL || profile->run.units_per_second > 0)
    return wrong;
  wrong = verify_sites(profile);
  if (profile->own.count > 0) /* what a region called itself may be spawned */
    return wrong;
  return wrong != NULL ? wrong : verify_outermost(profile);
}
