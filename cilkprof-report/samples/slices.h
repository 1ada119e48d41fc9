/* What each thread of a parallel run did over time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SLICES_H
#define CILKPROF_REPORT_SLICES_H

#include "cilkprof-report/samples/frames.h"

/* Returns the transitions of PROFILE with the code or context of each, or NULL if it has none.  CONTEXTS has the
   context of each of its stacks.  Allocated.  */
struct sample_moments *find_sample_moments(struct samples *samples, const struct cilkprof_profile *profile,
                                           const struct object_frames *frames, const uint32_t *contexts);
/* Makes the threads of SAMPLES and their slices from its moments, once functions have names.  */
void make_sample_slices(struct samples *samples);

#endif
