/* The memory of frames: every thread has a stack of them, which may be full.
   SPDX-License-Identifier: MIT  */

#include <sys/resource.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/memory.h"

/* Returns the frame beyond the end of the stack of frames, which is full.  All deeper invocations share this frame, and
   what they and their callees do is untracked.  */
EXPORT frame_t *__cilkprof_no_frame(void) {
  struct before_untracked *before = &profiled_thread()->frames.before_untracked;
  if (THREAD.recording) {
    set_profile_flags(CILKPROF_INCOMPLETE);
    before->end = THREAD.frames_end;
    before->top = THREAD.top;
    before->limit = THREAD.limit;
    before->fold_bytes = THREAD.fold_bytes;
    before->syncs = THREAD.syncs;
    before->foreign = THREAD.foreign;
    stop_thread_recording();
  }
  if (THREAD.frames != THREAD.frames_end)
    THREAD.untracked_frames = 0; /* control may have left some by a jump */
  THREAD.untracked_frames++;
  return THREAD.frames_end;
}

/* Resumes recording, after the last invocation that had no frame of its own has returned.  */
static void resume_recording_after_untracked(void) {
  struct before_untracked *before = &profiled_thread()->frames.before_untracked;
  before->end = NULL;
  THREAD.top = marked_log_top(before->top);
  THREAD.foreign = before->foreign;
  THREAD.syncs = before->syncs;
  if (ENGINE.finished)
    return;
  THREAD.recording = 1;
  THREAD.limit = before->limit;
  THREAD.fold_bytes = before->fold_bytes;
}

/* Leaves an invocation that shares a frame.  It counts as having cost nothing, and its caller finds the frame as if it
   had just begun.  */
EXPORT void __cilkprof_unlink_untracked(void) {
  __cilkprof_clear_slots();
  __cilkprof_p_start(THREAD.frames_end, __cilkprof_p_log_top());
  if (--THREAD.untracked_frames)
    return;
  THREAD.frames = THREAD.frames_end - 1;
  if (profiled_thread()->frames.before_untracked.end == THREAD.frames_end)
    resume_recording_after_untracked();
}

/* Leaves all invocations that share the frame beyond the end of the stack of frames, if there are any: control has left
   them, or the run ends.  */
void __cilkprof_untracked_frames_left(void) {
  if (THREAD.frames != THREAD.frames_end || !THREAD.untracked_frames)
    return;
  THREAD.untracked_frames = 1;
  __cilkprof_unlink_untracked();
}

/* Returns how many frames the stack of the program can need: a function takes at least STACK_LEAST bytes of it.  */
static size_t frame_count_for_stack(void) {
  enum { STACK_LEAST = 32, MAX_FRAMES = 1 << 28 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur / STACK_LEAST > MAX_FRAMES)
    return MAX_FRAMES;
  return limit.rlim_cur / STACK_LEAST;
}

/* Reserves the frames and blocks of the profiled thread, fewer of them if memory is short, and makes the thread use
   them.  Returns 0, or -1 if there is no memory.  */
int __cilkprof_frames_start(void) {
  size_t count = frame_count_for_stack();
  frame_t *frames = NULL;
  block_t *blocks = NULL;
  for (; count >= 1024 && !(frames = __cilkprof_reserve((count + 2) * sizeof(frame_t))); count /= 4)
    ;
  size_t block_count = count / 4;
  if (!frames || !(blocks = __cilkprof_reserve(block_count * sizeof(block_t))))
    return -1;
  frames++; /* the one before the first calls nothing */
  profiled_thread()->frames.first = frames;
  __cilkprof_use_frames(frames, count, blocks, block_count);
  return 0;
}

/* Makes this thread use COUNT FRAMES and BLOCK_COUNT BLOCKS, which may be NULL.  One more frame after FRAMES is shared
   by all invocations that find the stack full.  */
void __cilkprof_use_frames(frame_t *frames, size_t count, block_t *blocks, size_t block_count) {
  THREAD.frames = frames - 1;
  THREAD.frames_end = frames + count;
  THREAD.blocks = blocks ? blocks - 1 : NULL;
  THREAD.blocks_end = blocks ? blocks + block_count : NULL;
  __cilkprof_stack_start(frames, THREAD.frames_end, blocks, THREAD.blocks_end);
}
