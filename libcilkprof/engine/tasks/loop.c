/* Loops: cilk_for, and loops that an OpenMP team divides.
   SPDX-License-Identifier: MIT

   A cilk_for is a balanced tree of spawns whose leaves are grains of iterations.  A serial run visits the leaves from
   left to right; the path to each begins where the loop begins.  A node of the tree costs a few instructions
   (loop_node).  The path to a leaf passes as many nodes as the tree is deep, and in the burdened dag as many burdens.
   A loop that an OpenMP team divides has grains too, the chunks of its schedule, but they are all taken at once: its
   tree is flat.  */

#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/tasks/block.h"
#include "libcilkprof/engine/time/divide.h"
#include "libcilkprof/engine/tasks/shares.h"
#include "libcilkprof/engine/tasks/task.h"
#include "libcilkprof/engine/whatif/whatif.h"

enum { MAX_GRAIN = 2048, GRAINS_PER_WORKER = 8 };

/* The most nodes that all loops of a run may have.  Nodes are the only work that takes no time: a loop that the
   compiler replaced by its result may have any number of them.  This many cost less than 2^61 units, and so does
   everything else in a run of decades: two bits of a sum of work are left for flags.  */
#define MAX_ALL_NODES ((uint64_t)1 << 53)

/* Returns the grain size, in iterations, that a Cilk runtime would choose for a loop of TRIPS iterations.  */
static uint64_t choose_loop_grain(uint64_t trips) {
  uint64_t grains = GRAINS_PER_WORKER * ENGINE.loop_workers;
  if (trips <= grains)
    return 1;
  uint64_t grain = divide_loop_rounding_up(trips, grains);
  return grain > MAX_GRAIN ? MAX_GRAIN : grain;
}

/* Begins a grain of the loop BLOCK.  If the shares of threads are followed, the grain is run in parts, up to each
   stop.  */
static void begin_loop_grain(frame_t *frame, block_t *block) {
  frame->left = block->grain;
  if (__CILKPROF_RARE(block->shares != NULL)) {
    frame->left = __cilkprof_shares_run(block->shares, block->grain);
    block->grain_rest = block->grain - frame->left;
  }
}

/* Sets the grain size of a cilk_for that has just begun.  GRAIN is 0 or less if none is given, TRIPS is 0 if the number
   of iterations is not known yet.  */
EXPORT void __cilkprof_loop_grains(frame_t *frame, uint64_t grain, uint64_t trips) {
  if (__CILKPROF_RARE(is_innermost_block_untracked(frame)))
    return;
  frame->block->trips = trips;
  frame->block->grain_given = (int64_t)grain > 0;
  frame->block->grain = frame->block->first = frame->left = (int64_t)grain > 0 ? grain : choose_loop_grain(trips);
}

/* Sets the chunks of a loop that has just begun and that a team divides.  CHUNK is 0 if none is given, TRIPS is 0 if
   the number of iterations is not known.  A team of one thread takes the whole loop, and a fiber of a team what it has
   of it.  */
EXPORT void __cilkprof_team_loop(frame_t *frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  if (__CILKPROF_RARE(is_innermost_block_untracked(frame)))
    return;
  block_t *block = frame->block;
  block->grain_given = 1;
  block->grain = block->first = frame->left = INT64_MAX;
  if (THREAD.team != __CILKPROF_TEAM_OF_ANY_SIZE)
    return;
  struct cilkprof_chunks chunks = __cilkprof_loop_chunks(schedule, chunk, trips);
  block->grain = chunks.first;
  block->least = chunks.least;
  block->remaining = chunks.guided && trips > chunks.first ? trips - chunks.first : 0;
  if (chunks.fixed)
    block->shares = __cilkprof_shares_begin(chunks.given, trips);
  begin_loop_grain(frame, block);
  block->first = frame->left;
}

