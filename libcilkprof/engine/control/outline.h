/* What the functions share that are events.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OUTLINE_H
#define CILKPROF_OUTLINE_H

#include "libcilkprof/engine/engine.h"

#define APART static __attribute__((noinline))

#define CALLED(name, result, ...) extern EXPORT result __cilkprof_o_##name(__VA_ARGS__);
#include "libcilkprof/abi/events.def"

/* In hybrid mode: the last call was a quiet one, or something has taken its mark away.  */
HIDDEN void __cilkprof_end_quiet_call(frame_t *frame);

/* Adds what the strand cost that ends here.  FRAME is the innermost one.  Returns the function's local work.  */
static inline uint64_t end_strand(frame_t *frame, uint64_t work) {
  if (frame->site)
    __cilkprof_o_returned();
  if (frame->begin) {
    __cilkprof_end_quiet_call(frame);
    work = __cilkprof_h_timed(frame->local_work + work, frame->begin, frame->before_begin);
    frame->begin = 0;
    return frame->local_work = work;
  }
  return frame->local_work += work;
}

#endif
