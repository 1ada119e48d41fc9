/* The end of calls: they return, or control leaves their frames by exit, longjmp or an exception.
   SPDX-License-Identifier: MIT

   Control leaves such a frame in the middle of a call.  The profile is that of a function which syncs and returns at
   once when the call comes back, so this is done here for every frame that was left, from the innermost one
   outwards.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/series.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/clock.h"

/* Notes in the site of FRAME's call that the function it called is instrumented.  The site may be that of a leaf if it
   was never used before and does not spawn.  */
static void note_instrumented_callee_of_frame(const frame_t *frame) {
  site_t *site = called_site(frame);
  uint64_t flags = __CILKPROF_SITE_KNOWN |
                   (THREAD.foreign.instrumented & (__CILKPROF_SITE_SERIAL | (uint64_t)1 << __CILKPROF_SITE_COUNTABLE));
  if (!THREAD.recording || !site || !(site->target || site->callee))
    return;
  if (site->callee && !site->count && !(site->flags & __CILKPROF_SITE_SPAWN))
    flags |= THREAD.foreign.instrumented & __CILKPROF_SITE_LEAF;
  site->flags |= flags;
}

/* Ends the foreign call that is under way in FRAME, if there is one.  The totals of foreign code go into the return
   slots; those of an instrumented callee are there already.  */
EXPORT void __cilkprof_foreign_returned(frame_t *frame) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  if (frame->site && !(frame->site & __CILKPROF_CALL_FOREIGN))
    return;
  if (__CILKPROF_RARE(THREAD.frames != frame))
    __cilkprof_frames_left(frame);
  if (__CILKPROF_RARE(foreign->key != (uint64_t)frame))
    __cilkprof_charged_left_to((uint64_t)frame);
  if (foreign->instrumented)
    note_instrumented_callee_of_frame(frame);
  else {
    if (__CILKPROF_RARE(ENGINE.requests))
      HOST.answer();
    __cilkprof_foreign_boundary();
    if (foreign->counting_since)
      __cilkprof_callbacks_end();
    __cilkprof_book_pending();
    uint64_t own = __cilkprof_foreign_work(foreign);
    THREAD.local_work = own;
    THREAD.local_off_span = THREAD.local_off_burdened_span = 0;
    THREAD.work = foreign->work + own + __cilkprof_pieces_held(frame->key - 1);
    THREAD.span = foreign->span + own;
    THREAD.burdened_span = foreign->burdened_span + own;
    __cilkprof_lanes_foreign(own);
  }
  THREAD.foreign = frame->outer;
  frame->site &= ~(uint64_t)__CILKPROF_CALL_FOREIGN;
}

/* Ends a series in FRAME, and turns a call of a leaf that is under way into an ordinary call.  Returns whether such a
   call was under way.  */
static int turn_leaf_into_call(frame_t *frame) {
  site_t *site = (site_t *)(frame->site - __CILKPROF_CALL_LEAF);
  __cilkprof_book_series(frame);
  if (!site)
    return 0;
  THREAD.top = marked_log_top(frame->top);
  frame->site = (uint64_t)site;
  if (THREAD.recording)
    __cilkprof_top_call(site, frame->key);
  return 1;
}

/* Finishes the call that is under way in FRAME.  The totals of the callee are in the return slots.  */
void __cilkprof_finish_call(frame_t *frame) {
  if (__CILKPROF_RARE(THREAD.counting == __CILKPROF_COUNTING_CALL && THREAD.frames == frame))
    __cilkprof_counted_left(frame);
  if (frame->site & __CILKPROF_CALL_LEAF && !turn_leaf_into_call(frame))
    return;
  if (frame->site & __CILKPROF_CALL_FOREIGN)
    __cilkprof_foreign_returned(frame);
  site_t *site = called_site(frame);
  if (__CILKPROF_RARE(frame->sampled))
    __cilkprof_sample_returned(frame);
  if (frame->site & __CILKPROF_CALL_TASK)
    __cilkprof_task_call_returned(frame, frame->local_work);
  else if (frame->site & __CILKPROF_CALL_SPAWN)
    __cilkprof_h_spawn_returned(frame, frame->local_work, site);
  else {
    __cilkprof_h_returned(frame, site);
    __cilkprof_adopt(frame, frame->local_work, site);
  }
}

/* Ends FRAME, the innermost one, which control has left by exit, longjmp or an exception, as if its function had synced
   and returned.  */
static void abandon_frame(frame_t *frame) {
  __cilkprof_sample_left(frame);
  __cilkprof_charged_left(frame);
  if (!ENGINE.finished)
    observe_frame_left(frame);
  if (frame->site)
    __cilkprof_finish_call(frame);
  while (frame->block)
    __cilkprof_finish_left_block(frame);
  profiled_thread()->frames.leaving++;
  observe_strand_end(frame, NULL, frame->local_work);
  profiled_thread()->frames.leaving--;
  __cilkprof_h_sync(frame, frame->local_work);
  __cilkprof_h_leave(frame, frame->local_work);
  __cilkprof_h_unlink_frame(frame);
  if (frame <= THREAD.untracked_frame)
    THREAD.untracked_blocks = 0;
}

/* Discards the call under way in FRAME, the innermost linked one, if control left the callee although that did not
   leave itself and has no linked frame.  Only a signal handler can do this.  The values of the callee were in its
   registers, and those in the return slots are of another function.  */
static void discard_unreturned_call_of_frame(const frame_t *frame) {
  int called_directly = frame->site && frame->site != SERIES_PENDING &&
                        (!(frame->site & __CILKPROF_CALL_FOREIGN) || THREAD.foreign.instrumented);
  if (!called_directly || (uint64_t)THREAD.top & __CILKPROF_TOP_OUTSIDE)
    return;
  if (THREAD.recording)
    set_profile_flags(CILKPROF_INCOMPLETE);
  __cilkprof_clear_slots();
  THREAD.top = marked_log_top(frame->top);
}

/* Ends all frames inside of FRAME, to which control has come back without returns.  */
void __cilkprof_frames_left(frame_t *frame) {
  if (__cilkprof_stack_returned(frame))
    return;
  if (frame < THREAD.frames_end)
    __cilkprof_untracked_frames_left();
  observe_control_left(frame);
  discard_unreturned_call_of_frame(THREAD.frames);
  while (THREAD.frames > frame)
    abandon_frame(THREAD.frames);
}

/* Corrects the state where control came back to FRAME without a return.  */
EXPORT void __cilkprof_resume(frame_t *frame) {
  __cilkprof_sample_left(frame);
  __cilkprof_signals_abandoned(frame);
  if (frame->site || THREAD.frames != frame)
    __cilkprof_frames_left(frame);
  __cilkprof_charged_left(frame);
  if (frame->site)
    __cilkprof_finish_call(frame);
}

/* Ends all open frames of the profiled thread, from the innermost one outwards, because the program ends.  */
void __cilkprof_abandon_all(void) {
  if (THREAD.frames >= first_frame())
    discard_unreturned_call_of_frame(THREAD.frames);
  while (THREAD.frames >= first_frame())
    abandon_frame(THREAD.frames);
}
