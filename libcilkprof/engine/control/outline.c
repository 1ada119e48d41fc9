/* The events as functions, for the many instrumented functions in which inlining them is not worth its space.
   SPDX-License-Identifier: MIT

   Calls of these events are all that such a function gets, so they take few arguments.  Its frame is linked, and it is
   the innermost one at every event of the function (or has just been made so, after foreign code, which may have
   jumped).  WORK is what the function did itself since its last event; the frame adds it up.

   There is no event where a call of an instrumented function returns, if another event follows before anything else is
   called: this other event finishes the call.

   Frequent events handle their common case without calling anything, so that they need not save registers.  The rest is
   in a function marked APART, behind a jump.  */

#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/leaves.h"

/* Finishes the call that is under way in FRAME, if it is a common one.  Returns whether no call is under way any
   more.  */
static inline int finished_plainly(frame_t *frame) {
  uint64_t site = frame->site;
  if (!site)
    return 1;
  entry_t *top = __cilkprof_p_log_top();
  if (__CILKPROF_RARE(site & __CILKPROF_CALL_KIND || __CILKPROF_AT_LIMIT(top, frame->segment)))
    return 0;
  site_t *called = (site_t *)site;
  if (called->active != frame->key)
    top = book_plain(called, top);
  else if (called->flags & __CILKPROF_SITE_SIMPLE)
    top = book_top(called, frame->merge, top);
  else
    return 0;
  __cilkprof_p_returned(frame, top);
  return 1;
}

/* Finishes a spawned call of SITE.  */
APART void spawn_returned(frame_t *frame, site_t *site) {
  entry_t *top = returned(site, frame->segment, frame->key);
  uint64_t local_work = frame->local_work;
  __cilkprof_p_spawn_returned(frame, local_work - frame->off_span, local_work - frame->off_burdened_span, top);
  __cilkprof_p_lanes_child(frame, local_work);
}

/* Finishes the call that is under way in FRAME, of whatever kind it is.  */
APART void returned_slow(frame_t *frame) {
  uint64_t kind = frame->site & __CILKPROF_CALL_KIND;
  site_t *site = (site_t *)(frame->site - kind);
  if (kind == (__CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK))
    __cilkprof_p_task_returned(frame, frame->local_work, returned(site, frame->segment, frame->key));
  else if (kind & __CILKPROF_CALL_TASK)
    __cilkprof_task_call_returned(frame, frame->local_work);
  else if (kind & (__CILKPROF_CALL_FOREIGN | __CILKPROF_CALL_LEAF))
    __cilkprof_finish_call(frame);
  else if (kind & __CILKPROF_CALL_SPAWN)
    spawn_returned(frame, site);
  else {
    __cilkprof_p_returned(frame, returned(site, frame->segment, frame->key));
    if (kind & __CILKPROF_CALL_LEFT)
      __cilkprof_adopt(frame, frame->local_work, site);
  }
}

/* Divides the flag SERIAL of a site to get that of the log's top.  */
enum { SERIAL_FLAGS = __CILKPROF_SITE_SERIAL / __CILKPROF_TOP_SERIAL };

/* Makes FRAME the innermost one, as that of a function that is entered.  Returns FRAME.  */
static inline frame_t *start_frame(frame_t *frame, entry_t *top, uint64_t key) {
  THREAD.frames = frame;
  frame->key = key;
  frame->local_work = frame->begin = 0;
  __cilkprof_p_start(frame, top);
  return frame;
}

APART frame_t *enter_slow(function_t *function, uint64_t key) {
  entry_t *top = __cilkprof_p_top(function);
  return start_frame(__cilkprof_p_link(), top, key);
}

/* Enters FUNCTION.  Returns its frame, for the events at which others may be inside of it.  */
frame_t *__cilkprof_o_enter(function_t *function, uint64_t key) {
  entry_t *top = THREAD.top;
  frame_t *frame = THREAD.frames + 1;
  if (__CILKPROF_RARE((uint64_t)top & __CILKPROF_TOP_OUTSIDE || frame >= THREAD.frames_end))
    return enter_slow(function, key);
  if (!((uint64_t)top & __CILKPROF_TOP_SERIAL))
    return start_frame(frame, top, key);
  start_frame(frame, (entry_t *)((uint64_t)top - __CILKPROF_TOP_SERIAL), key);
  frame->merge = frame[-1].merge;
  return frame;
}

APART frame_t *enter_as_handler(function_t *function, uint64_t key) {
  __cilkprof_signal_entered(key);
  return __cilkprof_o_enter(function, key);
}

frame_t *__cilkprof_o_enter_handler(function_t *function, uint64_t key, const void *return_address) {
  return called_by_system(return_address) ? enter_as_handler(function, key) : __cilkprof_o_enter(function, key);
}

APART void leave_slow(uint64_t work) {
  frame_t *frame = THREAD.frames;
  uint64_t key = frame->key;
  work = end_strand(frame, work);
  __cilkprof_tasks_leave(frame, work);
  __cilkprof_h_leave(frame, work);
  __cilkprof_h_unlink(frame);
  if (__CILKPROF_RARE(THREAD.signals))
    __cilkprof_signal_left(key);
}

/* Finishes the call, which finished_plainly did not, and begins the event again.  */
APART void leave_after_call(uint64_t work) {
  returned_slow(THREAD.frames);
  __cilkprof_o_leave(work);
}

