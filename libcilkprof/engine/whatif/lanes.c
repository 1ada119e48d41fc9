/* The lanes of blocks, tasks and foreign code: computes on every lane what is computed for the real span.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/whatif/whatif.h"

#ifdef __CILKPROF_WHATIF

#define EACH_PAIR for (int i = 0; i < __CILKPROF_CANDIDATES; i++)

/* Returns what WORK, in units, costs on every what-if lane if it is done now, inside the candidates that are open.  */
static lanes_t cost_on_lanes(uint64_t work) {
  lanes_t lanes;
  EACH_PAIR lanes.pairs[i] = __CILKPROF_LANE_COST(i, work);
  return lanes;
}

/* Returns what-if lanes of length 0.  */
static lanes_t empty_lanes(void) {
  lanes_t lanes;
  EACH_PAIR lanes.pairs[i] = __CILKPROF_NO_PAIR;
  return lanes;
}

/* Returns the sums of the what-if lanes A and B, lane by lane.  */
lanes_t __cilkprof_lanes_plus(lanes_t a, lanes_t b) {
  EACH_PAIR a.pairs[i] += b.pairs[i];
  return a;
}

/* Returns the differences of the what-if lanes A and B, lane by lane.  */
lanes_t __cilkprof_lanes_minus(lanes_t a, lanes_t b) {
  EACH_PAIR a.pairs[i] -= b.pairs[i];
  return a;
}

/* Makes PATH as long as OTHER on the what-if lanes on which OTHER is longer.  Returns whether there are any.  */
int __cilkprof_lanes_lengthen(lanes_t *path, lanes_t other) {
  uint64_t longer = 0;
  EACH_PAIR {
    __cilkprof_pair before = path->pairs[i];
    __cilkprof_p_lengthen(&path->pairs[i], &other.pairs[i]);
    longer |= (before[0] ^ path->pairs[i][0]) | (before[1] ^ path->pairs[i][1]);
  }
  return longer != 0;
}

/* Returns by how much LONGEST exceeds END on every what-if lane; 0 on lanes on which it does not.  */
lanes_t __cilkprof_lanes_beyond(lanes_t longest, lanes_t end) {
  lanes_t more = empty_lanes();
  __cilkprof_lanes_lengthen(&more, __cilkprof_lanes_minus(longest, end));
  return more;
}

/* Returns, on every what-if lane, the path to here from the beginning of the function or block whose state is STATE.
   LOCAL_WORK is what it has done itself so far.  */
lanes_t __cilkprof_lanes_here(const frame_t *state, uint64_t local_work) {
  lanes_t path = __cilkprof_lane_units(state->inside);
  EACH_PAIR path.pairs[i] = state->lanes.pairs[i] + local_work * path.pairs[i];
  return path;
}

/* Adds a child of FRAME, which ends MORE later than here, to the longest ones on every what-if lane.  LOCAL_WORK is
   what the frame has done itself so far.  */
void __cilkprof_lanes_task(frame_t *frame, uint64_t local_work, lanes_t more) {
  __cilkprof_lanes_lengthen(&frame->longest_lanes,
                            __cilkprof_lanes_plus(__cilkprof_lanes_here(frame, local_work), more));
}

/* Makes the path to the current point in FRAME longer by MORE, on every what-if lane.  */
void __cilkprof_lanes_add(frame_t *frame, lanes_t more) {
  EACH_PAIR frame->lanes.pairs[i] += more.pairs[i];
}

/* Sets the longest what-if lanes of BLOCK, which begins, to nothing.  */
void __cilkprof_lanes_block(block_t *block) {
  block->longest_lanes = empty_lanes();
}

/* Sets the longest what-if lanes of FRAME to nothing: a cilk_scope begins, which has no children yet.  */
void __cilkprof_lanes_scope(frame_t *frame) {
  frame->longest_lanes = empty_lanes();
}

/* Restores the longest what-if lanes of FRAME at the end of a cilk_scope to those of OUTER, the frame's state before
   the scope.  */
void __cilkprof_lanes_scope_left(frame_t *frame, const frame_t *outer) {
  frame->longest_lanes = outer->longest_lanes;
}

/* Ends a grain of the loop BLOCK in FRAME on every what-if lane: keeps it where it is the longest.  The next grain
   begins where the loop began, so the lanes without the function's own work are negative.  */
void __cilkprof_lanes_grain(frame_t *frame, block_t *block, uint64_t local_work) {
  lanes_t own = cost_on_lanes(local_work);
  __cilkprof_lanes_lengthen(&block->longest_lanes, __cilkprof_lanes_plus(frame->lanes, own));
  frame->lanes = __cilkprof_lanes_minus(empty_lanes(), own);
}

/* Sets the longest what-if lanes of BLOCK, a loop whose grains are all equally long, to the cost of one of them.  */
void __cilkprof_lanes_even_grains(block_t *block) {
  block->longest_lanes = cost_on_lanes(block->longest_own);
}

/* Ends the loop BLOCK in FRAME on every what-if lane: its path is that of its longest grain.  WORK_BESIDE is the local
   work of the loop less that of the nodes on the path.  */
void __cilkprof_lanes_loop(frame_t *frame, const block_t *block, uint64_t work_beside) {
  frame->lanes = __cilkprof_lanes_minus(block->longest_lanes, cost_on_lanes(work_beside));
}

/* Sets the what-if lanes in the return slots to nothing, which makes the invocation that returns cost nothing.  */
void __cilkprof_lanes_cleared(void) {
  THREAD.lanes = empty_lanes();
}

/* Puts the difference between the paths to NOW and to BEFORE, two states of one frame, on every what-if lane into the
   return slots.  */
void __cilkprof_lanes_between(const frame_t *before, const frame_t *now) {
  lanes_t own = cost_on_lanes(now->local_work - before->local_work);
  THREAD.lanes = __cilkprof_lanes_minus(__cilkprof_lanes_plus(now->lanes, own), before->lanes);
}

/* Adds the what-if lanes in the return slots, those of the last callee of foreign code, to the lanes of that code.  */
void __cilkprof_lanes_pending_booked(void) {
  THREAD.foreign.lanes = __cilkprof_lanes_plus(THREAD.foreign.lanes, THREAD.lanes);
}

/* Puts the what-if lanes of foreign code that returns, after OWN work of its own, into the return slots.  */
void __cilkprof_lanes_foreign(uint64_t own) {
  THREAD.lanes = __cilkprof_lanes_plus(THREAD.foreign.lanes, cost_on_lanes(own));
}

#endif
