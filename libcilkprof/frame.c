/* Frames that are left behind: by exit, longjmp or an exception.
   SPDX-License-Identifier: MIT

   Control leaves such a frame in the middle of a call.  Its profile is that of a function which syncs and returns at
   once when that call comes back, so that is what is done with it here, from the innermost frame outwards.  */

#include <sys/resource.h>

#include "libcilkprof/series.h"
#include "libcilkprof/whatif.h"

static frame_t *first_frame; /* of the thread that is profiled */

/* What that thread records, while it is in invocations for which no frame is left: their calls are not recorded.  */
static struct {
  const frame_t *end; /* NULL: there are none */
  record_t *top, *limit;
  uint64_t fold_bytes, syncs;
  struct __cilkprof_foreign foreign;
} before_lost;

/* The innermost block of FRAME ends where control left it.  */
void __cilkprof_finish_block(frame_t *frame) {
  if (frame->block->kind == __CILKPROF_BLOCK_LOOP)
    frame->local_work = __cilkprof_loop_end(frame, frame->local_work, 0);
  else
    frame->local_work = __cilkprof_block_end(frame, frame->local_work);
}

/* A series ends, and what is left of a call of a leaf is one like any other.  Returns whether there is one.  */
static int finish_leaf(frame_t *frame) {
  site_t *site = (site_t *)(frame->site - __CILKPROF_CALL_LEAF);
  __cilkprof_end_series(frame);
  if (!site)
    return 0;
  THREAD.top = (record_t *)((uint64_t)frame->top | __CILKPROF_TOP_OUTSIDE);
  frame->site = (uint64_t)site;
  if (THREAD.recording)
    __cilkprof_top_call(site, frame->key);
  return 1;
}

/* The call that is under way in FRAME ends; the totals of what was called are in the return slots.  */
void __cilkprof_finish_call(frame_t *frame) {
  if (frame->site & __CILKPROF_CALL_LEAF && !finish_leaf(frame))
    return;
  if (frame->site & __CILKPROF_CALL_FOREIGN)
    __cilkprof_foreign_returned(frame);
  site_t *site = (site_t *)(frame->site & ~(uint64_t)__CILKPROF_CALL_KIND);
  if (frame->site & __CILKPROF_CALL_SPAWN)
    __cilkprof_h_spawn_returned(frame, frame->local_work, site);
  else
    __cilkprof_h_returned(frame, site);
}

static void abandon(frame_t *frame) {
  __cilkprof_quiet_left(frame);
  if (!ENGINE.finished)
    __cilkprof_callback_left(frame);
  if (frame->site)
    __cilkprof_finish_call(frame);
  while (frame->block)
    __cilkprof_finish_block(frame);
  __cilkprof_strand_end(frame, NULL, frame->local_work);
  __cilkprof_h_sync(frame, frame->local_work);
  __cilkprof_h_leave(frame, frame->local_work);
  __cilkprof_h_unlink(frame);
  if (frame <= THREAD.lost_frame)
    THREAD.lost_blocks = 0;
}

void __cilkprof_clear_slots(void) {
  THREAD.local_work = THREAD.local_lost = THREAD.local_burden_lost = 0;
  THREAD.work = THREAD.span = THREAD.burdened_span = 0;
  __cilkprof_lanes_lost();
}

/* The stack of frames is full: all deeper invocations share the one beyond its end, and what they and their callees do
   is lost.  */
EXPORT frame_t *__cilkprof_no_frame(void) {
  if (THREAD.recording) {
    ENGINE.flags |= CILKPROF_INCOMPLETE;
    before_lost.end = THREAD.frames_end;
    before_lost.top = THREAD.top;
    before_lost.limit = THREAD.limit;
    before_lost.fold_bytes = THREAD.fold_bytes;
    before_lost.syncs = THREAD.syncs;
    before_lost.foreign = THREAD.foreign;
    THREAD.recording = THREAD.fold_bytes = 0;
    THREAD.limit = NULL;
  }
  if (THREAD.frames != THREAD.frames_end)
    THREAD.lost_frames = 0; /* some may have been left by a jump */
  THREAD.lost_frames++;
  return THREAD.frames_end;
}

