/* The lanes of blocks and of foreign code: what the real span does there, on each of them.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/span/whatif.h"

#ifdef __CILKPROF_WHATIF

typedef struct __cilkprof_lanes lanes_t;

static lanes_t all(uint64_t value) {
  lanes_t lanes;
  for (int i = 0; i < __CILKPROF_CANDIDATES; i++)
    lanes.pairs[i] = (__cilkprof_pair){value, value};
  return lanes;
}

static lanes_t plus(lanes_t lanes, uint64_t value) {
  for (int i = 0; i < __CILKPROF_CANDIDATES; i++)
    lanes.pairs[i] += value;
  return lanes;
}

void __cilkprof_lanes_block(block_t *block) {
  block->longest_lanes = all(0);
}

void __cilkprof_lanes_scope(frame_t *frame) {
  frame->longest_lanes = all(0);
}

void __cilkprof_lanes_scope_left(frame_t *frame, const frame_t *outer) {
  frame->longest_lanes = outer->longest_lanes;
}

/* A grain ends; the next one begins where the loop did.  */
void __cilkprof_lanes_grain(frame_t *frame, block_t *block, uint64_t local_work) {
  uint64_t own = local_work * THREAD.lane_unit;
  lanes_t paths = plus(frame->lanes, own);
  for (int i = 0; i < __CILKPROF_CANDIDATES; i++)
    __cilkprof_p_lengthen(&block->longest_lanes.pairs[i], &paths.pairs[i]);
  frame->lanes = all(-own);
}

void __cilkprof_lanes_even_grains(block_t *block) {
  block->longest_lanes = all(block->longest_own * THREAD.lane_unit);
}

/* The loop's path is that of the longest grain; WORK_BESIDE is what the loop did that is on none.  */
void __cilkprof_lanes_loop(frame_t *frame, const block_t *block, uint64_t work_beside) {
  frame->lanes = plus(block->longest_lanes, -(work_beside * THREAD.lane_unit));
}

/* What returns cost nothing.  */
void __cilkprof_lanes_cleared(void) {
  THREAD.lanes = all(0);
}

void __cilkprof_lanes_between(const frame_t *before, const frame_t *now) {
  uint64_t own = (now->local_work - before->local_work) * THREAD.lane_unit;
  for (int i = 0; i < __CILKPROF_CANDIDATES; i++)
    THREAD.lanes.pairs[i] = now->lanes.pairs[i] - before->lanes.pairs[i] + own;
}

/* The totals of foreign code's last callee are in the return slots.  */
void __cilkprof_lanes_settled(void) {
  for (int i = 0; i < __CILKPROF_CANDIDATES; i++)
    THREAD.foreign.lanes.pairs[i] += THREAD.lanes.pairs[i];
}

/* Foreign code returns, after OWN work of its own.  */
void __cilkprof_lanes_foreign(uint64_t own) {
  THREAD.lanes = plus(THREAD.foreign.lanes, own * THREAD.lane_unit);
}

#endif
