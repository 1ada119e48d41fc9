/* Sums that saturate instead of wrapping around.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SUMS_H
#define CILKPROF_REPORT_SUMS_H

#include "fmt/profile.h"

/* Adds VALUE to *SUM, which stays at UINT64_MAX if the result does not fit.  */
void model_add_saturating(uint64_t *sum, uint64_t value);
/* Returns A + B, or UINT64_MAX if the result does not fit.  */
uint64_t model_saturating_sum(uint64_t a, uint64_t b);
/* Returns CILKPROF_SATURATED if any sum did not fit so far, else 0.  */
uint64_t model_saturation_flags(void);

/* These add every member of the second argument to SUM.  */
void add_model_totals(struct cilkprof_totals *sum, const struct cilkprof_totals *totals);
void add_model_measures(struct cilkprof_measures *sum, const struct cilkprof_measures *measures);
void add_model_measure(struct cilkprof_measure *sum, const struct cilkprof_measure *measure);

#endif
