/* Blocks: parts of a function that are measured like an invocation (cilk_for, a spawned block) or sync by themselves
   (cilk_scope), and OpenMP's constructs (task.c has more of these).
   SPDX-License-Identifier: MIT

   A cilk_for is a balanced tree of spawns whose leaves are grains of iterations.  Run serially it visits the leaves
   from left to right; each starts where the loop started.  A node of the tree costs a few instructions (loop_node); the
   path to every leaf passes as many nodes as the tree is deep, and in the burdened dag as many burdens.  A loop that a
   team of OpenMP's divides has grains too, the chunks of its schedule, but all are taken at once: the tree is flat.

   A block for which there is no memory, or whose function shares its frame with others, is as if it were not there; so
   are all inside it.  */

#include <string.h>

#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/tasks/task.h"
#include "libcilkprof/engine/whatif/whatif.h"

enum { GRAIN_MOST = 2048, GRAINS_PER_WORKER = 8 };

/* Of all loops of a run.  Nodes are the only work that takes no time: a loop that the compiler replaced by its result
   may have any number.  So many cost less than 2^62 units, and all else is less than 2^63 in a run of decades: no sum
   of work wraps.  */
#define NODES_MOST ((uint64_t)1 << 54)

/* Whether blocks are open that are untracked.  They are inside those that are not: those of a frame that is deeper than
   this one were left by a jump.  */
static int in_untracked(const frame_t *frame) {
  if (THREAD.untracked_blocks && frame < THREAD.untracked_frame)
    THREAD.untracked_blocks = 0;
  return THREAD.untracked_blocks != 0;
}

/* An untracked loop counts iterations to the end of a grain that has none; the frame's own loop goes on behind it.  */
static void leave_untracked(frame_t *frame) {
  if (THREAD.recording)
    flag(CILKPROF_INCOMPLETE);
  if (THREAD.untracked_blocks++ == 0) {
    THREAD.untracked_frame = frame;
    THREAD.untracked_left = frame->left;
  }
  frame->left = UINT64_MAX;
}

/* A new block on the thread's stack of them; NULL: it is untracked.  */
static block_t *push_block(frame_t *frame, uint64_t kind) {
  if (in_untracked(frame) || frame == THREAD.frames_end || THREAD.blocks_end - THREAD.blocks <= 1) {
    leave_untracked(frame);
    return NULL;
  }
  block_t *block = ++THREAD.blocks;
  block->kind = kind & __CILKPROF_BLOCK_KIND;
  block->flags = kind & ~(uint64_t)(__CILKPROF_BLOCK_KIND | (THREAD.team ? 0 : __CILKPROF_BLOCK_NOWAIT));
  block->region = 0;
  block->depend = NULL;
  block->team = THREAD.team;
  block->final = THREAD.final;
  if (block->kind == __CILKPROF_BLOCK_LOOP)
    block->grain = block->grain_given = block->remaining = block->longest_span = block->longest_burdened = 0;
  __cilkprof_lanes_block(block);
  return block;
}

/* All but what is only used while a call is under way.  */
static inline void copy_frame(frame_t *to, const frame_t *from) {
  memcpy(to, from, offsetof(frame_t, outer));
}

/* Whether the innermost block is untracked; a jump may have left others than it seems.  */
static int is_untracked(const frame_t *frame) {
  return in_untracked(frame) || !frame->block;
}

static uint64_t end_untracked(frame_t *frame, uint64_t local_work) {
  if (THREAD.untracked_blocks && --THREAD.untracked_blocks == 0)
    frame->left = THREAD.untracked_left;
  return local_work;
}

/* The innermost block of FRAME ends where control left it.  */
void __cilkprof_finish_block(frame_t *frame) {
  profiled_thread()->frames.leaving++;
  if (frame->block->kind == __CILKPROF_BLOCK_LOOP)
    frame->local_work = __cilkprof_loop_end(frame, frame->local_work, 0);
  else
    frame->local_work = __cilkprof_block_end(frame, frame->local_work);
  profiled_thread()->frames.leaving--;
}

