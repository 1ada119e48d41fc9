/* Checks that the values of calling contexts agree with those of their sites and of the whole program.
   SPDX-License-Identifier: MIT

   Sums are compared by subtracting the parts from the whole and adding them again.  This needs no memory, and a file
   may have a million contexts.  If a check fails, the values are not restored, because the profile is discarded.  */

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

/* Checks that the children of each context sum to at most its values.  The work of children is part of their parent's
   work, and children on the span run one after another.  Parents precede their children in the file: in the first loop
   a child still has all of its values when they are subtracted from its parent, in the second loop it has them again.
   With tasks, a child may be on the span when its parent is not.  */
static const char *verify_children(const struct cilkprof_profile *profile) {
  int nested = !(profile->program.flags & CILKPROF_TASKS);
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *child = &profile->contexts[i];
    if (child->parent == CILKPROF_NO_CONTEXT)
      continue;
    struct cilkprof_context *parent = &profile->contexts[child->parent];
    if (!subtract(&parent->on_work.work, child->on_work.work) ||
        (nested && !(subtract(&parent->on_span.work, child->on_span.work) &&
                     subtract(&parent->on_span.span, child->on_span.span))))
      return "the children of a context have more than it has";
  }
  for (size_t i = profile->context_count; i-- > 0;) {
    const struct cilkprof_context *child = &profile->contexts[i];
    if (child->parent == CILKPROF_NO_CONTEXT)
      continue;
    struct cilkprof_context *parent = &profile->contexts[child->parent];
    parent->on_work.work += child->on_work.work;
    if (!nested)
      continue;
    parent->on_span.work += child->on_span.work;
    parent->on_span.span += child->on_span.span;
  }
  return NULL;
}

static int is_zero(const struct cilkprof_measure *measure) {
  static const struct cilkprof_measure none;
  return memcmp(measure, &none, sizeof none) == 0;
}

/* Checks that the contexts of each site sum to the values of its top-call-site invocations.  If there were too many
   contexts to keep, they sum to less.  */
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

/* Checks that the contexts without a parent sum to the totals of the program.  */
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

/* Times may be sums over runs whose units were converted and rounded, so only the children are checked for times.
   Counted instructions are exact, except where a span was limited to the work, which is done separately for sites and
   for contexts.  */
const char *cilkprof_verify_contexts(const struct cilkprof_profile *profile) {
  if (profile->context_count == 0)
    return NULL;
  const char *wrong = verify_children(profile);
  if (wrong != NULL || profile->run.units_per_second > 0 || profile->program.flags & CILKPROF_TASKS)
    return wrong;
  wrong = verify_sites(profile);
  if (profile->own.count > 0) /* a call that the region itself makes may be spawned */
    return wrong;
  return wrong != NULL ? wrong : verify_outermost(profile);
}
