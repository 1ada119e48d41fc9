/* Signal handlers: what the interrupted code was doing is set aside, and nothing is recorded until they leave.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine.h"

enum {
  DEEPEST = 16
}; /* handlers that interrupt handlers; deeper ones are not told apart from the one they interrupt */

static __thread struct {
  uint64_t key; /* the handler's invocation */
  struct __cilkprof_thread interrupted;
} saved[DEEPEST];

EXPORT void __cilkprof_signal_entered(uint64_t key) {
  if (!THREAD.foreign.key || THREAD.signals == DEEPEST)
    return; /* nothing was being measured yet */
  saved[THREAD.signals].key = key;
  saved[THREAD.signals].interrupted = THREAD;
  THREAD.signals++;
  THREAD.recording = 0;
  THREAD.limit = NULL;
  THREAD.top = (record_t *)((uint64_t)THREAD.top | 1);
  THREAD.foreign = (struct __cilkprof_foreign){.key = 1};
}

EXPORT void __cilkprof_signal_left(uint64_t key) {
  if (saved[THREAD.signals - 1].key == key)
    THREAD = saved[THREAD.signals - 1].interrupted;
}

/* Control left handlers for good: by a jump to FRAME, below them on the stack, or by exit (NULL).  What was in
   registers of the code that they interrupted is lost.  */
void __cilkprof_signals_abandoned(const frame_t *frame) {
  while (THREAD.signals && (!frame || saved[THREAD.signals - 1].key < frame->key)) {
    THREAD = saved[THREAD.signals - 1].interrupted;
    ENGINE.flags |= CILKPROF_INCOMPLETE;
  }
}
