/* The trees of profiles that are added up: the runs came one after another.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TREES_H
#define CILKPROF_REPORT_TREES_H

#include "fmt/profile.h"

/* MORE is what SUM goes on with; either may have no nodes.  What it points to must stay.  */
void trees_add(struct cilkprof_tree *sum, const struct cilkprof_tree *more);

#endif