static void record_again(void) {
  before_lost.end = NULL;
  THREAD.top = (record_t *)((uint64_t)before_lost.top | 1);
  THREAD.foreign = before_lost.foreign;
  THREAD.syncs = before_lost.syncs;
  if (ENGINE.finished)
    return;
  THREAD.recording = 1;
  THREAD.limit = before_lost.limit;
  THREAD.fold_bytes = before_lost.fold_bytes;
}

/* The one that leaves cost nothing, and the one that called it finds their frame as if it had just begun.  */
EXPORT void __cilkprof_unlink_lost(void) {
  __cilkprof_clear_slots();
  __cilkprof_p_start(THREAD.frames_end, __cilkprof_p_log_top());
  if (--THREAD.lost_frames)
    return;
  THREAD.frames = THREAD.frames_end - 1;
  if (before_lost.end == THREAD.frames_end)
    record_again();
}

void __cilkprof_lost_frames_left(void) {
  if (THREAD.frames != THREAD.frames_end || !THREAD.lost_frames)
    return;
  THREAD.lost_frames = 1;
  __cilkprof_unlink_lost();
}

/* Control left what the innermost linked FRAME called, which did not leave itself and has no such frame: only a signal
   can make it do so.  What it did was in its registers; what is in the slots is another's.  */
static void lose_call(const frame_t *frame) {
  int called_directly = frame->site && frame->site != SERIES_PENDING && (!(frame->site & __CILKPROF_CALL_FOREIGN) || THREAD.foreign.instrumented);
  if (!called_directly || (uint64_t)THREAD.top & 1)
    return;
  if (THREAD.recording)
    ENGINE.flags |= CILKPROF_INCOMPLETE;
  __cilkprof_clear_slots();
  THREAD.top = (record_t *)((uint64_t)frame->top | 1);
}

/* Control is in FRAME again, and not by returns from all that it called.  */
void __cilkprof_frames_left(frame_t *frame) {
  if (__cilkprof_stack_returned(frame))
    return;
  if (frame < THREAD.frames_end)
    __cilkprof_lost_frames_left();
  __cilkprof_regions_left(frame);
  lose_call(THREAD.frames);
  while (THREAD.frames > frame)
    abandon(THREAD.frames);
}

EXPORT void __cilkprof_resume(frame_t *frame) {
  __cilkprof_signals_abandoned(frame);
  if (frame->site || THREAD.frames != frame)
    __cilkprof_frames_left(frame);
  __cilkprof_quiet_left(frame);
  if (frame->site)
    __cilkprof_finish_call(frame);
}

frame_t *__cilkprof_first_frame(void) {
  return first_frame;
}

void __cilkprof_abandon_all(void) {
  if (THREAD.frames >= first_frame)
    lose_call(THREAD.frames);
  while (THREAD.frames >= first_frame)
    abandon(THREAD.frames);
}

/* A function's own stack frame takes at least STACK_LEAST bytes, so the size of the stack bounds the number of frames.
 */
static size_t frames_for_stack(void) {
  enum { STACK_LEAST = 32, FRAMES_MOST = 1 << 28 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur / STACK_LEAST > FRAMES_MOST)
    return FRAMES_MOST;
  return limit.rlim_cur / STACK_LEAST;
}

int __cilkprof_frames_start(void) {
  size_t count = frames_for_stack();
  frame_t *frames = NULL;
  block_t *blocks = NULL;
  for (; count >= 1024 && !(frames = __cilkprof_reserve((count + 1) * sizeof(frame_t))); count /= 4)
    ;
  size_t block_count = count / 4;
  if (!frames || !(blocks = __cilkprof_reserve(block_count * sizeof(block_t))))
    return -1;
  first_frame = frames;
  __cilkprof_use_frames(frames, count, blocks, block_count);
  return 0;
}

void __cilkprof_use_frames(frame_t *frames, size_t count, block_t *blocks, size_t block_count) {
  THREAD.frames = frames - 1;
  THREAD.frames_end = frames + count;
  THREAD.blocks = blocks ? blocks - 1 : NULL;
  THREAD.blocks_end = blocks ? blocks + block_count : NULL;
  __cilkprof_stack_start(frames, THREAD.frames_end, blocks, THREAD.blocks_end);
}
