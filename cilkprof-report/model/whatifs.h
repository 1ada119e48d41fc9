/* Sums of the what-if results of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WHATIFS_H
#define CILKPROF_REPORT_WHATIFS_H

#include <stdbool.h>
#include "fmt/profile.h"

/* Adds the what-ifs of PROFILE to the COUNT sums of the profiles before it.  FIRST says that there are none before it.
   A what-if that some profile lacks is left out, because it cannot be compared with the other sums.  */
void add_model_whatifs(struct cilkprof_whatif **sums, size_t *count, const struct cilkprof_profile *profile,
                       bool first);

void tell_lost_model_whatifs(const struct cilkprof_profile *profiles, size_t count);

#endif