/* Sets the size of the next chunk of a guided schedule: one thread's share of the iterations that are left.  */
static void set_next_loop_grain(block_t *block) {
  if (!block->remaining)
    return;
  uint64_t part = divide_loop_rounding_up(block->remaining, ENGINE.loop_workers);
  block->grain = part > block->least ? part : block->least;
  block->remaining -= block->grain < block->remaining ? block->grain : block->remaining;
}

/* Moves the entries from START to END down to TO, and adjusts the addresses in holes.  Returns their new end.  */
static entry_t *move_loop_grain_log_entries(entry_t *to, const entry_t *start, const entry_t *end) {
  uint64_t distance = (uint64_t)start - (uint64_t)to;
  for (; start < end; start++, to++) {
    *to = *start;
    if (to->key == __CILKPROF_ENTRY_HOLE)
      to->local_work -= distance;
  }
  return to;
}

/* Divides what has been measured as one grain of BLOCK in FRAME into block->even grains that are equally long.  One of
   them remains to be ended.  If an exception left the iterations, or one of them entered a function with events, other
   things have been booked beside the stretch that they were, and all stay in that grain.  */
static __attribute__((noinline)) void divide_even_loop_grains(frame_t *frame, block_t *block, uint64_t local_work) {
  uint64_t grains = block->even, own = (local_work - frame->off_span) / grains;
  entry_t *stretch = block->longest_end;
  block->even = 1;
  frame->grains += grains - 1;
  if (frame->top == stretch && !(frame->span | frame->burdened_span)) { /* the iterations called nothing */
    frame->off_span = frame->off_burdened_span = local_work - own;
    block->cost += (grains - 1) * own;
    return;
  }
  if (frame->top != stretch + 1 || stretch->local_work != frame->span || frame->burdened_span != frame->span)
    return;
  frame->off_span = frame->off_burdened_span = local_work - own;
  frame->span = frame->burdened_span = stretch->local_work /= grains;
  block->cost += (grains - 1) * (frame->span + own);
}

/* Ends a grain.  The longest one is kept, the first of equally long ones, as with spawned children.  The path to the
   next one starts where the loop started, and its entries follow those of the longest.  The base is reset too: it may
   be that of a region in the grain (marks/root_region.c).  */
static void end_loop_grain(frame_t *frame, block_t *block, uint64_t local_work) {
  int first = !frame->grains; /* nothing is known of a longest one yet, even if this one takes no time */
  uint64_t even = block->even;
  if (__CILKPROF_RARE(even != 1))
    divide_even_loop_grains(frame, block, local_work);
  if (__CILKPROF_RARE(THREAD.sampled))
    frame->top = __cilkprof_push_part_of_samples(frame->top, 1, even);
  if (__CILKPROF_RARE(block->region)) {
    __cilkprof_join_all_tasks(frame, local_work);
    __cilkprof_task_region_ended(block);
  }
  uint64_t own = local_work - frame->off_span, span = frame->span + own;
  uint64_t burdened_own = local_work - frame->off_burdened_span, burdened = frame->burdened_span + burdened_own;
  if (__CILKPROF_RARE(block->shares != NULL))
    __cilkprof_shares_stop(block->shares, block->cost + span);
  if (__CILKPROF_NOTES_CHILDREN &&
      __CILKPROF_RARE(span >= __CILKPROF_LONG_CHILD || frame->work & __CILKPROF_WORK_HOLDS))
    __cilkprof_piece_grain(frame, frame->work + local_work, span);
  block->cost += span;
  if (first || span > block->longest_span) {
    int moves = !first && frame->top < THREAD.limit; /* entries in the sink stay there */
    block->longest_end =
        moves ? move_loop_grain_log_entries(block->longest_start, block->longest_end, frame->top) : frame->top;
    block->longest_span = span;
    block->longest_own = own;
  }
  if (first || burdened > block->longest_burdened) {
    block->longest_burdened = burdened;
    block->longest_burdened_own = burdened_own;
  }
  __cilkprof_lanes_grain(frame, block, local_work);
  frame->grains++;
  set_next_loop_grain(block);
  begin_loop_grain(frame, block);
  frame->off_span = frame->off_burdened_span = local_work;
  /* Stores are avoided where nothing changes, as they would disturb a loop that fills memory.  */
  if (frame->span | frame->burdened_span)
    frame->span = frame->burdened_span = 0;
  if (frame->top != block->longest_end || frame->base != block->longest_end || frame->segment != block->longest_end ||
      frame->merge != block->longest_end)
    frame->top = frame->base = frame->segment = frame->merge = block->longest_end;
}

