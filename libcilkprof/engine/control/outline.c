/* The events as functions, for the many instrumented functions in which inlining them is not worth its space.
   SPDX-License-Identifier: MIT

   Calls of these events are all that such a function gets, so they take few arguments.  Its frame is linked, and it is
   the innermost one at every event of the function (or has just been made so, after foreign code, which may have
   jumped).  WORK is what the function did itself since its last event; the frame adds it up.

   There is no event where a call of an instrumented function returns, if another event follows before anything else is
   called: this other event finishes the call.

   Frequent events handle their common case without calling anything, so that they need not save registers.  The rest is
   in a function marked APART, which they jump to.  */

#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/leaves.h"

/* Finishes a spawned call of SITE, which has returned to FRAME: books it, and keeps its path in the log if it is the
   longest child so far.  */
APART void finish_spawn_returned_to_frame(frame_t *frame, site_t *site) {
  __cilkprof_h_spawn_returned(frame, frame->local_work, site);
}

/* Finishes the call that is under way in FRAME, of whatever kind it is.  */
void __cilkprof_finish_any_call(frame_t *frame) {
  uint64_t kind = frame->site & __CILKPROF_CALL_KIND;
  site_t *site = (site_t *)(frame->site - kind);
  if (kind == (__CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK))
    __cilkprof_p_task_returned(frame, frame->local_work, site);
  else if (kind & __CILKPROF_CALL_TASK)
    __cilkprof_task_call_returned(frame, frame->local_work);
  else if (kind & (__CILKPROF_CALL_FOREIGN | __CILKPROF_CALL_LEAF))
    __cilkprof_finish_call(frame);
  else if (kind & __CILKPROF_CALL_SPAWN)
    finish_spawn_returned_to_frame(frame, site);
  else {
    __cilkprof_h_returned(frame, site);
    if (kind & __CILKPROF_CALL_LEFT)
      __cilkprof_adopt(frame, frame->local_work, site);
  }
}

/* Makes FRAME the innermost one, as that of a function that is entered: its part of the log begins at TOP, and KEY
   identifies the invocation.  Returns FRAME.  */
static inline frame_t *start_frame(frame_t *frame, entry_t *top, uint64_t key) {
  THREAD.frames = frame;
  frame->key = key;
  frame->local_work = frame->begin = 0;
  __cilkprof_p_start(frame, top);
  return frame;
}

/* Enters FUNCTION in the uncommon cases: it is entered from outside, or the stack of frames is full.  KEY identifies
   the invocation; RETURN_ADDRESS is where it was called, or NULL: it is not known.  Returns its frame.  */
APART frame_t *enter_event_slow(function_t *function, uint64_t key, const void *return_address) {
  entry_t *top = THREAD.top;
  if ((uint64_t)top & __CILKPROF_TOP_OUTSIDE)
    top = __cilkprof_enter_from(function, return_address);
  top = (entry_t *)((uint64_t)top & ~(uint64_t)__CILKPROF_TOP_SERIAL);
  THREAD.foreign.entered_key = THREAD.foreign.entered ? key : 0;
  return start_frame(__cilkprof_p_link(), top, key);
}

/* Enters FUNCTION; the parameters and the result are as above.  */
static inline frame_t *enter_called_at(function_t *function, uint64_t key, const void *return_address) {
  entry_t *top = THREAD.top;
  frame_t *frame = THREAD.frames + 1;
  if (__CILKPROF_RARE((uint64_t)top & __CILKPROF_TOP_OUTSIDE || frame >= THREAD.frames_end))
    return enter_event_slow(function, key, return_address);
  if (!((uint64_t)top & __CILKPROF_TOP_SERIAL))
    return start_frame(frame, top, key);
  start_frame(frame, (entry_t *)((uint64_t)top - __CILKPROF_TOP_SERIAL), key);
  frame->merge = frame[-1].merge;
  return frame;
}

/* Enters FUNCTION; KEY identifies the invocation.  Returns its frame, for the events at which other frames may be
   inside of it.  */
frame_t *__cilkprof_o_enter(function_t *function, uint64_t key) {
  return enter_called_at(function, key, NULL);
}

/* Enters FUNCTION, which functions without events may call as well, at RETURN_ADDRESS.  */
frame_t *__cilkprof_o_enter_any(function_t *function, uint64_t key, const void *return_address) {
  return enter_called_at(function, key, return_address);
}

/* Enters FUNCTION, which the system calls as a signal handler, after setting the state of the interrupted code aside.
   Returns its frame.  */