void __cilkprof_o_leave(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(frame->begin || frame->spawned || frame >= THREAD.frames_end || THREAD.signals))
    leave_slow(work);
  else if (__CILKPROF_RARE(!finished_plainly(frame)))
    leave_after_call(work);
  else {
    __cilkprof_h_leave(frame, frame->local_work + work);
    THREAD.frames = frame - 1;
  }
}

/* Begins a call of SITE.  WORK is the local work of FRAME's function.  */
static inline void call_or_spawn(frame_t *frame, uint64_t work, site_t *site) {
  if (site->flags & __CILKPROF_SITE_SPAWN)
    __cilkprof_h_spawn(frame, work, site);
  else if (site->active || !(site->flags & __CILKPROF_SITE_SIMPLE) || !THREAD.recording)
    __cilkprof_h_call(frame, work, site);
  else {
    frame->local_work = work;
    frame->site = (uint64_t)site;
    THREAD.top = (entry_t *)((uint64_t)frame->top | (site->flags & __CILKPROF_SITE_SERIAL) / SERIAL_FLAGS);
    open_top(site, frame->key);
  }
}

APART void call_slow(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  work = end_strand(frame, work);
  if (site->flags & __CILKPROF_SITE_FOREIGN)
    __cilkprof_foreign_call(frame, site, site->target, work, site->flags & __CILKPROF_SITE_SPAWN);
  else
    call_or_spawn(frame, work, site);
}

APART void call_after_call(site_t *site, uint64_t work) {
  returned_slow(THREAD.frames);
  __cilkprof_o_call(site, work);
}

/* Returns whether SITE may call a function without instrumentation.  If a profile is requested, sites that are known to
   call instrumented functions are included: requests are answered at such calls.  */
static inline int is_foreign(const site_t *site) {
  return site->flags & __CILKPROF_SITE_FOREIGN && (!(site->flags & __CILKPROF_SITE_KNOWN) || ENGINE.requests);
}

void __cilkprof_o_call(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(frame->begin || is_foreign(site)))
    call_slow(site, work);
  else if (__CILKPROF_RARE(!finished_plainly(frame)))
    call_after_call(site, work);
  else
    call_or_spawn(frame, frame->local_work + work, site);
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

void __cilkprof_o_call_here_after(site_t *site, frame_t *frame) {
  __cilkprof_o_call_after(site, site->flags >> __CILKPROF_SITE_WORK, frame);
}

APART void call_indirect_slow(site_t *site, uint64_t work, const void *callee) {
  frame_t *frame = THREAD.frames;
  site = __cilkprof_callee(site, callee);
  __cilkprof_foreign_call(frame, site, callee, end_strand(frame, work), site->flags & __CILKPROF_SITE_SPAWN);
}

/* Begins an indirect call of CALLEE.  Most are of the function that was called last, which is instrumented.  */
void __cilkprof_o_call_indirect(site_t *site, uint64_t work, const void *callee) {
  frame_t *frame = THREAD.frames;
  site_t *last = site->callees;
  if (__CILKPROF_RARE(!last || last->callee != callee || !(last->flags & __CILKPROF_SITE_KNOWN) || frame->begin ||
                      ENGINE.requests || !THREAD.recording || !finished_plainly(frame)))
    call_indirect_slow(site, work, callee);
  else if (last->flags & __CILKPROF_SITE_LEAF) {
    frame->local_work += work;
    frame->site = (uint64_t)last | __CILKPROF_CALL_LEAF;
    THREAD.top = frame->top;
  } else
    call_or_spawn(frame, frame->local_work + work, last);
}

void __cilkprof_o_returned(void) {
  frame_t *frame = THREAD.frames;
  if (!finished_plainly(frame))
    returned_slow(frame);
}

/* Finishes a call of code that may have no instrumentation.  It may have left frames of its callees behind: FRAME is
   the frame of the function that called it.  */
void __cilkprof_o_foreign_returned(frame_t *frame) {
  site_t *leaf = (site_t *)(frame->site - __CILKPROF_CALL_LEAF);
  if ((frame->site & __CILKPROF_CALL_KIND) == __CILKPROF_CALL_LEAF && THREAD.frames == frame) {
    frame->site = 0;
    if (!leaf_returned(frame, leaf))
      __cilkprof_leaf_slow(leaf);
  } else if (frame->site && (THREAD.frames != frame || !finished_plainly(frame)))
    __cilkprof_finish_call(frame);
}

APART void sync_slow(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_sync(frame, end_strand(frame, work));
}

APART void sync_after_call(uint64_t work) {
  returned_slow(THREAD.frames);
  __cilkprof_o_sync(work);
}

/* Syncs.  A join does not make the log longer, so a log that need not be folded before needs no folding after it.  */
void __cilkprof_o_sync(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(!finished_plainly(frame)))
    sync_after_call(work);
  else if (__CILKPROF_RARE(frame->begin || !frame->spawned ||
                           (uint64_t)frame->top - (uint64_t)frame->base > THREAD.fold_bytes))
    sync_slow(work);
  else {
    frame->local_work += work;
    __cilkprof_p_join(frame, frame->local_work);
    __cilkprof_p_lanes_sync(frame, frame->local_work);
  }
}
