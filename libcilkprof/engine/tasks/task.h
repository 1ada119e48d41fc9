/* OpenMP's tasks and teams.
   SPDX-License-Identifier: MIT

   Three things are not as in Cilk.  A taskwait joins the children of the task that runs, also those that were made
   by callers of the function, or before the block that it is in.  A function returns, and the tasks that it made go
   on: then they are its caller's.  And a task may depend on others: it begins when the last of them has ended.  In
   all three the longest path to the end of a child is not the path to where it was spawned, and the child.  What is
   on that path is known by then.  It goes into the log as the child's part of it, together with the entries of the
   usual path taken negative: on summing up only what is on the path is left.  */

#ifndef CILKPROF_TASK_H
#define CILKPROF_TASK_H

#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* schedule.c: how many iterations the first chunk of a loop has, which is the longest; and of a guided schedule how
   many each has at least.  */
struct cilkprof_chunks {
  uint64_t first, least;
  int guided;
};
HIDDEN struct cilkprof_chunks __cilkprof_chunks(uint64_t schedule, uint64_t chunk, uint64_t trips);

/* Whether this is part of a team's region, or of a final task.  */
static inline void set_team(uint64_t team, uint64_t final) {
  THREAD.team = team;
  THREAD.final = final;
  THREAD.deferring = team && !final;
}

/* What FRAME calls has something for the one that it returns to.  */
static inline void left_behind(frame_t *frame) {
  if (!(frame->site & __CILKPROF_CALL_LEFT))
    frame->region = 0;
  frame->site |= __CILKPROF_CALL_LEFT;
}

/* task.c: a spawned block of OpenMP's has ended.  FRAME is the one around it again, the block's totals are in the
   return slots.  BLOCK is NULL: it was a call.  */
HIDDEN void __cilkprof_task_returned(frame_t *frame, uint64_t local_work, const block_t *block, site_t *site, int left);
HIDDEN void __cilkprof_included_returned(frame_t *frame, uint64_t local_work, site_t *site); /* and left some */

/* The innermost block of FRAME ends.  What it made is waited for, unless the block is a task, or the same task goes
   on behind it.  Returns whether something was left: then __cilkprof_adopt in FRAME, when it is what is around the
   block, or __cilkprof_task_returned finds it.  */
HIDDEN int __cilkprof_block_joins(frame_t *frame, uint64_t local_work);
HIDDEN void __cilkprof_join_all(frame_t *frame, uint64_t local_work); /* with those of tasks that have ended */

/* enclosing.c: what is open, from the innermost outwards up to where the task that runs begins.  */
struct cilkprof_enclosing {
  const frame_t *state;                     /* a frame, or what it was before a block */
  frame_t *frame;                           /* the frame */
  block_t *block;                           /* its innermost block there */
  const struct __cilkprof_foreign *foreign; /* what was running when the frame was entered */
  int inside;                               /* of the same path as the enclosing before: that is a scope */
  uint64_t own, burdened_own;               /* what it did itself on the path up to here */
  lanes_t lanes;                            /* that path, with its callees, on every lane; INSIDE: nothing */
};
HIDDEN struct cilkprof_enclosing __cilkprof_innermost(frame_t *frame, uint64_t local_work);
HIDDEN int
__cilkprof_step_out(struct cilkprof_enclosing *enclosing); /* 0: that was the outermost; its block is the task's */
/* Adds, to the sum that is being made (span.h), what is on the path from ENTRY in the log of this enclosing on, and so much
   of its own work; ENTRY is NULL: all.  */
HIDDEN void __cilkprof_sum_enclosing(const struct cilkprof_enclosing *enclosing, const entry_t *entry, uint64_t own,
                                     uint64_t sign);

/* depend.c: waits for tasks, as one would that depends on them.  */
HIDDEN void __cilkprof_wait_for(frame_t *frame, uint64_t local_work, const void *depend);

/* The same file: the addresses in what libgomp is told of dependences, as many as there is room for.  Returns how many
   there are.  */
HIDDEN uint64_t __cilkprof_depend_addresses(const void *depend, const void **addresses, uint64_t room);

/* paths.c: what is kept for BLOCK of the ends of tasks is not needed any more.  */
HIDDEN void __cilkprof_region_ended(block_t *block);
HIDDEN void __cilkprof_call_region_ended(frame_t *frame); /* the same for the task that FRAME called */
/* What SITE invoked in FRAME has returned, and is on all paths that end in it; BLOCK is it, or NULL: it is a function.
   Its totals are in the return slots.  */
HIDDEN void __cilkprof_paths_left(const frame_t *frame, const block_t *block, site_t *site);

#endif
