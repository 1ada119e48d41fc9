/* Whose code runs: what the files of this room do for others.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CONTROL_H
#define CILKPROF_CONTROL_H

#include "libcilkprof/engine/profiled_thread.h"

struct cilkprof_pause;

/* pending.c */
HIDDEN void __cilkprof_book_pending(void); /* books the totals of the last callee of the code without instrumentation */
HIDDEN void __cilkprof_foreign_boundary(void); /* clock mode: foreign code reaches a strand boundary */

/* foreign.c */
HIDDEN void __cilkprof_skip_time(uint64_t ticks); /* that were not the program's */
/* The program goes on behind a pause (time/clock.h) that was not its own.  */
HIDDEN void __cilkprof_continue(const struct cilkprof_pause *pause);

/* quiet.c: code of the program is entered during a quiet call.  It runs as if foreign code had called it, until the
   function that made the call is running again; or its frame is left; or control is in foreign code outside, which KEY
   identifies.  */
HIDDEN void __cilkprof_quiet_entered(void);
HIDDEN void __cilkprof_quiet_left(frame_t *frame);
HIDDEN void __cilkprof_quiet_left_to(uint64_t key);
HIDDEN void __cilkprof_quiet_end(void);
HIDDEN const frame_t *__cilkprof_quiet_caller(void); /* NULL: it is not by a quiet call that foreign code runs */
HIDDEN void __cilkprof_quiet_skip_time(uint64_t ticks);

/* frames.c: their memory.  */
HIDDEN int __cilkprof_frames_start(void);
/* This thread uses these frames, and the one behind them for all invocations that find none left; and these blocks.  */
HIDDEN void __cilkprof_use_frames(frame_t *frames, size_t count, block_t *blocks, size_t block_count);
HIDDEN void __cilkprof_untracked_frames_left(void); /* all invocations for which no frame was left */
static inline frame_t *first_frame(void) {          /* of the thread that is profiled */
  return profiled_thread()->frames.first;
}

/* unwind.c: frames that control left without a return.  */
HIDDEN void __cilkprof_finish_call(frame_t *frame);
HIDDEN void __cilkprof_abandon_all(void);
HIDDEN void __cilkprof_frames_left(frame_t *frame);

/* stack.c: a thread starts; control enters a function below what was called when the stack reached to FROM; it is back
   in FRAME.  The last returns whether the program switched stacks.  */
HIDDEN void __cilkprof_stack_start(frame_t *frames, frame_t *frames_end, block_t *blocks, block_t *blocks_end);
HIDDEN void __cilkprof_stack_entered(uint64_t from);
HIDDEN int __cilkprof_stack_returned(frame_t *frame);

/* signal.c */
HIDDEN int __cilkprof_signals_start(void);
HIDDEN void __cilkprof_signals_end(void);
HIDDEN void __cilkprof_signals_abandoned(const frame_t *frame);

/* thread.c: a thread that is not profiled reaches instrumented code.  */
HIDDEN void __cilkprof_thread_start(void);

/* Nothing of what this thread does from here on is recorded.  */
static inline void stop_recording(void) {
  THREAD.recording = 0;
  THREAD.limit = NULL;
  THREAD.fold_bytes = 0;
}

#endif
