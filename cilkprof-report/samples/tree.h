/* Builds calling contexts from the sampled stacks of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TREE_H
#define CILKPROF_REPORT_TREE_H

#include "cilkprof-report/samples/frames.h"

/* Adds the times of the stacks of PROFILE to contexts and lines.  If FOLD, a function that is below itself is merged
   with the context above.  Returns the context of each stack.  Allocated.  */
uint32_t *sample_tree_add(struct samples *samples, const struct cilkprof_profile *profile,
                          const struct object_frames *frames, bool fold);
/* Computes sums over subtrees and sorts the contexts.  */
void sample_tree_finish(struct samples *samples);

#endif
