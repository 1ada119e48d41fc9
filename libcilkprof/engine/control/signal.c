/* Signal handlers: the interrupted code's state is set aside, and nothing is recorded until the handler leaves.
   SPDX-License-Identifier: MIT

   Another signal may arrive at any point of this code.  Its handler leaves everything as it found it, except for the
   elements of the stack of interrupted states from its own on.  The number of handlers says which is its own.  So this
   number grows only after everything has been set aside, and shrinks only after everything has been restored.  */

#include <signal.h>
#include <sys/mman.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum {
  DEEPEST = 16, /* handlers that interrupt handlers; deeper ones count as part of the code that they interrupt */
  FRAMES = 64,  /* of a handler */
};

/* The state of code that a handler has interrupted.  A thread has a stack of them in memory of its own: a library that
   is loaded late has little thread-local memory.  */
struct __cilkprof_interrupted {
  uint64_t key; /* of the handler's invocation */
  struct __cilkprof_thread thread;
  /* For the handler.  It cannot use those of the interrupted code, as only registers know how far that has come with
     them.  */
  entry_t sink[SINK_ENTRIES];
  frame_t frames[1 + FRAMES + 1]; /* the first stands for none; the last is shared when no other is left */
};

/* Reserves memory in which this thread sets aside the state of code that signal handlers interrupt.  Returns 0, or -1
   if there is none.  */
int __cilkprof_signals_start(void) {
  THREAD.interrupted = __cilkprof_reserve(DEEPEST * sizeof *THREAD.interrupted);
  return THREAD.interrupted ? 0 : -1;
}

/* Frees the memory for the state of code that signal handlers interrupt, when this thread ends.  */
void __cilkprof_signals_end(void) {
  if (THREAD.interrupted)
    munmap(THREAD.interrupted, DEEPEST * sizeof *THREAD.interrupted);
}

/* Sets the number of running signal handlers to HANDLERS, in order with all accesses before and after.  */
static void set_signal_handler_count(uint64_t handlers) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  THREAD.signals = handlers;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Restores the state of the code that the innermost signal handler has interrupted.  */
static void restore_code_interrupted_by_signal(void) {
  uint64_t handlers = THREAD.signals;
  struct __cilkprof_interrupted *interrupted = &THREAD.interrupted[handlers - 1];
  interrupted->thread.signals = handlers;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  THREAD = interrupted->thread;
  set_signal_handler_count(handlers - 1);
}

/* Sets the state of the code that a signal handler has interrupted aside, and gives the handler frames and a sink of
   its own; nothing is recorded until it leaves.  KEY is that of the handler's invocation.  */
EXPORT void __cilkprof_signal_entered(uint64_t key) {
  if (!THREAD.foreign.key || !THREAD.interrupted || THREAD.signals == DEEPEST)
    return; /* nothing is being measured yet, or there is no room */
  struct __cilkprof_interrupted *interrupted = &THREAD.interrupted[THREAD.signals];
  interrupted->thread = THREAD;
  interrupted->key = 0;
  set_signal_handler_count(THREAD.signals + 1);
  interrupted->key = key;
  stop_thread_recording();
  /* A handler does not look at the CPU time: the last look is that of the interrupted code.  */
  THREAD.long_strand = THREAD.short_strand = THREAD.look_after = UINT64_MAX;
  THREAD.sink = interrupted->sink;
  THREAD.top = marked_log_top(THREAD.sink);
  THREAD.frames = interrupted->frames;
  THREAD.frames_end = interrupted->frames + 1 + FRAMES;
  THREAD.blocks = THREAD.blocks_end = NULL;
  THREAD.untracked_blocks = 0;
  THREAD.foreign = (struct __cilkprof_foreign){.key = 1};
}

/* Ends the innermost signal handler, if KEY identifies its invocation: restores the state of the code that it
   interrupted.  Called before a function returns while handlers are running.  */
EXPORT void __cilkprof_signal_left(uint64_t key) {
  if (THREAD.interrupted[THREAD.signals - 1].key == key)
    restore_code_interrupted_by_signal();
}

EXPORT void __cilkprof_call_signal_handler(void (*handler)(int, siginfo_t *, void *), int number, siginfo_t *info,
                                           void *context);

/* Calls HANDLER, which the program has set, with its arguments, and sets the state of the code that it interrupts
   aside: HANDLER itself may have no events, and call functions that do.  */
EXPORT void __cilkprof_call_signal_handler(void (*handler)(int, siginfo_t *, void *), int number, siginfo_t *info,
                                           void *context) {
  uint64_t key = (uint64_t)__builtin_frame_address(0);
  __cilkprof_signal_entered(key);
  handler(number, info, context);
  if (THREAD.signals)
    __cilkprof_signal_left(key);
}

/* Leaves the signal handlers that control left for good: by a jump to FRAME, which is below them on the stack, or by
   exit (FRAME is NULL).  What the code that they interrupted had in registers is lost.  */
void __cilkprof_signals_abandoned(const frame_t *frame) {
  while (THREAD.signals && (!frame || THREAD.interrupted[THREAD.signals - 1].key < frame->key)) {
    restore_code_interrupted_by_signal();
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  }
}
