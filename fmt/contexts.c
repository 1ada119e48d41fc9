/* Checks that the values of calling contexts agree with those of their sites and of the whole program.
   SPDX-License-Identifier: MIT

   Sums are compared by subtracting the parts from the whole and adding them again.  This needs no memory, and a file
   may have a million contexts.  If a check fails, the values are not restored, because the profile is discarded.  */

#include <string.h>
#include "fmt/verify.h"

/* Subtracts PART from *WHOLE.  Returns 1, or 0 if the parts subtracted so far exceed the whole, which makes the profile
   invalid.  */
static int verify_value_by_subtraction(uint64_t *whole, uint64_t part) {
  return !__builtin_sub_overflow(*whole, part, whole);
}

/* Subtracts all four values of PART from those of *WHOLE.  Returns 1, or 0 if one of them is larger than what is left
   of the whole.  */
static int verify_measure_by_subtraction(struct cilkprof_measure *whole, const struct cilkprof_measure *part) {
  return verify_value_by_subtraction(&whole->count, part->count) &&
         verify_value_by_subtraction(&whole->work, part->work) &&
         verify_value_by_subtraction(&whole->span, part->span) &&
         verify_value_by_subtraction(&whole->burdened_span, part->burdened_span);
}

/* Adds the values of PART to *WHOLE again, which undoes verify_measure_by_subtraction.  */
static void restore_verified_measure(struct cilkprof_measure *whole, const struct cilkprof_measure *part) {
  whole->count += part->count;
  whole->work += part->work;
  whole->span += part->span;
  whole->burdened_span += part->burdened_span;
}

/* Returns NULL if the children of each calling context sum to at most its values, else what is wrong.  The work of
   children is part of their parent's work, and children on the span run one after another.  Parents precede their
   children in the file: in the first loop a child still has all of its values when they are subtracted from its parent,
   in the second loop it has them again.  With tasks, a child may be on the span when its parent is not.  */
static const char *verify_context_children(const struct cilkprof_profile *profile) {
  int nested = !(profile->program.flags & CILKPROF_TASKS);
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *child = &profile->contexts[i];
    if (child->parent == CILKPROF_NO_CONTEXT)
      continue;
    struct cilkprof_context *parent = &profile->contexts[child->parent];
    if (!verify_value_by_subtraction(&parent->on_work.work, child->on_work.work) ||
        (nested && !(verify_value_by_subtraction(&parent->on_span.work, child->on_span.work) &&
                     verify_value_by_subtraction(&parent->on_span.span, child->on_span.span))))
      return "the children of a context add up to more than the context";
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

/* Returns whether all values of MEASURE are 0: the contexts of a site account for all that the site has.  */
static int is_verified_measure_zero(const struct cilkprof_measure *measure) {
  static const struct cilkprof_measure none;
  return memcmp(measure, &none, sizeof none) == 0;
}

/* Returns NULL if the calling contexts of each site sum to the values of its top-call-site invocations, else what is
   wrong.  If there were too many contexts to keep, they sum to less.  */
static const char *verify_contexts_of_sites(const struct cilkprof_profile *profile) {
  const char *wrong = NULL;
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *context = &profile->contexts[i];
    struct cilkprof_site *site = &profile->sites[context->site];
    if (!verify_measure_by_subtraction(&site->on_work.top_call_site, &context->on_work) ||
        !verify_measure_by_subtraction(&site->on_span.top_call_site, &context->on_span))
      return "the contexts of a call site add up to more than the call site";
  }
  for (size_t i = 0; i < profile->site_count; i++) {
    const struct cilkprof_site *site = &profile->sites[i];
    if (!(profile->program.flags & CILKPROF_CONTEXTS_CUT) && !(is_verified_measure_zero(&site->on_work.top_call_site) &&
                                                               is_verified_measure_zero(&site->on_span.top_call_site)))
      wrong = "the contexts of a call site add up to less than the call site";
  }
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *context = &profile->contexts[i];
    restore_verified_measure(&profile->sites[context->site].on_work.top_call_site, &context->on_work);
    restore_verified_measure(&profile->sites[context->site].on_span.top_call_site, &context->on_span);
  }
  return wrong;
}

/* Returns NULL if the calling contexts without a parent sum to the totals of the program, else what is wrong.  If there
   were too many contexts to keep, they may sum to less.  */
static const char *verify_outermost_contexts(const struct cilkprof_profile *profile) {
  struct cilkprof_totals left = profile->totals;
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_measure *root = &profile->contexts[i].on_work;
    if (profile->contexts[i].parent == CILKPROF_NO_CONTEXT &&
        !(verify_value_by_subtraction(&left.work, root->work) && verify_value_by_subtraction(&left.span, root->span) &&
          verify_value_by_subtraction(&left.burdened_span, root->burdened_span)))
      return "the outermost contexts add up to more than the program";
  }
  if ((left.work | left.span | left.burdened_span) != 0 && !(profile->program.flags & CILKPROF_CONTEXTS_CUT))
    return "the outermost contexts add up to less than the program";
  return NULL;
}

/* Checks that the values of calling contexts agree with those of their parents, their sites and the program.  Returns
   NULL, or what is wrong.  Times may be sums over runs whose units were converted and rounded, so only the children are
   checked for times.  Counted instructions are exact, except where a span was limited to the work, which is done
   separately for sites and for contexts.  */
const char *cilkprof_verify_contexts(const struct cilkprof_profile *profile) {
  if (profile->context_count == 0)
    return NULL;
  const char *wrong = verify_context_children(profile);
  if (wrong != NULL || profile->run.units_per_second > 0 || profile->program.flags & CILKPROF_TASKS)
    return wrong;
  wrong = verify_contexts_of_sites(profile);
  if (profile->own.count > 0) /* a call that the region itself makes may be spawned */
    return wrong;
  return wrong != NULL ? wrong : verify_outermost_contexts(profile);
}
