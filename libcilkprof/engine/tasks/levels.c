/* The functions and blocks that a task of OpenMP's is in.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/tasks/task.h"

/* By which it was called.  */
static const site_t *site_of(const frame_t *frame, const block_t *block) {
  while (block && block->kind == __CILKPROF_BLOCK_SCOPE)
    block = block->outer.block;
  if (block)
    return called_site(&block->outer);
  return frame > recorder()->frames.first ? called_site(frame - 1) : NULL;
}

struct cilkprof_level __cilkprof_level(frame_t *frame, uint64_t local_work) {
  return (struct cilkprof_level){.state = frame,
                                 .frame = frame,
                                 .block = frame->block,
                                 .foreign = &THREAD.foreign,
                                 .own = local_work - frame->off_span,
                                 .burdened_own = local_work - frame->off_burdened_span,
                                 .lanes = __cilkprof_lanes_here(frame, local_work)};
}

/* From a function to the one that called it, if no other code was between them.  */
static int step_to_caller(struct cilkprof_level *level) {
  frame_t *caller = level->frame - 1;
  if (level->frame <= recorder()->frames.first || !caller->site ||
      caller->site & (__CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK))
    return 0;
  if (caller->site & __CILKPROF_CALL_FOREIGN) {
    if (!level->foreign->instrumented)
      return 0;
    level->foreign = &caller->outer;
  }
  level->state = level->frame = caller;
  level->own = caller->local_work - caller->off_span;
  level->burdened_own = caller->local_work - caller->off_burdened_span;
  level->lanes = __cilkprof_lanes_here(caller, caller->local_work);
  level->inside = 0;
  return 1;
}

int __cilkprof_step_out(struct cilkprof_level *level) {
  const block_t *block = level->block;
  if (block && !(block->flags & __CILKPROF_BLOCK_OPEN))
    return 0;
  if (block) {
    level->state = &block->outer;
    level->inside = block->kind == __CILKPROF_BLOCK_SCOPE;
    level->own = level->inside ? 0 : block->outer_work - block->outer.off_span;
    level->burdened_own = level->inside ? 0 : block->outer_work - block->outer.off_burdened_span;
    level->lanes = level->inside ? (lanes_t){} : __cilkprof_lanes_here(&block->outer, block->outer_work);
  } else if (!step_to_caller(level))
    return 0;
  level->block = level->state->block;
  return 1;
}

void __cilkprof_sum_level(const struct cilkprof_level *level, const entry_t *entry, uint64_t own, uint64_t sign) {
  const frame_t *state = level->state;
  if (!entry && state->spawned)
    __cilkprof_sum_add(state->base, state->longest_start, sign);
  __cilkprof_sum_add(entry ? entry : state->spawned ? state->longest_end + 1 : state->base, state->top, sign);
  const site_t *site = site_of(level->frame, level->block);
  entry_t part = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN, .local_off_span = -own};
  if (site)
    __cilkprof_sum_add(&part, &part + 1, sign);
  else if (own)
    flag(CILKPROF_NO_ON_SPAN);
}
