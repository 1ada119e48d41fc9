/* Where a task waits for its children: taskwait, and barriers.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/tasks/paths.h"

/* How much later than here the longest child ends that a enclosing outside has.  */
struct wait {
  uint64_t delay, burdened_delay;
  lanes_t lanes_delay;
  struct cilkprof_enclosing at; /* the enclosing that has it */
};

static struct wait longest_outside(struct cilkprof_enclosing enclosing) {
  uint64_t now = enclosing.state->span + enclosing.own,
           burdened_now = enclosing.state->burdened_span + enclosing.burdened_own;
  lanes_t lanes_now = enclosing.lanes;
  struct wait found = {.at = enclosing};
  while (__cilkprof_step_out(&enclosing)) {
    if (!enclosing.inside) {
      now += enclosing.state->span + enclosing.own;
      burdened_now += enclosing.state->burdened_span + enclosing.burdened_own;
      lanes_now = __cilkprof_lanes_plus(lanes_now, enclosing.lanes);
    }
    if (!enclosing.state->spawned)
      continue;
    uint64_t delay = beyond(enclosing.state->longest_span, now),
             burdened = beyond(enclosing.state->longest_burdened, burdened_now);
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

/* The path to the end of the longest child of OUTER, in place of the one to here.  */
static struct cilkprof_sum path_to_child(struct cilkprof_enclosing enclosing, const struct cilkprof_enclosing *outer) {
  const frame_t *state = outer->state;
  __cilkprof_sum_begin();
  __cilkprof_sum_enclosing(&enclosing, NULL, enclosing.own, -(uint64_t)1);
  while (__cilkprof_step_out(&enclosing) && enclosing.state != state)
    __cilkprof_sum_enclosing(&enclosing, NULL, enclosing.own, -(uint64_t)1);
  /* A scope's outside has the path in common with it: what was done up to the child was taken away with the rest.  */
  uint64_t own = enclosing.inside ? -state->longest_own : enclosing.own - state->longest_own;
  __cilkprof_sum_enclosing(&enclosing, state->longest_end + 1, own, -(uint64_t)1);
  __cilkprof_sum_add(state->longest_start, state->longest_end, 1);
  return __cilkprof_sum_end();
}

/* A barrier also joins what the children have made.  */
static void join_deep(frame_t *frame, uint64_t local_work) {
  struct path length;
  const struct path *deep = __cilkprof_deep(__cilkprof_length_here(frame, local_work, 0, &length)), *here = &length;
  if (!deep)
    return;
  if (deep->span > length.span) {
    __cilkprof_path_here(frame, local_work, 0, __cilkprof_scratch(0));
    here = __cilkprof_scratch(0);
  }
  __cilkprof_join_path(frame, local_work, deep, here);
}

/* Whether what runs is a task that is a block, or what such a task calls where it made no others.  */
static int has_all_children(const frame_t *frame) {
  const block_t *block = frame->block ? frame->block : frame[-1].spawned ? NULL : frame[-1].block;
  return block && !(block->flags & __CILKPROF_BLOCK_OPEN);
}

/* Joins the children of the task that runs: here, and those of what encloses this.  A barrier in a loop of a team is
   the one at its end, where GCC puts it before all else that ends there.  */
EXPORT void __cilkprof_taskwait(frame_t *frame, uint64_t local_work, uint64_t barrier) {
  if (barrier && frame->block && frame->block->kind == __CILKPROF_BLOCK_LOOP) {
    frame->block->flags |= __CILKPROF_BLOCK_BARRIER;
    return;
  }
  if (!barrier && has_all_children(frame)) {
    __cilkprof_h_sync(frame, local_work);
    return;
  }
  const struct cilkprof_enclosing here = __cilkprof_innermost(frame, local_work);
  struct wait wait = THREAD.recording ? longest_outside(here) : (struct wait){0};
  if (barrier && __cilkprof_keeps_paths())
    join_deep(frame, local_work);
  if (wait.delay | wait.burdened_delay) {
    entry_t *top = frame->top;
    flag(CILKPROF_TASKS);
    THREAD.syncs -= !frame->spawned; /* it is none where nothing else is joined */
    if (wait.delay)
      top = __cilkprof_log_push(top, path_to_child(here, &wait.at));
    frame->outer_segment = frame->segment;
    frame->segment = frame->top;
    __cilkprof_p_child(frame, top, here.own, frame->span + here.own + wait.delay, here.burdened_own,
                       frame->burdened_span + here.burdened_own + wait.burdened_delay);
  }
  __cilkprof_lanes_task(frame, local_work, wait.lanes_delay);
  __cilkprof_h_sync(frame, local_work);
  __cilkprof_p_lanes_sync(frame, local_work);
}
