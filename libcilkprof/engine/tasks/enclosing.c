/* The frames and blocks that enclose a point in an OpenMP task.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/tasks/task.h"

/* Returns the call site of the block of ENCLOSING, or that of its function if it is in no block but scopes.  The first
   function of a thread was entered from outside: no parallel region is around the tasks of a library.  NULL: there is
   no such site.  */
static const site_t *enclosing_task_block_site(const struct cilkprof_enclosing *enclosing) {
  const block_t *block = enclosing->block;
  while (block && block->kind == __CILKPROF_BLOCK_SCOPE)
    block = block->outer.block;
  if (block)
    return called_site(&block->outer);
  return enclosing->frame > profiled_thread()->frames.first ? called_site(enclosing->frame - 1)
                                                            : enclosing->foreign->entered;
}

/* Returns the innermost part, a frame or block, of the current OpenMP task, with which a walk outwards begins: FRAME,
   whose local work is LOCAL_WORK, and its innermost block.  */
struct cilkprof_enclosing __cilkprof_innermost_in_task(frame_t *frame, uint64_t local_work) {
  return (struct cilkprof_enclosing){.state = frame,
                                     .frame = frame,
                                     .block = frame->block,
                                     .foreign = &THREAD.foreign,
                                     .own = local_work - frame->off_span,
                                     .burdened_own = local_work - frame->off_burdened_span,
                                     .lanes = __cilkprof_lanes_here(frame, local_work)};
}

/* Moves ENCLOSING, in a walk outwards through the current task, from a function to its caller.  Returns 1, or 0 if the
   task ends there: foreign code is between them, or the function was spawned or called as a task.  */
static int step_out_to_task_caller(struct cilkprof_enclosing *enclosing) {
  frame_t *caller = enclosing->frame - 1;
  if (enclosing->frame <= profiled_thread()->frames.first || !caller->site ||
      caller->site & (__CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK))
    return 0;
  if (caller->site & __CILKPROF_CALL_FOREIGN) {
    if (!enclosing->foreign->instrumented)
      return 0;
    enclosing->foreign = &caller->outer;
  }
  enclosing->state = enclosing->frame = caller;
  enclosing->own = caller->local_work - caller->off_span;
  enclosing->burdened_own = caller->local_work - caller->off_burdened_span;
  enclosing->lanes = __cilkprof_lanes_here(caller, caller->local_work);
  enclosing->inside = 0;
  return 1;
}

/* Moves ENCLOSING, a frame or block in a walk through the current OpenMP task, to the next one outwards.  Returns 1, or
   0 if there is none: then ENCLOSING is the block with which the task begins.  */
int __cilkprof_step_out_in_task(struct cilkprof_enclosing *enclosing) {
  const block_t *block = enclosing->block;
  if (block && !(block->flags & __CILKPROF_BLOCK_OPEN))
    return 0;
  if (block) {
    enclosing->state = &block->outer;
    enclosing->inside = block->kind == __CILKPROF_BLOCK_SCOPE;
    enclosing->own = enclosing->inside ? 0 : block->outer_work - block->outer.off_span;
    enclosing->burdened_own = enclosing->inside ? 0 : block->outer_work - block->outer.off_burdened_span;
    enclosing->lanes = enclosing->inside ? (lanes_t){} : __cilkprof_lanes_here(&block->outer, block->outer_work);
  } else if (!step_out_to_task_caller(enclosing))
    return 0;
  enclosing->block = enclosing->state->block;
  return 1;
}

/* Adds to the sum under way (span.h), times SIGN, the entries of the log on the path through ENCLOSING, a frame or
   block of the current task, and OWN units of its own work.  The entries are those from ENTRY on, or all of them if
   ENTRY is NULL.  */
void __cilkprof_sum_enclosing_in_task(const struct cilkprof_enclosing *enclosing, const entry_t *entry, uint64_t own,
                                      uint64_t sign) {
  const frame_t *state = enclosing->state;
  if (!entry && state->spawned)
    __cilkprof_sum_add(state->base, state->longest_start, sign);
  __cilkprof_sum_add(entry ? entry : state->spawned ? state->longest_end + 1 : state->base, state->top, sign);
  const site_t *site = enclosing_task_block_site(enclosing);
  entry_t part = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN, .local_off_span = -own};
  if (site)
    __cilkprof_sum_add(&part, &part + 1, sign);
  else if (own)
    set_profile_flags(CILKPROF_NO_ON_SPAN);
}
