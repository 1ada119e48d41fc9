/* Sums of the what-if results of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WHATIFS_H
#define CILKPROF_REPORT_WHATIFS_H

#include <stdbool.h>
#include "fmt/profile.h"

void add_model_whatifs(struct cilkprof_whatif **sums, size_t *count, const struct cilkprof_profile *profile,
                       bool first);

void tell_lost_model_whatifs(const struct cilkprof_profile *profiles, size_t count);

#endif
