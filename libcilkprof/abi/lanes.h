/* What-if: the span as it would be if a candidate, some part of the program, cost nothing or were faster.
   SPDX-License-Identifier: MIT

   Every candidate has a pair of lanes beside the real span: one where it costs nothing and one where it is some times
   as fast.  Along each lane the longest path is found anew, so one that the candidate hid comes to light.  LANE_UNITS
   is what a unit of work costs on each of them: outside of the candidates a multiple of every factor, so that lanes are
   exact; inside of one nothing on the one lane, and that divided by the factor on the other.  An invocation is inside
   or outside as a whole.

   LANES of a frame is a path without the function's own work: path = LANES + LANE_UNITS * local work.  What of that
   work is not on the path is therefore subtracted, and LANES may be negative modulo 2^64.  */

#ifndef CILKPROF_LANES_H
#define CILKPROF_LANES_H

#pragma GCC system_header

#ifdef __CILKPROF_WHATIF
#define __CILKPROF_EACH_PAIR(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6)

/* Not every processor multiplies such vectors, and so late in the compiler nothing replaces what it cannot do.  */
#ifdef __x86_64__
#define __CILKPROF_LANE_COST(i, work) ((work)*__cilkprof_self.lane_units.pairs[i])
#else
#define __CILKPROF_LANE_COST(i, work)                                                                                  \
  ((__cilkprof_pair){(work)*__cilkprof_self.lane_units.pairs[i][0], (work)*__cilkprof_self.lane_units.pairs[i][1]})
#endif

/* PATH becomes as long as the other one, if that is longer.  No difference of two paths reaches 2^63.  A function
   without vector registers can neither pass nor return a pair.  */
__CILKPROF_PART void __cilkprof_p_lengthen(__cilkprof_pair *path, const __cilkprof_pair *other) {
  __cilkprof_signed_pair more = (__cilkprof_signed_pair)(*path - *other);
  *path = *other + (__cilkprof_pair)(more & ~(more >> 63));
}
#else
#define __CILKPROF_EACH_PAIR(step)
#endif

#define __CILKPROF_NO_PAIR ((__cilkprof_pair){0, 0})

__CILKPROF_PART void __cilkprof_p_lanes_start(struct __cilkprof_frame *frame) {
#define __CILKPROF_STEP(i) frame->lanes.pairs[i] = frame->longest_lanes.pairs[i] = __CILKPROF_NO_PAIR;
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
#ifdef __CILKPROF_WHATIF
  frame->inside = __cilkprof_self.inside;
#endif
}

__CILKPROF_PART void __cilkprof_p_lanes_returned(struct __cilkprof_frame *frame) {
#define __CILKPROF_STEP(i) frame->lanes.pairs[i] += __cilkprof_self.lanes.pairs[i];
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

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

__CILKPROF_PART void __cilkprof_p_lanes_leave(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
#define __CILKPROF_STEP(i) __cilkprof_self.lanes.pairs[i] = frame->lanes.pairs[i] + __CILKPROF_LANE_COST(i, local_work);
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

__CILKPROF_PART void __cilkprof_p_lanes_bare(__cilkprof_u64 local_work) {
#define __CILKPROF_STEP(i) __cilkprof_self.lanes.pairs[i] = __CILKPROF_LANE_COST(i, local_work);
  __CILKPROF_EACH_PAIR(__CILKPROF_STEP)
#undef __CILKPROF_STEP
}

#endif
