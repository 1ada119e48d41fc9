/* What several runs took of the machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_USAGES_H
#define CILKPROF_REPORT_USAGES_H

#include <stdbool.h>
#include "fmt/profile.h"

struct usages {
  struct cilkprof_usage_record sum;
  bool known; /* of all runs; the reference in the sum as well */
};

/* Adds what the run of a profile took to that of those before it, whose WORK is in the same unit; FIRST: there is none
   before it.  */
void usages_add(struct usages *usages, uint64_t work, const struct cilkprof_profile *profile, bool first);

#endif
