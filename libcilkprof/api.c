/* What a program asks of the engine (cilkprof.h).
   SPDX-License-Identifier: MIT

   The compiler keeps the frames of functions that call these in memory, and calls __cilkprof_here before.  */

#include "libcilkprof/engine.h"

extern EXPORT void __cilkprof_here(frame_t *frame, uint64_t local_work);
extern EXPORT int __cilkprof_api_write(void);

void __cilkprof_here(frame_t *frame, uint64_t local_work) {
  frame->local_work = local_work;
  THREAD.top = (record_t *)((uint64_t)frame->top | 1);
}

int __cilkprof_api_write(void) {
  return __cilkprof_snapshot();
}
