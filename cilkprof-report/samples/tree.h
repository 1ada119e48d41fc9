/* Contexts from the paths of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TREE_H
#define CILKPROF_REPORT_TREE_H

#include "cilkprof-report/samples/frames.h"

/* Adds what the stacks did to the contexts and lines.  FOLD: a function below itself is the one above.  */
void tree_add(struct samples *samples, const struct cilkprof_profile *profile, const struct object_frames *frames,
              bool fold);
/* Adds up and sorts them.  */
void tree_finish(struct samples *samples);

#endif
