/* Waits of a task for its children: taskwait and barriers.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/tasks/paths.h"
#include "libcilkprof/engine/tasks/waits.h"

void (*__cilkprof_team_wait)(frame_t *frame, uint64_t local_work, uint64_t what);

/* The longest child of the frames and blocks around the current point: by how much it ends later than that point.  */
struct wait {
  uint64_t delay, burdened_delay;
  lanes_t lanes_delay;
  struct cilkprof_enclosing at; /* the frame or block whose child it is */
};

/* Returns the longest child of the frames and blocks around ENCLOSING, the innermost one of the current task, for which
   a taskwait has to wait: by how much it ends later than the current point.  */
static struct wait find_longest_waited_task(struct cilkprof_enclosing enclosing) {
  uint64_t now = enclosing.state->span + enclosing.own,
           burdened_now = enclosing.state->burdened_span + enclosing.burdened_own;
  lanes_t lanes_now = enclosing.lanes;
  struct wait found = {.at = enclosing};
  while (__cilkprof_step_out_in_task(&enclosing)) {
    if (!enclosing.inside) {
      now += enclosing.state->span + enclosing.own;
      burdened_now += enclosing.state->burdened_span + enclosing.burdened_own;
      lanes_now = __cilkprof_lanes_plus(lanes_now, enclosing.lanes);
    }
    if (!enclosing.state->spawned)
      continue;
    uint64_t delay = task_path_beyond(enclosing.state->longest_span, now),
             burdened = task_path_beyond(enclosing.state->longest_burdened, burdened_now);
    if (delay | burdened)
      __cilkprof_root_invocations_reach_out(enclosing.frame, enclosing.block, enclosing.state->spawned);
    if (delay > found.delay) {
      found.delay = delay;
      found.at = enclosing;
    }
    found.burdened_delay = burdened > found.burdened_delay ? burdened : found.burdened_delay;
    __cilkprof_lanes_lengthen(&found.lanes_delay, __cilkprof_lanes_beyond(longest_lanes(enclosing.state), lanes_now));
  }
  return found;
}

/* Returns the difference between the path to the end of the longest child of OUTER, for which a taskwait waits, and the
   path to the current point, where ENCLOSING is the innermost part.  */
static struct cilkprof_sum path_to_waited_task(struct cilkprof_enclosing enclosing,
                                               const struct cilkprof_enclosing *outer) {
  const frame_t *state = outer->state;
  __cilkprof_sum_begin();
  __cilkprof_sum_enclosing_in_task(&enclosing, NULL, enclosing.own, -(uint64_t)1);
  while (__cilkprof_step_out_in_task(&enclosing) && enclosing.state != state)
    __cilkprof_sum_enclosing_in_task(&enclosing, NULL, enclosing.own, -(uint64_t)1);
  /* A scope and what is around it share one path: the work up to the child was subtracted with the rest.  */
  uint64_t own = enclosing.inside ? -state->longest_own : enclosing.own - state->longest_own;
  __cilkprof_sum_enclosing_in_task(&enclosing, state->longest_end + 1, own, -(uint64_t)1);
  __cilkprof_sum_add(state->longest_start, state->longest_end, 1);
  return __cilkprof_sum_end();
}

/* Joins in FRAME the tasks that ended children of the current task have left behind, as a barrier does.  */
static void join_deep_tasks(frame_t *frame, uint64_t local_work) {
  struct path length;
  const struct path *deep = __cilkprof_deep_task_path(__cilkprof_task_path_length_here(frame, local_work, 0, &length)),
                    *here = &length;
  if (!deep)
    return;
  if (deep->span > length.span) {
    __cilkprof_task_path_here(frame, local_work, 0, __cilkprof_scratch_task_path(0));
    here = __cilkprof_scratch_task_path(0);
  }
  __cilkprof_join_task_path(frame, local_work, deep, here);
}

/* Returns whether all children of the current OpenMP task are FRAME's: it runs the task, which is a block, or was
   called by one that has made no tasks.  */
static int has_all_children_of_task(const frame_t *frame) {
  const block_t *block = frame->block ? frame->block : frame[-1].spawned ? NULL : frame[-1].block;
  return block && !(block->flags & __CILKPROF_BLOCK_OPEN);
}

/* Joins the children of the current OpenMP task, those of FRAME and of all that encloses it, at a taskwait or, if
   BARRIER, at a barrier.  A barrier in a team's loop is the one at the loop's end, which GCC puts before everything
   else that ends there: it is carried out after the loop.  */
void __cilkprof_join_children_of_task(frame_t *frame, uint64_t local_work, uint64_t barrier) {
  if (barrier && frame->block && frame->block->kind == __CILKPROF_BLOCK_LOOP) {
    frame->block->flags |= __CILKPROF_BLOCK_BARRIER;
    return;
  }
  if (!barrier && has_all_children_of_task(frame)) {
    __cilkprof_h_sync(frame, local_work);
    return;
  }
  const struct cilkprof_enclosing here = __cilkprof_innermost_in_task(frame, local_work);
  struct wait wait = THREAD.recording ? find_longest_waited_task(here) : (struct wait){0};
  if (barrier && __cilkprof_keeps_task_paths())
    join_deep_tasks(frame, local_work);
  if (wait.delay | wait.burdened_delay) {
    entry_t *top = frame->top;
    set_profile_flags(CILKPROF_TASKS);
    THREAD.syncs -= !frame->spawned; /* the sync that follows does not count if it joins nothing else */
    if (wait.delay)
      top = __cilkprof_log_push(top, path_to_waited_task(here, &wait.at));
    frame->outer_segment = frame->segment;
    frame->segment = frame->top;
    __cilkprof_p_child(frame, top, here.own, frame->span + here.own + wait.delay, here.burdened_own,
                       frame->burdened_span + here.burdened_own + wait.burdened_delay);
  }
  __cilkprof_lanes_task(frame, local_work, wait.lanes_delay);
  __cilkprof_h_sync(frame, local_work);
  __cilkprof_p_lanes_sync(frame, local_work);
}

/* Waits in FRAME for WHAT, one of __CILKPROF_WAIT_...: for the children of the current task, or at a barrier.  Fibers
   of a team wait for each other too.  */
EXPORT void __cilkprof_taskwait(frame_t *frame, uint64_t local_work, uint64_t what) {
  __cilkprof_p_samples(frame);
  if (__CILKPROF_RARE(what && THREAD.team == __CILKPROF_TEAM_FIBERS))
    __cilkprof_team_wait(frame, local_work, what);
  else if (what != __CILKPROF_WAIT_TURN)
    __cilkprof_join_children_of_task(frame, local_work, what);
}
