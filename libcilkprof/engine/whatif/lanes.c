/* The lanes of blocks, tasks and foreign code: computes on every lane what is computed for the real span.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/whatif/whatif.h"

#ifdef __CILKPROF_WHATIF

#define EACH_PAIR for (int i = 0; i < __CILKPROF_CANDIDATES; i++)

/* Returns what WORK costs on every lane, if it is done now.  */
static lanes_t cost(uint64_t work) {
  lanes_t lanes;
  EACH_PAIR lanes.pairs[i] = __CILKPROF_LANE_COST(i, work);
  return lanes;
}

/* Returns lanes of length 0.  */
static lanes_t no_lanes(void) {
  lanes_t lanes;
  EACH_PAIR lanes.pairs[i] = __CILKPROF_NO_PAIR;
  return lanes;
}

lanes_t __cilkprof_lanes_plus(lanes_t a, lanes_t b) {
  EACH_PAIR a.pairs[i] += b.pairs[i];
  return a;
}

lanes_t __cilkprof_lanes_minus(lanes_t a, lanes_t b) {
  EACH_PAIR a.pairs[i] -= b.pairs[i];
  return a;
}

int __cilkprof_lanes_lengthen(lanes_t *path, lanes_t other) {
  uint64_t longer = 0;
  EACH_PAIR {
    __cilkprof_pair before = path->pairs[i];
    __cilkprof_p_lengthen(&path->pairs[i], &other.pairs[i]);
    longer |= (before[0] ^ path->pairs[i][0]) | (before[1] ^ path->pairs[i][1]);
  }
  return longer != 0;
}

lanes_t __cilkprof_lanes_beyond(lanes_t longest, lanes_t end) {
  lanes_t more = no_lanes();
  __cilkprof_lanes_lengthen(&more, __cilkprof_lanes_minus(longest, end));
  return more;
}

lanes_t __cilkprof_lanes_here(const frame_t *state, uint64_t local_work) {
  lanes_t path = __cilkprof_lane_units(state->inside);
  EACH_PAIR path.pairs[i] = state->lanes.pairs[i] + local_work * path.pairs[i];
  return path;
}

void __cilkprof_lanes_task(frame_t *frame, uint64_t local_work, lanes_t more) {
  __cilkprof_lanes_lengthen(&frame->longest_lanes,
                            __cilkprof_lanes_plus(__cilkprof_lanes_here(frame, local_work), more));
}

void __cilkprof_lanes_block(block_t *block) {
  block->longest_lanes = no_lanes();
}

void __cilkprof_lanes_scope(frame_t *frame) {
  frame->longest_lanes = no_lanes();
}

void __cilkprof_lanes_scope_left(frame_t *frame, const frame_t *outer) {
  frame->longest_lanes = outer->longest_lanes;
}

/* The next grain begins where the loop began, so the lanes without the function's own work are negative.  */
void __cilkprof_lanes_grain(frame_t *frame, block_t *block, uint64_t local_work) {
  lanes_t own = cost(local_work);
  __cilkprof_lanes_lengthen(&block->longest_lanes, __cilkprof_lanes_plus(frame->lanes, own));
  frame->lanes = __cilkprof_lanes_minus(no_lanes(), own);
}

void __cilkprof_lanes_even_grains(block_t *block) {
  block->longest_lanes = cost(block->longest_own);
}

/* The path of a loop is that of its longest grain.  WORK_BESIDE is the local work of the loop less that of the nodes on
   the path.  */
void __cilkprof_lanes_loop(frame_t *frame, const block_t *block, uint64_t work_beside) {
  frame->lanes = __cilkprof_lanes_minus(block->longest_lanes, cost(work_beside));
}

void __cilkprof_lanes_cleared(void) {
  THREAD.lanes = no_lanes();
}

void __cilkprof_lanes_between(const frame_t *before, const frame_t *now) {
  lanes_t own = cost(now->local_work - before->local_work);
  THREAD.lanes = __cilkprof_lanes_minus(__cilkprof_lanes_plus(now->lanes, own), before->lanes);
}

void __cilkprof_lanes_pending_booked(void) {
  THREAD.foreign.lanes = __cilkprof_lanes_plus(THREAD.foreign.lanes, THREAD.lanes);
}

void __cilkprof_lanes_foreign(uint64_t own) {
  THREAD.lanes = __cilkprof_lanes_plus(THREAD.foreign.lanes, cost(own));
}

#endif
