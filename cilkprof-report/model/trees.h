/* Sums of the trees of sections, tasks and locks of several profiles, as if the runs had followed one another.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TREES_H
#define CILKPROF_REPORT_TREES_H

#include "fmt/profile.h"

/* Appends MORE to SUM.  Either may have no nodes.  SUM may then point to memory of MORE, which must stay allocated.  */
void add_model_tree(struct cilkprof_tree *sum, const struct cilkprof_tree *more);

#endif
