/* Waits of a task, and of a thread of a team.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_WAITS_H
#define CILKPROF_WAITS_H

#include "libcilkprof/engine/engine.h"

/* taskwait.c: joins the children of the current OpenMP task, those of FRAME and of all that encloses it, at a taskwait
   or, if BARRIER, at a barrier.  */
HIDDEN void __cilkprof_join_children_of_task(frame_t *frame, uint64_t local_work, uint64_t barrier);

/* What a fiber of a team does instead, for everything but a taskwait (teams/wait.c).  */
extern HIDDEN void (*__cilkprof_team_wait)(frame_t *frame, uint64_t local_work, uint64_t what);

#endif
