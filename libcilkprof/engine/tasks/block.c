/* Blocks: parts of a function that are measured like an invocation (cilk_for, a spawned block) or that sync by
   themselves (cilk_scope), and the constructs of OpenMP (with task.c).  loop.c has what is special about loops.
   SPDX-License-Identifier: MIT

   A block for which there is no memory, or whose function shares its frame with others, is ignored, and so are all
   blocks inside it.  */

#include <string.h>

#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/tasks/block.h"
#include "libcilkprof/engine/tasks/task.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* Begins what only loops have in BLOCK, a loop in FRAME.  */
static inline void begin_loop_of_block(frame_t *frame, block_t *block) {
  if (THREAD.team == __CILKPROF_TEAM_FIBERS)
    block->flags |= __CILKPROF_BLOCK_OPEN; /* its part of the loop is code of the fiber like any other */
  block->grain = block->grain_given = block->remaining = block->longest_span = block->longest_burdened =
      block->grain_rest = block->first = block->cost = block->trips = 0;
  block->even = 1;
  block->shares = NULL;
  block->longest_start = block->longest_end = frame->top;
  frame->grains = 0;
}

/* Returns a new block on the thread's stack of blocks; NULL if there is no room, and the block is untracked.  */
static inline block_t *push_block(frame_t *frame, uint64_t kind) {
  if (is_in_untracked_block(frame) || frame == THREAD.frames_end || THREAD.blocks_end - THREAD.blocks <= 1) {
    begin_untracked_block(frame);
    return NULL;
  }
  block_t *block = ++THREAD.blocks;
  if (kind & __CILKPROF_BLOCK_NOWAIT && THREAD.team != __CILKPROF_TEAM_OF_ANY_SIZE)
    kind -= __CILKPROF_BLOCK_NOWAIT;
  block->kind = kind & __CILKPROF_BLOCK_KIND;
  block->flags = kind & ~(uint64_t)__CILKPROF_BLOCK_KIND;
  block->region = 0;
  block->depend = NULL;
  block->team = THREAD.team;
  block->final = THREAD.final;
  block->counted = NULL;
  __cilkprof_lanes_block(block);
  return block;
}

/* Copies a frame, except for the part that is only used while a call is under way.  */
static inline void copy_frame_around_block(frame_t *to, const frame_t *from) {
  memcpy(to, from, offsetof(frame_t, outer));
}

/* Returns whether BLOCK runs in parallel to what follows it: it is spawned, or a loop with nowait.  */
static int is_spawned_block(const block_t *block) {
  return block->kind == __CILKPROF_BLOCK_SPAWN || block->flags & __CILKPROF_BLOCK_NOWAIT;
}

/* Begins BLOCK, a scope in FRAME.  */
static void enter_scope_block(frame_t *frame, block_t *block) {
  copy_frame_around_block(&block->outer, frame);
  frame->spawned = 0;
#ifdef __CILKPROF_PARALLEL
  frame->deferred = NULL;
#endif
  __cilkprof_lanes_scope(frame);
  frame->base = frame->segment = frame->merge = frame->top;
  frame->block = block;
}

/* Begins BLOCK, which is no scope, in FRAME, after LOCAL_WORK.  SITE spawns or calls it.  */
static inline void enter_block_of_site(frame_t *frame, uint64_t local_work, block_t *block, site_t *site) {
  if (is_spawned_block(block))
    __cilkprof_h_spawn(frame, local_work, site);
  else
    __cilkprof_h_call(frame, local_work, site);
  copy_frame_around_block(&block->outer, frame);
  block->outer_work = local_work;
  __cilkprof_p_start(frame, THREAD.top);
  frame->block = block;
  frame->left = 0;
}

/* Begins a block of KIND, with flags, in FRAME.  SITE spawns or calls it; a scope has none.  LOCAL_WORK is the frame's
   before the block; returns the local work in the block, which is 0 unless it is a scope or untracked.  */
EXPORT uint64_t __cilkprof_block_begin(frame_t *frame, uint64_t local_work, site_t *site, uint64_t kind) {
  __cilkprof_p_samples(frame);
  block_t *block = push_block(frame, kind);
  if (!block)
    return local_work;
  if (block->kind == __CILKPROF_BLOCK_SCOPE) {
    enter_scope_block(frame, block);
    return local_work;
  }
  enter_block_of_site(frame, local_work, block, site);
  if (block->kind == __CILKPROF_BLOCK_LOOP)
    begin_loop_of_block(frame, block);
  return 0;
}

#ifdef __CILKPROF_PARALLEL
/* Begins a part of a loop in FRAME, which stands for that of the function with the loop (workers/).  */
void __cilkprof_range_begin(frame_t *frame) {
  block_t *block = push_block(frame, __CILKPROF_BLOCK_LOOP);
  if (!block)
    return;
  copy_frame_around_block(&block->outer, frame);
  block->outer_work = 0;
  frame->block = block;
  begin_loop_of_block(frame, block);
}
#endif

/* Begins an OpenMP task in FRAME.  If DEFERRED, and if tasks are deferred here, it is spawned by the site SPAWNED.
   Otherwise it is included: it waits for the tasks on which it depends (DEPEND, or NULL) and is called by the site
   CALLED.  Returns the local work in the task.  */
