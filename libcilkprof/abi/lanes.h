/* What-if: the span as it would be if a candidate, some part of the program, cost nothing or were faster.
   SPDX-License-Identifier: MIT

   Every candidate has a pair of lanes besides the real span: one where it costs nothing, and one where it is faster by
   a factor.  The longest path is found separately on each lane, so paths that were shorter than the candidate's come to
   light.  LANE_UNITS is the cost of a unit of work on each lane.  Outside of the candidates it is a multiple of every
   factor, so that lanes are exact.  Inside a candidate it is 0 on its first lane, and divided by the factor on its
   second.  An invocation is inside or outside of a candidate as a whole.

   LANES of a frame is the path without the function's own work: path = LANES + LANE_UNITS * local work.  Local work
   that is not on the path is subtracted from LANES, which may therefore be negative modulo 2^64.  */

#ifndef CILKPROF_LANES_H
#define CILKPROF_LANES_H

#pragma GCC system_header

#ifdef __CILKPROF_WHATIF
#define __CILKPROF_EACH_PAIR(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6)

/* The cost of WORK on pair I.  Not every processor multiplies such vectors, and the events are inlined so late in the
   compiler that nothing replaces a multiplication that the processor does not have.  */
#ifdef __x86_64__
#define __CILKPROF_LANE_COST(i, work) ((work)*__cilkprof_self.lane_units.pairs[i])
#else
#define __CILKPROF_LANE_COST(i, work)                                                                                  \
  ((__cilkprof_pair){(work)*__cilkprof_self.lane_units.pairs[i][0], (work)*__cilkprof_self.lane_units.pairs[i][1]})
#endif

/* All bits of the negative numbers of PAIR.  gcc 11 does not know how x86-64 without AVX-512 shifts such vectors.  */
#if defined __x86_64__ && __GNUC__ < 12
#define __CILKPROF_SIGNS(pair) ((__cilkprof_signed_pair){(pair)[0] >> 63, (pair)[1] >> 63})
#else
#define __CILKPROF_SIGNS(pair) ((pair) >> 63)
#endif

/* Sets PATH to the longer one of PATH and OTHER, on both lanes.  No difference of two paths reaches 2^63.  Pairs are
   passed by address, because a function without vector registers can neither pass nor return them.  */
__CILKPROF_PART void __cilkprof_p_lengthen(__cilkprof_pair *path, const __cilkprof_pair *other) {
  __cilkprof_signed_pair more = (__cilkprof_signed_pair)(*path - *other);
  *path = *other + (__cilkprof_pair)(more & ~__CILKPROF_SIGNS(more));
}
#else
#define __CILKPROF_EACH_PAIR(step)
#endif

#define __CILKPROF_NO_PAIR ((__cilkprof_pair){0, 0})

/* Starts the lanes of FRAME, which has just been entered.  Without what-if questions this does nothing, like the other
   functions for lanes.  */
__CILKPROF_PART void __cilkprof_p_lanes_start(struct __cilkprof_frame *frame) {
#define __CILKPROF_STEP(i) frame->lanes.pairs[i] = frame->longest_lanes.pairs[i] = __CILKPROF_NO_PAIR;
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
#ifdef __CILKPROF_WHATIF
  frame->inside = __cilkprof_self.inside;
#endif
}

/* Adds a callee that returned to the path of FRAME, on every lane.  */
__CILKPROF_PART void __cilkprof_p_lanes_returned(struct __cilkprof_frame *frame) {
#define __CILKPROF_STEP(i) frame->lanes.pairs[i] += __cilkprof_self.lanes.pairs[i];
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

/* Compares, on every lane, the path to the end of a spawned child, which has returned, with the longest such path of
   FRAME, and keeps the longer one.  */
__CILKPROF_PART void __cilkprof_p_lanes_child(struct __cilkprof_frame *frame, __cilkprof_u64 local_work){
#define __CILKPROF_STEP(i)                                                                                             \
  {                                                                                                                    \
    __cilkprof_pair path =                                                                                             \
        frame->lanes.pairs[i] + __cilkprof_self.lanes.pairs[i] + __CILKPROF_LANE_COST(i, local_work);                  \
    __cilkprof_p_lengthen(&frame->longest_lanes.pairs[i], &path);                                                      \
  }
    __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

/* Joins the children of FRAME on every lane: the path is the longer one of its own and the longest child's.  */
__CILKPROF_PART void __cilkprof_p_lanes_sync(struct __cilkprof_frame *frame, __cilkprof_u64 local_work){
#define __CILKPROF_STEP(i)                                                                                             \
  {                                                                                                                    \
    __cilkprof_pair path = frame->longest_lanes.pairs[i] - __CILKPROF_LANE_COST(i, local_work);                        \
    __cilkprof_p_lengthen(&frame->lanes.pairs[i], &path);                                                              \
    frame->longest_lanes.pairs[i] = __CILKPROF_NO_PAIR;                                                                \
  }
    __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

/* Writes the path of FRAME to the return slots, on every lane, before its function returns.  */
__CILKPROF_PART void __cilkprof_p_lanes_leave(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
#define __CILKPROF_STEP(i) __cilkprof_self.lanes.pairs[i] = frame->lanes.pairs[i] + __CILKPROF_LANE_COST(i, local_work);
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

/* Writes the path of a function without a frame to the return slots, on every lane.  */
__CILKPROF_PART void __cilkprof_p_lanes_bare(__cilkprof_u64 local_work) {
#define __CILKPROF_STEP(i) __cilkprof_self.lanes.pairs[i] = __CILKPROF_LANE_COST(i, local_work);
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

#endif
