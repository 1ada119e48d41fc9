/* Processor time and page faults of several runs, and their workers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_USAGES_H
#define CILKPROF_REPORT_USAGES_H

#include <stdbool.h>
#include "fmt/profile.h"

struct usages {
  struct cilkprof_usage_record sum; /* has no reference runs unless all runs have some */
  struct cilkprof_workers workers;  /* all 0 unless all runs are parallel ones */
  bool known;                       /* all runs have usage data */
};

/* Adds the usage of the run of PROFILE.  WORK is the work of the runs before it, in the same unit as that of PROFILE.
   FIRST says that there are none before it.  */
void add_model_usage(struct usages *usages, uint64_t work, const struct cilkprof_profile *profile, bool first);

#endif