APART frame_t *enter_signal_handler(function_t *function, uint64_t key) {
  __cilkprof_signal_entered(key);
  return __cilkprof_o_enter(function, key);
}

/* Enters FUNCTION, which may be a signal handler: the code at RETURN_ADDRESS tells.  KEY identifies the invocation.
   Returns its frame.  */
frame_t *__cilkprof_o_enter_handler(function_t *function, uint64_t key, const void *return_address) {
  return is_signal_handler_return(return_address) ? enter_signal_handler(function, key)
                                                  : __cilkprof_o_enter(function, key);
}

/* Leaves the innermost frame's function in the uncommon cases: its strand is being timed, it has spawned, its frame is
   shared, or a signal handler is running.  WORK is what the function did itself since its last event.  */
APART void leave_event_slow(uint64_t work) {
  frame_t *frame = THREAD.frames;
  uint64_t key = frame->key;
  work = end_strand_of_frame(frame, work);
  __cilkprof_tasks_leave(frame, work);
  __cilkprof_h_leave(frame, work);
  __cilkprof_h_unlink_frame(frame);
  if (__CILKPROF_RARE(THREAD.signals))
    __cilkprof_signal_left(key);
}

/* Finishes the call under way in the innermost frame, which finish_plain_call_of_frame did not, and begins the event
   that leaves the function again.  */
APART void leave_event_after_call(uint64_t work) {
  __cilkprof_finish_any_call(THREAD.frames);
  __cilkprof_o_leave(work);
}

/* Leaves the innermost frame's function, which returns: its totals go into the return slots.  WORK is what it did
   itself since its last event.  */
void __cilkprof_o_leave(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(frame->begin || frame->spawned || has_deferred_children(frame) || frame >= THREAD.frames_end ||
                      THREAD.signals))
    leave_event_slow(work);
  else if (__CILKPROF_RARE(!finish_plain_call_of_frame(frame)))
    leave_event_after_call(work);
  else {
    __cilkprof_h_leave(frame, frame->local_work + work);
    THREAD.frames = frame - 1;
  }
}

/* As __cilkprof_o_leave, in a function that code without instrumentation may call: if it did, the invocation is booked
   here.  */
void __cilkprof_o_leave_any(uint64_t work) {
  uint64_t key = THREAD.frames->key;
  __cilkprof_o_leave(work);
  if (__CILKPROF_RARE(key == THREAD.foreign.entered_key))
    __cilkprof_left_to_outside();
}

/* Begins a call of SITE in the uncommon cases: the caller's strand is being timed, or the callee may have no
   instrumentation.  WORK is what the caller did itself since its last event.  */
APART void call_event_slow(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  work = end_strand_of_frame(frame, work);
  if (site->flags & __CILKPROF_SITE_FOREIGN)
    __cilkprof_call_foreign(frame, site, site->target, work);
  else
    begin_call_of_frame(frame, work, site);
}

/* Finishes the call under way in the innermost frame, which finish_plain_call_of_frame did not, and begins the event
   that calls SITE again.  */
APART void call_event_after_call(site_t *site, uint64_t work) {
  __cilkprof_finish_any_call(THREAD.frames);
  __cilkprof_o_call(site, work);
}

/* Returns whether SITE may call a function without instrumentation, or one that can run without events.  If a profile
   is requested, sites that are known to call instrumented functions are included: requests are answered at such
   calls.  */
static inline int is_foreign_call_site(const site_t *site) {
  enum { KNOWN = __CILKPROF_SITE_KNOWN, COUNTABLE = 1 << __CILKPROF_SITE_COUNTABLE };
  return site->flags & __CILKPROF_SITE_FOREIGN && ((site->flags & (KNOWN | COUNTABLE)) != KNOWN || ENGINE.requests);
}

/* Begins a call of SITE in the innermost frame, or a spawn if SITE is one.  WORK is what the caller did itself since
   its last event.  */
void __cilkprof_o_call(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(frame->begin || is_foreign_call_site(site)))
    call_event_slow(site, work);
  else if (__CILKPROF_RARE(!finish_plain_call_of_frame(frame)))
    call_event_after_call(site, work);
  else
    begin_call_of_frame(frame, frame->local_work + work, site);
}

/* Begins a call of SITE, whose flags contain the work since the last event.  */
void __cilkprof_o_call_here(site_t *site) {
  __cilkprof_o_call(site, site->flags >> __CILKPROF_SITE_WORK);
}

