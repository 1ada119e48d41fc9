/* Signal handlers: what the interrupted code was doing is set aside, and nothing is recorded until they leave.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine.h"

enum {
  DEEPEST = 16,        /* handlers that interrupt handlers; deeper ones are not told apart from what they interrupt */
  LOG_BYTES = 1 << 24, /* of a handler, if there is so much */
  LOG_LEAST = 1 << 16,
};

/* On a thread's stack of them, which is not thread-local itself: a library that is loaded late has little room there.
 */
struct __cilkprof_interrupted {
  uint64_t key; /* the handler's invocation */
  struct __cilkprof_thread thread;
  record_t *log; /* the handler's: only registers know how far the interrupted code has written the other */
};

int __cilkprof_signals_start(void) {
  THREAD.interrupted = __cilkprof_reserve(DEEPEST * sizeof *THREAD.interrupted);
  return THREAD.interrupted ? 0 : -1;
}

static void restore(void) {
  THREAD = THREAD.interrupted[THREAD.signals - 1].thread;
}

static int make_log(struct __cilkprof_interrupted *interrupted) {
  for (size_t bytes = LOG_BYTES; bytes >= LOG_LEAST && !interrupted->log; bytes /= 4)
    interrupted->log = __cilkprof_reserve(bytes);
  return interrupted->log ? 0 : -1;
}

EXPORT void __cilkprof_signal_entered(uint64_t key) {
  if (!THREAD.foreign.key || !THREAD.interrupted || THREAD.signals == DEEPEST)
    return; /* nothing was being measured yet */
  struct __cilkprof_interrupted *interrupted = &THREAD.interrupted[THREAD.signals];
  if (make_log(interrupted) < 0)
    return;
  interrupted->key = key;
  interrupted->thread = THREAD;
  THREAD.signals++;
  THREAD.recording = 0;
  THREAD.limit = NULL;
  THREAD.fold_bytes = 0;
  THREAD.top = (record_t *)((uint64_t)interrupted->log | 1);
  THREAD.frames++; /* it may be just taking the next one */
  THREAD.blocks++;
  THREAD.foreign = (struct __cilkprof_foreign){.key = 1};
}

EXPORT void __cilkprof_signal_left(uint64_t key) {
  if (THREAD.interrupted[THREAD.signals - 1].key == key)
    restore();
}

/* Control left handlers for good: by a jump to FRAME, below them on the stack, or by exit (NULL).  What was in
   registers of the code that they interrupted is lost.  */
void __cilkprof_signals_abandoned(const frame_t *frame) {
  while (THREAD.signals && (!frame || THREAD.interrupted[THREAD.signals - 1].key < frame->key)) {
    restore();
    ENGINE.flags |= CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
  }
}
