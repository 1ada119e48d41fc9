/* Shared parts of the events that are functions.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OUTLINE_H
#define CILKPROF_OUTLINE_H

#include "libcilkprof/engine/engine.h"

/* A slow path that is kept out of the function that jumps to it.  */
#define APART static __attribute__((noinline))

/* Declares the events.  */
#define CALLED(name, result, ...) extern EXPORT result __cilkprof_o_##name(__VA_ARGS__);
#include "libcilkprof/abi/events.def"

/* Hybrid mode: ends the charged call that FRAME made last.  If code of the program was entered during the call, and has
   removed its mark, that code is booked.  */
HIDDEN void __cilkprof_end_charged_call(frame_t *frame);

/* Ends the current strand and adds its cost to FRAME, the innermost one.  WORK is what was counted since the last
   event.  Returns the function's local work.  */
static inline uint64_t end_strand(frame_t *frame, uint64_t work) {
  if (frame->site)
    __cilkprof_o_returned();
  if (frame->begin) {
    __cilkprof_end_charged_call(frame);
    work = __cilkprof_h_timed(frame->local_work + work, frame->begin, frame->before_begin);
    frame->begin = 0;
    return frame->local_work = work;
  }
  return frame->local_work += work;
}

#endif