/* Begins a call of SITE just after FRAME's function has called code without instrumentation, or at a landing pad.  */
void __cilkprof_o_call_after(site_t *site, uint64_t work, frame_t *frame) {
  if (__CILKPROF_RARE(THREAD.frames != frame || THREAD.signals || !((uint64_t)THREAD.top & __CILKPROF_TOP_OUTSIDE)))
    __cilkprof_h_resume(frame);
  else if (frame->site)
    __cilkprof_finish_call(frame);
  __cilkprof_o_call(site, work);
}

/* Begins a call of SITE, whose flags contain the work since the last event, just after FRAME's function has called code
   without instrumentation, or at a landing pad.  */
void __cilkprof_o_call_here_after(site_t *site, frame_t *frame) {
  __cilkprof_o_call_after(site, site->flags >> __CILKPROF_SITE_WORK, frame);
}

/* Begins an indirect call of CALLEE by SITE as a call of code that may have no instrumentation, at the site that SITE
   has for this callee.  WORK is what the caller did itself since its last event.  */
APART void indirect_call_event_slow(site_t *site, uint64_t work, const void *callee) {
  frame_t *frame = THREAD.frames;
  site = __cilkprof_callee(site, callee);
  __cilkprof_call_foreign(frame, site, callee, end_strand_of_frame(frame, work));
}

/* Begins an indirect call of CALLEE by SITE.  Most are of the function that was called last, which is instrumented.
   WORK is what the caller did itself since its last event.  */
void __cilkprof_o_call_indirect(site_t *site, uint64_t work, const void *callee) {
  frame_t *frame = THREAD.frames;
  site_t *last = site->learnt.callees;
  if (__CILKPROF_RARE(!last || last->callee != callee || !(last->flags & __CILKPROF_SITE_KNOWN) || frame->begin ||
                      ENGINE.requests || !THREAD.recording || !finish_plain_call_of_frame(frame)))
    indirect_call_event_slow(site, work, callee);
  else if (last->flags & __CILKPROF_SITE_LEAF) {
    frame->local_work += work;
    frame->site = (uint64_t)last | __CILKPROF_CALL_LEAF;
    THREAD.top = frame->top;
  } else if (last->flags & (uint64_t)1 << __CILKPROF_SITE_COUNTABLE)
    indirect_call_event_slow(site, work, callee);
  else
    begin_call_of_frame(frame, frame->local_work + work, last);
}

/* Finishes the call that is under way in the innermost frame, whose callee has returned.  */
void __cilkprof_o_returned(void) {
  frame_t *frame = THREAD.frames;
  if (!finish_plain_call_of_frame(frame))
    __cilkprof_finish_any_call(frame);
}

/* Finishes a call of code that may have no instrumentation.  It may have left frames of its callees behind: FRAME is
   the frame of the function that called it.  */
void __cilkprof_o_foreign_returned(frame_t *frame) {
  if (THREAD.counting == __CILKPROF_COUNTING_CALL && THREAD.frames == frame) {
    __cilkprof_o_counted_returned(frame);
    return;
  }
  site_t *leaf = (site_t *)(frame->site - __CILKPROF_CALL_LEAF);
  if ((frame->site & __CILKPROF_CALL_KIND) == __CILKPROF_CALL_LEAF && THREAD.frames == frame) {
    frame->site = 0;
    if (!book_returned_leaf(frame, leaf))
      __cilkprof_leaf_slow(leaf);
  } else if (frame->site && (THREAD.frames != frame || frame->sampled || !finish_plain_call_of_frame(frame)))
    __cilkprof_finish_call(frame);
}

/* Syncs the innermost frame's function in the uncommon cases: its strand is being timed or was sampled, it has spawned
   nothing, or long children.  WORK is what the function did itself since its last event.  */
APART void sync_event_slow(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_sync(frame, end_strand_of_frame(frame, work));
}

/* Finishes the call under way in the innermost frame, which finish_plain_call_of_frame did not, and begins the sync
   again.  */
APART void sync_event_after_call(uint64_t work) {
  __cilkprof_finish_any_call(THREAD.frames);
  __cilkprof_o_sync(work);
}

/* Joins the children that the innermost frame's function has spawned.  WORK is what it did itself since its last
   event.  */
void __cilkprof_o_sync(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(!finish_plain_call_of_frame(frame)))
    sync_event_after_call(work);
  else if (__CILKPROF_RARE(frame->begin || frame->spawned != __CILKPROF_CHILDREN_JOINED ||
                           has_deferred_children(frame) || frame->work & __CILKPROF_WORK_OPEN || THREAD.sampled))
    sync_event_slow(work);
  else {
    frame->local_work += work;
    __cilkprof_p_join(frame, frame->local_work);
    __cilkprof_p_lanes_sync(frame, frame->local_work);
  }
}