/* Passes a stop inside of a grain, the point where the next thread takes over in a team of some size (shares.c).  */
static __attribute__((noinline)) void pass_loop_stop(frame_t *frame, block_t *block, uint64_t local_work) {
  __cilkprof_shares_stop(block->shares, block->cost + frame->span + local_work - frame->off_span);
  frame->left = __cilkprof_shares_run(block->shares, block->grain_rest);
  block->grain_rest -= frame->left;
  block->first = UINT64_MAX; /* the loop has passed an iteration, whatever is LEFT */
}

/* Ends an iteration that has children.  In a team's loop it does not wait for its tasks: the end of the loop does.  An
   untracked frame has no block.  */
static __attribute__((noinline)) void end_spawning_loop_iteration(frame_t *frame, uint64_t local_work) {
  block_t *block = frame->block;
  int stops = frame->left == 0 && block->grain_rest, ends = frame->left == 0 && !stops;
  if (ends || !block || !(block->flags & __CILKPROF_BLOCK_TASK))
    __cilkprof_h_sync(frame, local_work);
  if (stops)
    pass_loop_stop(frame, block, local_work);
  else if (ends)
    end_loop_grain(frame, block, local_work);
}

/* Ends an iteration of a loop that has children, or that is the last one of its grain or of a run up to a stop: the
   point where the next thread takes over in some team (shares.c).  Children are joined, except in the loop of a team,
   whose end joins them.  Iterations without children are handled without using the stack.  */
EXPORT void __cilkprof_iteration_end(frame_t *frame, uint64_t local_work) {
  if (frame->spawned || has_deferred_children(frame))
    end_spawning_loop_iteration(frame, local_work);
  else if (frame->block->grain_rest)
    pass_loop_stop(frame, frame->block, local_work);
  else
    end_loop_grain(frame, frame->block, local_work);
}

/* Returns the depth of the tree of spawns of a loop with LEAVES grains.  That of a team's loop is flat.  */
static uint64_t loop_tree_depth(const block_t *block, uint64_t leaves) {
  return leaves < 2 ? 0 : block->flags & __CILKPROF_BLOCK_TASK ? 1 : 64 - (uint64_t)__builtin_clzll(leaves - 1);
}

/* Sets the grains of a loop without events between its iterations, which are all assumed to cost the same.  */
static void set_even_loop_grains(frame_t *frame, block_t *block, uint64_t local_work, uint64_t trips) {
  uint64_t grain = block->grain_given || trips == block->trips ? block->grain : choose_loop_grain(trips);
  if (grain > trips)
    grain = trips;
  frame->grains = divide_loop_rounding_up(trips, grain);
  if (block->remaining)
    for (frame->grains = 1; block->remaining; frame->grains++)
      set_next_loop_grain(block);
  if (__CILKPROF_RARE(THREAD.sampled))
    block->longest_end = __cilkprof_push_part_of_samples(block->longest_end, grain, trips);
  block->longest_own = cost_of_loop_part(local_work, grain, trips, trips - 1);
  block->longest_burdened_own = block->longest_span = block->longest_burdened = block->longest_own;
  __cilkprof_lanes_even_grains(block);
}

/* Returns NODES, or as many as are left for all loops of the run.  */
static uint64_t limit_loop_nodes(uint64_t nodes) {
  uint64_t left = MAX_ALL_NODES - THREAD.loop_spawns;
  if (__CILKPROF_RARE(nodes > left)) {
    set_profile_flags(CILKPROF_SATURATED);
    return left;
  }
  return nodes;
}

