/* Signal handlers: what the interrupted code was doing is set aside, and nothing is recorded until they leave.
   SPDX-License-Identifier: MIT

   Another signal may come at any point of what is done here.  Its handler leaves all as it found it, except what lies
   from the place for it on, which the number of handlers tells.  So that number grows only when all is set aside, and
   shrinks only when all is back.  */

#include <sys/mman.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum {
  DEEPEST = 16, /* handlers that interrupt handlers; deeper ones are not told apart from what they interrupt */
  FRAMES = 64,  /* of a handler */
};

/* On a thread's stack of them, which is not thread-local itself: a library that is loaded late has little room
   there.  */
struct __cilkprof_interrupted {
  uint64_t key; /* the handler's invocation */
  struct __cilkprof_thread thread;
  /* The handler's: only registers know how far the interrupted code has come with its own.  */
  entry_t sink[SINK_ENTRIES];
  frame_t frames[1 + FRAMES + 1]; /* the innermost of none, and the one that is shared when none is left */
};

int __cilkprof_signals_start(void) {
  THREAD.interrupted = __cilkprof_reserve(DEEPEST * sizeof *THREAD.interrupted);
  return THREAD.interrupted ? 0 : -1;
}

void __cilkprof_signals_end(void) {
  if (THREAD.interrupted)
    munmap(THREAD.interrupted, DEEPEST * sizeof *THREAD.interrupted);
}

static void set_number(uint64_t handlers) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  THREAD.signals = handlers;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void restore(void) {
  uint64_t handlers = THREAD.signals;
  struct __cilkprof_interrupted *interrupted = &THREAD.interrupted[handlers - 1];
  interrupted->thread.signals = handlers;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  THREAD = interrupted->thread;
  set_number(handlers - 1);
}

EXPORT void __cilkprof_signal_entered(uint64_t key) {
  if (!THREAD.foreign.key || !THREAD.interrupted || THREAD.signals == DEEPEST)
    return; /* nothing was being measured yet */
  struct __cilkprof_interrupted *interrupted = &THREAD.interrupted[THREAD.signals];
  interrupted->thread = THREAD;
  interrupted->key = 0;
  set_number(THREAD.signals + 1);
  interrupted->key = key;
  stop_recording();
  THREAD.long_strand = THREAD.short_strand = THREAD.look_after =
      UINT64_MAX; /* the last look is the interrupted code's */
  THREAD.sink = interrupted->sink;
  THREAD.top = marked(THREAD.sink);
  THREAD.frames = interrupted->frames;
  THREAD.frames_end = interrupted->frames + 1 + FRAMES;
  THREAD.blocks = THREAD.blocks_end = NULL;
  THREAD.untracked_blocks = 0;
  THREAD.foreign = (struct __cilkprof_foreign){.key = 1};
}

EXPORT void __cilkprof_signal_left(uint64_t key) {
  if (THREAD.interrupted[THREAD.signals - 1].key == key)
    restore();
}

/* Control left handlers for good: by a jump to FRAME, below them on the stack, or by exit (NULL).  What was in
   registers of the code that they interrupted is gone.  */
void __cilkprof_signals_abandoned(const frame_t *frame) {
  while (THREAD.signals && (!frame || THREAD.interrupted[THREAD.signals - 1].key < frame->key)) {
    restore();
    flag(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  }
}
