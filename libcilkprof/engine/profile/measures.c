/* The measures of a site or context, as the profile has them.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/span/counted_sums.h"

/* Limits the span of MEASURE to its work, in a program with OpenMP's tasks.  There, an invocation that waited for tasks
   which it did not make has them on its path, and may have more span than work.  */
void __cilkprof_profile_limit_span(struct cilkprof_measure *measure) {
  if (ENGINE.flags & CILKPROF_TASKS && measure->span > measure->work)
    measure->span = measure->work;
  if (ENGINE.flags & CILKPROF_TASKS && measure->burdened_span < measure->span)
    measure->burdened_span = measure->span;
}

/* Returns the total T of a site or context as a measure of the profile, with its span limited.  */
struct cilkprof_measure __cilkprof_profile_measure_of(struct __cilkprof_total t) {
  struct cilkprof_measure measure = {t.count, t.work, t.span, t.burdened_span};
  __cilkprof_profile_limit_span(&measure);
  return measure;
}

/* Adds the values of ENTRY, a sum of the on-span log, to the measure TO.  */
static void add_entry_to_profile_measure(struct cilkprof_measure *to, const entry_t *entry) {
  to->count += entry->count;
  to->work += entry->work;
  to->span += entry->span;
  to->burdened_span += entry->burdened_span;
}

/* Adds VALUE, of counted calls, to the measure TO.  */
static void add_counted_to_profile_measure(struct cilkprof_measure *to, struct counted_value value) {
  to->count += value.count;
  to->work += value.work;
  to->span += value.work;
  to->burdened_span += value.work;
}

/* Adds VALUES, of counted calls, to the measures TO.  */
static void add_counted_to_profile_measures(struct cilkprof_measures *to, const struct counted_values *values) {
  add_counted_to_profile_measure(&to->local, values->local);
  add_counted_to_profile_measure(&to->top_call_site, values->top_call_site);
  add_counted_to_profile_measure(&to->top_caller, values->top_caller);
}

/* Returns the measures of SITE over all its invocations.  */
struct cilkprof_measures __cilkprof_profile_on_work(const site_t *site) {
  const struct counted_sums *counted = __cilkprof_counted_sums(site);
  struct cilkprof_measures sums = {.top_call_site = __cilkprof_profile_measure_of(__cilkprof_top_call_site_of(site)),
                                   .top_caller = __cilkprof_profile_measure_of(__cilkprof_top_caller_of(site)),
                                   .local = {site->count, site->local_work, site->local_work - site->local_off_span,
                                             site->local_work - site->local_off_burdened_span}};
  if (counted)
    add_counted_to_profile_measures(&sums, &counted->on_work);
  return sums;
}

/* Returns the measures of SITE over its invocations on the span; ENTRIES are the sums of the log.  The three kinds of a
   site's entries are for disjoint sets of invocations, so their sum is over all of them.  */
struct cilkprof_measures __cilkprof_profile_on_span(const site_t *site, const entry_t *entries) {
  struct cilkprof_measures sums = {0};
  for (int kind = 0; kind < 3; kind++) {
    if (!site->folded[kind] || ENGINE.flags & CILKPROF_NO_ON_SPAN)
      continue;
    const entry_t *entry = &entries[site->folded[kind] - 1];
    sums.local.count += entry->count;
    sums.local.work += entry->local_work;
    sums.local.span += entry->local_work - entry->local_off_span;
    sums.local.burdened_span += entry->local_work - entry->local_off_burdened_span;
    if (kind >= __CILKPROF_ENTRY_TOP_SITE / 2)
      add_entry_to_profile_measure(&sums.top_call_site, entry);
    if (kind == __CILKPROF_ENTRY_TOP_CALLER / 2)
      add_entry_to_profile_measure(&sums.top_caller, entry);
  }
  const struct counted_sums *counted = __cilkprof_counted_sums(site);
  if (counted && !(ENGINE.flags & CILKPROF_NO_ON_SPAN))
    add_counted_to_profile_measures(&sums, &counted->on_span);
  __cilkprof_profile_limit_span(&sums.top_call_site);
  __cilkprof_profile_limit_span(&sums.top_caller);
  return sums;
}
