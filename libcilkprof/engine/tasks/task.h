/* OpenMP tasks and teams.
   SPDX-License-Identifier: MIT

   Three things differ from Cilk:
   - A taskwait joins all children of the current task, including those that were made by callers of the current
     function or before the current block.
   - A function may return while tasks that it made go on.  They become its caller's tasks.
   - A task may depend on others.  It begins when the last of them has ended.

   In all three cases the longest path to the end of a child is not the path to its spawn followed by the child.  The
   entries of the longest path are known by then.  They go into the log as the child's part of it, together with the
   negated entries of the usual path: when the log is summed up, only the longest path is left.  */

#ifndef CILKPROF_TASK_H
#define CILKPROF_TASK_H

#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* schedule.c: the chunks of a loop.  FIRST is the number of iterations of the first chunk, which is the longest.  In a
   guided schedule every chunk has at least LEAST iterations.  */
struct cilkprof_chunks {
  uint64_t first, least;
  int guided;
  int fixed;      /* the schedule is static: every thread has its share beforehand */
  uint64_t given; /* the chunk size that the program gives; 0: none */
};
HIDDEN struct cilkprof_chunks __cilkprof_loop_chunks(uint64_t schedule, uint64_t chunk, uint64_t trips);

/* Sets whether the current code belongs to a parallel region of several threads (TEAM) and to a final task (FINAL).  A
   task that is made now is deferred only in such a region, and outside of final tasks.  */
static inline void set_omp_team_and_final(uint64_t team, uint64_t final) {
  THREAD.team = team;
  THREAD.final = final;
  THREAD.deferring = team && !final;
}

/* Marks the call under way in FRAME: when it returns, tasks or paths that it left behind have to be handled.  */
static inline void mark_call_leaving_tasks(frame_t *frame) {
  if (!(frame->site & __CILKPROF_CALL_LEFT))
    frame->region = 0;
  frame->site |= __CILKPROF_CALL_LEFT;
}

/* task.c */
HIDDEN void __cilkprof_task_returned(frame_t *frame, uint64_t local_work, const block_t *block, site_t *site, int left);
HIDDEN void __cilkprof_included_task_returned(frame_t *frame, uint64_t local_work, site_t *site);

HIDDEN int __cilkprof_block_joins(frame_t *frame, uint64_t local_work);
HIDDEN void __cilkprof_join_all_tasks(frame_t *frame, uint64_t local_work);

/* enclosing.c: a frame or block that encloses the current point.  A walk begins with the innermost one and goes
   outwards, up to where the current task begins.  */
struct cilkprof_enclosing {
  const frame_t *state;                     /* the frame, or its copy from before a block */
  frame_t *frame;                           /* the frame */
  block_t *block;                           /* the innermost block of FRAME that is open in STATE */
  const struct __cilkprof_foreign *foreign; /* the foreign code that was running when FRAME was entered */
  int inside;                 /* the part before it in the walk is a scope, which continues the path of this one */
  uint64_t own, burdened_own; /* its own work on the path up to here; INSIDE: 0 */
  lanes_t lanes;              /* that path, with its callees, on every lane; INSIDE: 0 */
};
HIDDEN struct cilkprof_enclosing __cilkprof_innermost_in_task(frame_t *frame, uint64_t local_work);
HIDDEN int __cilkprof_step_out_in_task(struct cilkprof_enclosing *enclosing);
HIDDEN void __cilkprof_sum_enclosing_in_task(const struct cilkprof_enclosing *enclosing, const entry_t *entry,
                                             uint64_t own, uint64_t sign);

/* depend.c */
HIDDEN void __cilkprof_wait_for_task_depend(frame_t *frame, uint64_t local_work, const void *depend);

/* depend.c */
HIDDEN uint64_t __cilkprof_task_depend_addresses(const void *depend, const void **addresses, uint64_t room);

/* paths.c */
HIDDEN void __cilkprof_task_region_ended(block_t *block);
HIDDEN void __cilkprof_task_call_region_ended(frame_t *frame);
HIDDEN void __cilkprof_task_paths_left(const frame_t *frame, const block_t *block, site_t *site);

#endif