/* Control jumped to a place in FRAME around which so many blocks are.  Others that are open have been left.  Those of
   them that have ended are open once more; they were measured, and are untracked this time.  */
EXPORT void __cilkprof_close_blocks(frame_t *frame, uint64_t around) {
  uint64_t open = 0;
  if (in_untracked(frame) && frame != THREAD.untracked_frame)
    return;
  if (THREAD.untracked_blocks) {
    THREAD.untracked_blocks = 0;
    frame->left = THREAD.untracked_left;
  }
  for (const block_t *block = frame->block; block; block = block->outer.block)
    open++;
  for (; open > around; open--)
    __cilkprof_finish_block(frame);
  for (; open < around; open++)
    leave_untracked(frame);
}

static int is_spawned(const block_t *block) {
  return block->kind == __CILKPROF_BLOCK_SPAWN || block->flags & __CILKPROF_BLOCK_NOWAIT;
}

EXPORT uint64_t __cilkprof_block_begin(frame_t *frame, uint64_t local_work, site_t *site, uint64_t kind) {
  block_t *block = push_block(frame, kind);
  if (!block)
    return local_work;
  if (block->kind == __CILKPROF_BLOCK_SCOPE) {
    copy_frame(&block->outer, frame);
    frame->spawned = 0;
    __cilkprof_lanes_scope(frame);
    frame->base = frame->segment = frame->merge = frame->top;
    frame->block = block;
    return local_work;
  }
  if (is_spawned(block))
    __cilkprof_h_spawn(frame, local_work, site);
  else
    __cilkprof_h_call(frame, local_work, site);
  copy_frame(&block->outer, frame);
  block->outer_work = local_work;
  __cilkprof_p_start(frame, THREAD.top);
  frame->block = block;
  frame->left = frame->grains = 0;
  block->longest_start = block->longest_end = frame->top;
  return 0;
}

/* The path goes on; what was spawned before the scope is still to be joined.  */
static void leave_scope(frame_t *frame, const frame_t *outer) {
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
  __cilkprof_lanes_scope_left(frame, outer);
}

/* What SITE is of has ended, and FRAME is what is around it again.  LEFT: it leaves tasks behind.  */
static inline void block_returned(frame_t *frame, const block_t *block, site_t *site, int left) {
  uint64_t work = block->outer_work;
  int is_task = (block->flags & __CILKPROF_BLOCK_TASK) != 0;
  if (is_task && is_spawned(block)) {
    if (left || block->depend)
      __cilkprof_task_returned(frame, work, block, site, left);
    else
      __cilkprof_p_task_returned(frame, work, returned(site, frame->segment, frame->key));
    return;
  }
  if (is_spawned(block)) {
    __cilkprof_h_spawn_returned(frame, work, site);
    return;
  }
  __cilkprof_p_returned(frame, returned(site, frame->segment, frame->key));
  if (profiled_thread()->tasks.accesses)
    __cilkprof_paths_left(frame, block, site);
  if (left && is_task)
    __cilkprof_included_returned(frame, work, site);
  else if (left)
    __cilkprof_adopt(frame, work, site);
}

/* Lanes and root invocations are looked at all the same.  */
static inline int joins_nothing(const frame_t *frame, const block_t *block) {
#ifdef __CILKPROF_WHATIF
  (void)frame, (void)block;
  return 0;
#else
  return !frame->spawned && !block->region && !profiled_thread()->roots;
#endif
}

EXPORT uint64_t __cilkprof_block_end(frame_t *frame, uint64_t local_work) {
  block_t *block = frame->block;
  if (__CILKPROF_RARE(is_untracked(frame)))
    return end_untracked(frame, local_work);
  strand_ends(frame, block, local_work);
  THREAD.blocks = block - 1;
  set_team(block->team, block->final);
  int left = !joins_nothing(frame, block) && __cilkprof_block_joins(frame, local_work);
  if (profiled_thread()->tasks.accesses)
    __cilkprof_region_ended(block);
  if (block->kind == __CILKPROF_BLOCK_SCOPE) {
    leave_scope(frame, &block->outer);
    return local_work;
  }
  __cilkprof_h_leave(frame, local_work);
  copy_frame(frame, &block->outer);
  block_returned(frame, block, called_site(frame), left);
  return block->outer_work;
}

