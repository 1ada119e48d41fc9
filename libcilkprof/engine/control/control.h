/* Control: which code runs.  Declares what this folder provides for the others.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CONTROL_H
#define CILKPROF_CONTROL_H

#include "libcilkprof/engine/profiled_thread.h"

struct cilkprof_pause;

/* pending.c */
HIDDEN void __cilkprof_book_pending(void); /* books the last callee of foreign code */
HIDDEN entry_t *__cilkprof_enter_from(function_t *function, const void *return_address);
HIDDEN void __cilkprof_left_to_outside(void); /* the function that was entered from outside has left */
HIDDEN uint64_t __cilkprof_foreign_work(const struct __cilkprof_foreign *foreign); /* what it did itself */
HIDDEN void __cilkprof_foreign_boundary(void); /* clock mode: ends a strand of foreign code */

/* foreign.c */
HIDDEN void __cilkprof_frames_skip_time(uint64_t ticks); /* does not charge TICKS to the program */
/* Ends a pause (time/clock.h), whose time is not charged to the program.  */
HIDDEN void __cilkprof_frames_continue(const struct cilkprof_pause *pause);

/* charged.c: charged calls during which code of the program is entered.  This code runs as if foreign code had called
   it, until __cilkprof_charged_left says that the frame that made the call runs again or is left, or
   __cilkprof_charged_left_to that control is in the foreign code that KEY identifies, outside of the call.  */
HIDDEN void __cilkprof_charged_entered(void);
HIDDEN void __cilkprof_charged_left(frame_t *frame);
HIDDEN void __cilkprof_charged_left_to(uint64_t key);
HIDDEN void __cilkprof_charged_end(void); /* the run ends */
/* Returns the frame that made the charged call; NULL: foreign code does not run because of a charged call.  */
HIDDEN const frame_t *__cilkprof_charged_caller(void);
HIDDEN void __cilkprof_charged_skip_time(uint64_t ticks);

/* counted_entered.c: a counted call reaches code with events.  */
HIDDEN void __cilkprof_counted_entered(void);

/* counted_end.c: a counted call ends in FRAME, the innermost one, and leaves its cost in the return slots.  */
HIDDEN void __cilkprof_counted_left(frame_t *frame);
/* A call that was followed as a sample has returned, or control left it.  */
HIDDEN void __cilkprof_sample_returned(frame_t *frame);
HIDDEN void __cilkprof_sample_left(frame_t *frame);
/* callbacks.c: a leaf that was called back without events has events again.  */
HIDDEN void __cilkprof_callbacks_end(void);

/* counted_loops.c: counted iterations of the loop of COUNTED end in FRAME.  Returns the part of their cost that was
   spent in calls.  */
struct __cilkprof_counted;
HIDDEN uint64_t __cilkprof_counted_iterations_left(frame_t *frame, struct __cilkprof_counted *counted);
/* Counted iterations of the loop of COUNTED, which are under way in FRAME, reach code with events.  */
HIDDEN void __cilkprof_counted_iterations_entered(frame_t *frame, struct __cilkprof_counted *counted);
/* Begins an iteration of the innermost loop of FRAME, which has two bodies, and decides in which of them it and the
   next ones run.  LOCAL_WORK is that of the loop so far.  */
HIDDEN void __cilkprof_counted_iterate(frame_t *frame, uint64_t local_work);
/* Ends a stretch of iterations of the innermost loop of FRAME, which run in one of its bodies.  */
HIDDEN void __cilkprof_stretch_left(frame_t *frame);
/* counted.c: begins a call of CALLEE, which may have no instrumentation, by SITE in FRAME.  */
HIDDEN void __cilkprof_call_foreign(frame_t *frame, site_t *site, const void *callee, uint64_t local_work);

/* frames.c: the memory of frames.  */
HIDDEN int __cilkprof_frames_start(void);
/* Makes this thread use FRAMES and BLOCKS.  One more frame after FRAMES is shared by all invocations that find the
   stack full.  */
HIDDEN void __cilkprof_use_frames(frame_t *frames, size_t count, block_t *blocks, size_t block_count);
HIDDEN void __cilkprof_untracked_frames_left(void); /* leaves all invocations that share a frame */

/* Returns the outermost frame of the profiled thread.  */
static inline frame_t *first_frame(void) {
  return profiled_thread()->frames.first;
}

/* unwind.c: the end of calls, and frames that control left without a return.  */
HIDDEN void __cilkprof_finish_call(frame_t *frame); /* the one under way in FRAME */
HIDDEN void __cilkprof_abandon_all(void);           /* the program ends: leaves all frames */
HIDDEN void __cilkprof_frames_left(frame_t *frame); /* control is in FRAME again: leaves those inside */

/* stack.c: programs that switch stacks.  __cilkprof_stack_start is called when a thread starts,
   __cilkprof_stack_entered when foreign code enters a function, where FROM is the end of the stack when the foreign
   code was called, and __cilkprof_stack_returned when control is back in FRAME.  The last returns whether the program
   switched stacks.  */
HIDDEN void __cilkprof_stack_start(frame_t *frames, frame_t *frames_end, block_t *blocks, block_t *blocks_end);
HIDDEN void __cilkprof_stack_entered(uint64_t from);
HIDDEN int __cilkprof_stack_returned(frame_t *frame);

/* signal.c: memory for handlers in this thread.  */
HIDDEN int __cilkprof_signals_start(void);
HIDDEN void __cilkprof_signals_end(void);
/* Leaves the handlers that control left by a jump to FRAME, or all of them if FRAME is NULL.  */
HIDDEN void __cilkprof_signals_abandoned(const frame_t *frame);

/* thread.c: sets up a thread that is not profiled and has reached instrumented code.  */
HIDDEN void __cilkprof_thread_start(void);
HIDDEN void __cilkprof_threads_start(void); /* when the engine starts */
/* Makes this thread run code that is not recorded from here on, for lack of memory.  Returns the memory that it uses
   meanwhile, which is given back when the thread records again.  */
struct unprofiled_memory;
HIDDEN struct unprofiled_memory *__cilkprof_begin_without_recorder(void);
HIDDEN void __cilkprof_end_without_recorder(struct unprofiled_memory *memory);

/* Stops recording what this thread does: its events still run, but nothing that they add is kept.  */
static inline void stop_thread_recording(void) {
  THREAD.recording = 0;
  THREAD.limit = NULL;
  THREAD.fold_bytes = 0;
}

#endif
