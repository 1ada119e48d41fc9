/* OpenMP's tasks and teams.
   SPDX-License-Identifier: MIT

   Three things are not as in Cilk.  A taskwait joins the children of the task that runs, also those that were made by
   callers of the function, or before the block that it is in.  A function returns, and the tasks that it made go on:
   then they are its caller's.  And a task may depend on others: it begins when the last of them has ended.  In all three
   the longest path to the end of a child is not the path to where it was spawned, and the child.  What is on that path
   is known by then.  It goes into the log as the child's part of it, together with the entries of the usual path taken
   negative: on summing up only what is on the path is left.  */

#ifndef CILKPROF_TASK_H
#define CILKPROF_TASK_H

#include "libcilkprof/span/span.h"

/* schedule.c: how many iterations the first chunk of a loop has, which is the longest; and of a guided schedule how many
   each has at least.  */
struct cilkprof_chunks {
  uint64_t first, least;
  int guided;
};
HIDDEN struct cilkprof_chunks __cilkprof_chunks(uint64_t schedule, uint64_t chunk, uint64_t trips);

/* task.c: a spawned block of OpenMP's has ended.  FRAME is the one around it again, the block's totals are in the return
   slots.  */
HIDDEN void __cilkprof_task_returned(frame_t *frame, const block_t *block, site_t *site);

/* What FRAME is the state of ends, and the same task goes on behind it: its tasks are not waited for.  The longest is
   set aside for __cilkprof_adopt in OUTER.  Returns whether there is one that goes on.  */
HIDDEN int __cilkprof_tasks_left(frame_t *frame, uint64_t local_work, const frame_t *outer);

/* levels.c: what is open, from the innermost outwards up to where the task that runs begins.  */
struct cilkprof_level {
  const frame_t *state;                     /* a frame, or what it was before a block */
  const frame_t *frame;                     /* the frame */
  block_t *block;                           /* its innermost block there */
  const struct __cilkprof_foreign *foreign; /* what was running when the frame was entered */
  int inside;                               /* of the same path as the level before: that is a scope */
  uint64_t own, burdened_own;               /* what it did itself on the path up to here */
  const site_t *site;                       /* by which it was called */
};
HIDDEN struct cilkprof_level __cilkprof_level(const frame_t *frame, uint64_t local_work);
HIDDEN int __cilkprof_step_out(struct cilkprof_level *level); /* 0: that was the outermost; its block is the task's */
/* Adds, to the sum that is being made (span.h), what is on the path from ENTRY in the log of this level on, and so much
   of its own work; ENTRY is NULL: all.  */
HIDDEN void __cilkprof_sum_level(const struct cilkprof_level *level, const entry_t *entry, uint64_t own, uint64_t sign);

/* depend.c: the same of a task that depends on others, or others on it.  Returns whether it is in a region in which it
   can.  */
HIDDEN int __cilkprof_dependent_returned(frame_t *frame, const block_t *block, site_t *site);
HIDDEN void __cilkprof_wait_for(frame_t *frame, uint64_t local_work, const void *depend); /* tasks, as a task would */
HIDDEN void __cilkprof_region_ended(block_t *block); /* no task of it depends on one that is made from here on */

#endif
