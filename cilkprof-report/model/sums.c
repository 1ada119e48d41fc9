/* Sums that saturate instead of wrapping around.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/sums.h"

/* Set once any sum saturates.  Sums are computed in too many places to pass the flags around.  */
static uint64_t sum_flags;

void add_saturating(uint64_t *sum, uint64_t value) {
  cilkprof_add(sum, value, &sum_flags);
}

uint64_t sum_of(uint64_t a, uint64_t b) {
  add_saturating(&a, b);
  return a;
}

uint64_t flags_of_sums(void) {
  return sum_flags;
}

void add_measure(struct cilkprof_measure *sum, const struct cilkprof_measure *measure) {
  add_saturating(&sum->count, measure->count);
  add_saturating(&sum->work, measure->work);
  add_saturating(&sum->span, measure->span);
  add_saturating(&sum->burdened_span, measure->burdened_span);
}

void add_measures(struct cilkprof_measures *sum, const struct cilkprof_measures *measures) {
  add_measure(&sum->top_call_site, &measures->top_call_site);
  add_measure(&sum->top_caller, &measures->top_caller);
  add_measure(&sum->local, &measures->local);
}

void add_totals(struct cilkprof_totals *sum, const struct cilkprof_totals *totals) {
  add_saturating(&sum->work, totals->work);
  add_saturating(&sum->span, totals->span);
  add_saturating(&sum->burdened_span, totals->burdened_span);
  add_saturating(&sum->spawns, totals->spawns);
  add_saturating(&sum->syncs, totals->syncs);
}