/* Records the execution of the loop BLOCK, which has ended with FRAME->grains grains.  TRIPS and LOCAL_WORK are its
   iterations and its work if there were no events between the iterations; otherwise TRIPS is 0.  */
static void record_loop_execution(frame_t *frame, block_t *block, uint64_t local_work, uint64_t trips) {
  uint64_t longest[CILKPROF_SHARES];
  if (block->shares && trips)
    __cilkprof_shares_end_even(block->shares, local_work, trips, longest);
  else if (block->shares)
    __cilkprof_shares_end(block->shares, block->cost, longest);
  int divided = block->grain != INT64_MAX; /* not by a team of one */
  struct loop_record *record = THREAD.recording && divided ? __cilkprof_loop_record(called_site(&block->outer)) : NULL;
  if (!record)
    return;
  record->sums.executions++;
  record->sums.pieces += frame->grains;
  record->sums.single += block->grain == 1;
  record->sums.work += trips ? local_work : block->cost;
  if (block->shares)
    frame->top = __cilkprof_loop_record_shares(record, longest, block->longest_span, frame->top);
}

/* Ends the block of a loop, and carries out the barrier at its end.  Returns the local work around it.  */
static uint64_t end_loop_block(frame_t *frame, uint64_t local_work) {
  uint64_t barrier = frame->block->flags & __CILKPROF_BLOCK_BARRIER;
  local_work = __cilkprof_block_end(frame, local_work);
  if (barrier)
    __cilkprof_taskwait(frame, local_work, __CILKPROF_WAIT_BARRIER);
  return local_work;
}

/* Ends the loop BLOCK in FRAME, whose grains have ended, and adds the cost of its tree of spawns.  TRIPS is the number
   of iterations if there were no events between them, else 0.  Returns the local work of the code around the loop.  */
static uint64_t end_divided_loop(frame_t *frame, block_t *block, uint64_t local_work, uint64_t trips) {
  uint64_t own = local_work;
  uint64_t nodes = limit_loop_nodes(frame->grains - 1), depth = loop_tree_depth(block, frame->grains);
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
  record_loop_execution(frame, block, own, trips);
  __cilkprof_piece_loop(frame, local_work);
  return end_loop_block(frame, local_work);
}

/* Ends a loop and adds the cost of its tree of spawns.  TRIPS is the number of iterations if there were no events
   between them, else 0.  Returns the local work of the code around the loop.  */
EXPORT uint64_t __cilkprof_loop_end(frame_t *frame, uint64_t local_work, uint64_t trips) {
  block_t *block = frame->block;
  if (__CILKPROF_RARE(is_innermost_block_untracked(frame)))
    return end_untracked_block(frame, local_work);
  observe_strand_end(frame, block, local_work);
  __cilkprof_h_sync(frame, local_work);
  int told = frame->grains || frame->left != block->first;
  if (told)
    end_loop_grain(frame, block, local_work);
  else if (trips)
    set_even_loop_grains(frame, block, local_work, trips);
  else {
    if (block->shares)
      __cilkprof_shares_drop(block->shares);
    return end_loop_block(frame, local_work);
  }
  return end_divided_loop(frame, block, local_work, told ? 0 : trips);
}

#ifdef __CILKPROF_PARALLEL
/* Ends a grain of the loop in FRAME: a call of its body has returned (workers/).  */
void __cilkprof_range_grain_end(frame_t *frame) {
  __cilkprof_h_sync(frame, frame->local_work);
  end_loop_grain(frame, frame->block, frame->local_work);
}

/* Ends the loop in FRAME, all of whose grains have ended, in whatever worker, and been joined.  Returns the local work
   of the code around the loop.  */
uint64_t __cilkprof_ranges_end(frame_t *frame) {
  observe_strand_end(frame, frame->block, frame->local_work);
  return end_divided_loop(frame, frame->block, frame->local_work, 0);
}
#endif
