/* The what-ifs of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WHATIFS_H
#define CILKPROF_REPORT_WHATIFS_H

#include <stdbool.h>
#include "fmt/profile.h"

/* Adds the what-ifs of another profile to the sums of those before it; FIRST: there is none before it.  What is not in
   all of them is left out: it cannot be compared with the sums of the rest.  */
void whatifs_add(struct cilkprof_whatif **sums, size_t *count, const struct cilkprof_profile *profile, bool first);

/* Names in one line on standard error what is left out of the sum of these profiles, if anything is.  */
void whatifs_tell_lost(const struct cilkprof_profile *profiles, size_t count);

#endif