EXPORT uint64_t __cilkprof_task_begin(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called,
                                      uint64_t deferred, uint64_t flags, const void *depend) {
  int included = !deferred || !(THREAD.deferring || flags & __CILKPROF_TASK_LIBRARY) ||
                 (deferred == __CILKPROF_SHARE && THREAD.team == __CILKPROF_TEAM_FIBERS);
  if (included && depend && THREAD.team)
    __cilkprof_wait_for_task_depend(frame, local_work, depend);
  __cilkprof_p_samples(frame);
  block_t *block =
      push_block(frame, (included ? __CILKPROF_BLOCK_CALL : __CILKPROF_BLOCK_SPAWN) | __CILKPROF_BLOCK_TASK);
  if (!block)
    return local_work;
  enter_block_of_site(frame, local_work, block, included ? called : spawned);
  block->depend = included ? NULL : depend;
  if (flags & __CILKPROF_TASK_FINAL)
    set_omp_team_and_final(THREAD.team, 1);
  return 0;
}

/* Ends a scope.  The path goes on in FRAME; the children from before the scope are still to be joined.  */
static void leave_scope_block(frame_t *frame, const frame_t *outer) {
  frame->spawned = outer->spawned;
  frame->longest_span = outer->longest_span;
  frame->longest_own = outer->longest_own;
  frame->longest_burdened = outer->longest_burdened;
  frame->longest_burdened_own = outer->longest_burdened_own;
  frame->longest_start = outer->longest_start;
  frame->longest_end = outer->longest_end;
  frame->base = outer->base;
  frame->segment = outer->segment;
  frame->merge = outer->merge;
  frame->outer_segment = outer->outer_segment;
  frame->block = outer->block;
#ifdef __CILKPROF_PARALLEL
  frame->deferred = outer->deferred;
  frame->longest_after = outer->longest_after;
  frame->longest_burdened_after = outer->longest_burdened_after;
#endif
  __cilkprof_lanes_scope_left(frame, outer);
}

/* Books BLOCK, which SITE spawned or called and which has ended, like a call that returned.  FRAME is the state around
   it again.  LEFT says whether it left tasks behind.  */
static inline void book_ended_block(frame_t *frame, const block_t *block, site_t *site, int left) {
  uint64_t work = block->outer_work;
  int is_task = (block->flags & __CILKPROF_BLOCK_TASK) != 0;
  if (is_task && is_spawned_block(block)) {
    if (left || block->depend)
      __cilkprof_task_returned(frame, work, block, site, left);
    else
      __cilkprof_p_task_returned(frame, work, site);
    return;
  }
  if (is_spawned_block(block)) {
    __cilkprof_h_spawn_returned(frame, work, site);
    return;
  }
  __cilkprof_h_returned(frame, site);
  if (profiled_thread()->tasks.accesses)
    __cilkprof_task_paths_left(frame, block, site);
  if (left && is_task)
    __cilkprof_included_task_returned(frame, work, site);
  else if (left)
    __cilkprof_adopt(frame, work, site);
}

/* Returns whether the end of BLOCK has nothing to join.  Lanes and root invocations have to be handled in any case.  */
static inline int block_joins_nothing(const frame_t *frame, const block_t *block) {
#ifdef __CILKPROF_WHATIF
  (void)frame, (void)block;
  return 0;
#else
  return !frame->spawned && !has_deferred_children(frame) && !block->region && !profiled_thread()->roots;
#endif
}

/* Ends the innermost block of FRAME.  Returns the local work of the state around it.  */
EXPORT uint64_t __cilkprof_block_end(frame_t *frame, uint64_t local_work) {
  block_t *block = frame->block;
  if (__CILKPROF_RARE(is_innermost_block_untracked(frame)))
    return end_untracked_block(frame, local_work);
  __cilkprof_p_samples(frame);
  observe_strand_end(frame, block, local_work);
  THREAD.blocks = block - 1;
  set_omp_team_and_final(block->team, block->final);
  int left = !block_joins_nothing(frame, block) && __cilkprof_block_joins(frame, local_work);
  if (profiled_thread()->tasks.accesses)
    __cilkprof_task_region_ended(block);
  if (block->kind == __CILKPROF_BLOCK_SCOPE) {
    __cilkprof_pieces_scope_left(frame);
    leave_scope_block(frame, &block->outer);
    return local_work;
  }
  __cilkprof_h_leave(frame, local_work);
  copy_frame_around_block(frame, &block->outer);
  book_ended_block(frame, block, called_site(frame), left);
  return block->outer_work;
}

/* Sets the team of a parallel region, whose block has just begun.  THREADS is 1 if only one thread runs it.  A region
   in a fiber of a team is run by that fiber alone, unless it gets fibers of its own.  */
EXPORT void __cilkprof_team(frame_t *frame, uint64_t threads) {
  int alone = threads == 1 || THREAD.team == __CILKPROF_TEAM_FIBERS;
  if (!is_innermost_block_untracked(frame))
    set_omp_team_and_final(alone ? 0 : __CILKPROF_TEAM_OF_ANY_SIZE, THREAD.final);
}
