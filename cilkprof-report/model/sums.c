/* Sums that saturate instead of wrapping around.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/sums.h"

/* Set once any sum saturates.  Sums are computed in too many places to pass the flags around.  */
static uint64_t sum_flags;

/* Adds VALUE to *SUM, which stays at UINT64_MAX if the result does not fit.  That it did not is remembered for
   model_saturation_flags.  */
void model_add_saturating(uint64_t *sum, uint64_t value) {
  cilkprof_add(sum, value, &sum_flags);
}

/* Returns A + B, or UINT64_MAX if the result does not fit.  */
uint64_t model_saturating_sum(uint64_t a, uint64_t b) {
  model_add_saturating(&a, b);
  return a;
}

uint64_t model_saturation_flags(void) {
  return sum_flags;
}

/* Adds the count, work, span and burdened span of MEASURE to SUM.  */
void add_model_measure(struct cilkprof_measure *sum, const struct cilkprof_measure *measure) {
  model_add_saturating(&sum->count, measure->count);
  model_add_saturating(&sum->work, measure->work);
  model_add_saturating(&sum->span, measure->span);
  model_add_saturating(&sum->burdened_span, measure->burdened_span);
}

/* Adds the top-call-site, top-caller and local measures of MEASURES to SUM.  */
void add_model_measures(struct cilkprof_measures *sum, const struct cilkprof_measures *measures) {
  add_model_measure(&sum->top_call_site, &measures->top_call_site);
  add_model_measure(&sum->top_caller, &measures->top_caller);
  add_model_measure(&sum->local, &measures->local);
}

/* Adds the totals of a run, TOTALS, to SUM: work, spans, spawns and syncs.  */
void add_model_totals(struct cilkprof_totals *sum, const struct cilkprof_totals *totals) {
  model_add_saturating(&sum->work, totals->work);
  model_add_saturating(&sum->span, totals->span);
  model_add_saturating(&sum->burdened_span, totals->burdened_span);
  model_add_saturating(&sum->spawns, totals->spawns);
  model_add_saturating(&sum->syncs, totals->syncs);
}