/* A parallel region begins, of which BLOCK was the begin: of one thread, or of as many as there are.  */
EXPORT void __cilkprof_team(frame_t *frame, uint64_t threads) {
  if (!is_untracked(frame))
    set_team(threads != 1, THREAD.final);
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

/* The grain that a Cilk runtime would choose for TRIPS iterations.  */
static uint64_t choose_grain(uint64_t trips) {
  uint64_t grain = divide_up(trips, GRAINS_PER_WORKER * ENGINE.loop_workers);
  return grain < 1 ? 1 : grain > GRAIN_MOST ? GRAIN_MOST : grain;
}

/* GRAIN 0 or less: none is given.  TRIPS 0: the number of iterations is not known yet.  */
EXPORT void __cilkprof_loop_grains(frame_t *frame, uint64_t grain, uint64_t trips) {
  if (__CILKPROF_RARE(is_untracked(frame)))
    return;
  frame->block->grain_given = (int64_t)grain > 0;
  frame->block->grain = frame->left = (int64_t)grain > 0 ? grain : choose_grain(trips);
}

/* A loop that a team divides, just begun.  CHUNK 0: none is given.  TRIPS 0: the number of iterations is not known.  A
   team of one takes it whole.  */
EXPORT void __cilkprof_team_loop(frame_t *frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  if (__CILKPROF_RARE(is_untracked(frame)))
    return;
  block_t *block = frame->block;
  block->grain_given = 1;
  block->grain = frame->left = INT64_MAX;
  if (!THREAD.team)
    return;
  struct cilkprof_chunks chunks = __cilkprof_chunks(schedule, chunk, trips);
  block->grain = frame->left = chunks.first;
  block->least = chunks.least;
  block->remaining = chunks.guided && trips > chunks.first ? trips - chunks.first : 0;
}

/* The next chunk of a guided schedule is a thread's part of what is left.  */
static void next_grain(block_t *block) {
  if (!block->remaining)
    return;
  uint64_t part = divide_up(block->remaining, ENGINE.loop_workers);
  block->grain = part > block->least ? part : block->least;
  block->remaining -= block->grain < block->remaining ? block->grain : block->remaining;
}

/* Moves the entries from START to END down to TO; holes name their other end by its address.  */
static entry_t *move_entries(entry_t *to, const entry_t *start, const entry_t *end) {
  uint64_t distance = (uint64_t)start - (uint64_t)to;
  for (; start < end; start++, to++) {
    *to = *start;
    if (to->key == __CILKPROF_ENTRY_HOLE)
      to->count -= distance;
  }
  return to;
}

/* The first longest grain counts, as with spawned children.  The next one starts where the loop did, and its entries
   where those of the longest end; the base may be that of a region in it (marks/root_region.c).  */
static void end_grain(frame_t *frame, block_t *block, uint64_t local_work) {
  if (__CILKPROF_RARE(block->region)) {
    __cilkprof_join_all(frame, local_work);
    __cilkprof_region_ended(block);
  }
  uint64_t own = local_work - frame->off_span, span = frame->span + own;
  uint64_t burdened_own = local_work - frame->off_burdened_span, burdened = frame->burdened_span + burdened_own;
  if (!frame->grains || span > block->longest_span) {
    int moves = frame->grains && frame->top < THREAD.limit; /* those in the sink stay there */
    block->longest_end = moves ? move_entries(block->longest_start, block->longest_end, frame->top) : frame->top;
    block->longest_span = span;
    block->longest_own = own;
  }
  if (!frame->grains || burdened > block->longest_burdened) {
    block->longest_burdened = burdened;
    block->longest_burdened_own = burdened_own;
  }
  __cilkprof_lanes_grain(frame, block, local_work);
  frame->grains++;
  next_grain(block);
  frame->left = block->grain;
  frame->off_span = frame->off_burdened_span = local_work;
  /* What is not written here stays out of the way of a loop that fills memory.  */
  if (frame->span | frame->burdened_span)
    frame->span = frame->burdened_span = 0;
  if (frame->top != block->longest_end || frame->base != block->longest_end || frame->segment != block->longest_end ||
      frame->merge != block->longest_end)
    frame->top = frame->base = frame->segment = frame->merge = block->longest_end;
}

/* A team's does not wait for its tasks: that is done where the loop ends.  A frame that is not tracked has no
   block.  */
static __attribute__((noinline)) void spawning_iteration_end(frame_t *frame, uint64_t local_work) {
  if (frame->left == 0 || !frame->block || !(frame->block->flags & __CILKPROF_BLOCK_TASK))
    __cilkprof_h_sync(frame, local_work);
  if (frame->left == 0)
    end_grain(frame, frame->block, local_work);
}

/* Every iteration syncs.  One without children does not even use the stack.  */
EXPORT void __cilkprof_iteration_end(frame_t *frame, uint64_t local_work) {
  if (frame->spawned)
    spawning_iteration_end(frame, local_work);
  else
    end_grain(frame, frame->block, local_work);
}

static uint64_t tree_depth(const block_t *block, uint64_t leaves) {
  return leaves < 2 ? 0 : block->flags & __CILKPROF_BLOCK_TASK ? 1 : 64 - (uint64_t)__builtin_clzll(leaves - 1);
}

/* A loop whose iterations the compiler did not tell apart: they are taken to be equally long.  */
static void even_grains(frame_t *frame, block_t *block, uint64_t local_work, uint64_t trips) {
  uint64_t grain = block->grain_given ? block->grain : choose_grain(trips);
  if (grain > trips)
    grain = trips;
  frame->grains = divide_up(trips, grain);
  if (block->remaining)
    for (frame->grains = 1; block->remaining; frame->grains++)
      next_grain(block);
  block->longest_own = (uint64_t)(((unsigned __int128)local_work * grain + trips - 1) / trips);
  block->longest_burdened_own = block->longest_span = block->longest_burdened = block->longest_own;
  __cilkprof_lanes_even_grains(block);
}

static uint64_t limit_nodes(uint64_t nodes) {
  uint64_t left = NODES_MOST - THREAD.loop_spawns;
  if (__CILKPROF_RARE(nodes > left)) {
    flag(CILKPROF_SATURATED);
    return left;
  }
  return nodes;
}

static uint64_t end_loop(frame_t *frame, uint64_t local_work) {
  uint64_t barrier = frame->block->flags & __CILKPROF_BLOCK_BARRIER;
  local_work = __cilkprof_block_end(frame, local_work);
  if (barrier)
    __cilkprof_taskwait(frame, local_work, 1);
  return local_work;
}

/* TRIPS counts the iterations where no event told them apart.  */
EXPORT uint64_t __cilkprof_loop_end(frame_t *frame, uint64_t local_work, uint64_t trips) {
  block_t *block = frame->block;
  if (__CILKPROF_RARE(is_untracked(frame)))
    return end_untracked(frame, local_work);
  strand_ends(frame, block, local_work);
  __cilkprof_h_sync(frame, local_work);
  if (frame->grains || frame->left != block->grain)
    end_grain(frame, block, local_work);
  else if (trips)
    even_grains(frame, block, local_work, trips);
  else
    return end_loop(frame, local_work);
  uint64_t nodes = limit_nodes(frame->grains - 1), depth = tree_depth(block, frame->grains);
  if (depth > nodes)
    depth = nodes;
  local_work += nodes * THREAD.loop_node;
  frame->span = block->longest_span - block->longest_own;
  frame->off_span = local_work - block->longest_own - depth * THREAD.loop_node;
  frame->burdened_span = block->longest_burdened - block->longest_burdened_own;
  frame->off_burdened_span = local_work - block->longest_burdened_own - depth * (THREAD.loop_node + THREAD.burden);
  frame->top = block->longest_end;
  __cilkprof_lanes_loop(frame, block, local_work - depth * THREAD.loop_node);
  THREAD.loop_spawns += nodes;
  THREAD.syncs += nodes;
  return end_loop(frame, local_work);
}
