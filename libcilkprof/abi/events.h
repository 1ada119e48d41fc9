/* The events: a function is entered, calls, spawns, syncs, leaves.
   SPDX-License-Identifier: MIT

   These are the hot path.  The compiler inlines the functions marked EVENT, with their PARTs, into the program's own
   functions; what is rare is in the engine, out of line.  LOCAL_WORK is the invocation's own work so far, in a
   register.  The events of an invocation: enter; (call ... returned | spawn ... spawn_returned | sync)*; leave.  */

#ifndef CILKPROF_EVENTS_H
#define CILKPROF_EVENTS_H

#pragma GCC system_header
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

#define __CILKPROF_AS_WRITTEN no_instrument_function, no_profile_instrument_function, no_sanitize("all")
#ifndef __CILKPROF_EVENT
#define __CILKPROF_EVENT static __attribute__((used, noclone, no_icf, __CILKPROF_AS_WRITTEN))
#endif
#define __CILKPROF_PART   static __inline__ __attribute__((always_inline, unused, __CILKPROF_AS_WRITTEN))
#define __CILKPROF_ENGINE extern __attribute__((nothrow, leaf))
/* The compiler expects that such a function is hardly ever called.  */
#define __CILKPROF_COLD            extern __attribute__((nothrow, leaf, cold))
#define __CILKPROF_RARE(condition) __builtin_expect(!!(condition), 0)

/* Functions of the engine.  Those that return an entry return the new top of the log.  */
__CILKPROF_ENGINE void __cilkprof_top_call(struct __cilkprof_site *site, __cilkprof_u64 key);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_returned(struct __cilkprof_site *site,
                                                               struct __cilkprof_entry *segment, __cilkprof_u64 key);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_fold(struct __cilkprof_entry *base, struct __cilkprof_entry *top);
struct __cilkprof_child {
  struct __cilkprof_entry *start, *end;
};
__CILKPROF_ENGINE struct __cilkprof_child
__cilkprof_fold_around(struct __cilkprof_entry *base, struct __cilkprof_entry *start, struct __cilkprof_entry *end);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_call_returned(struct __cilkprof_site *site,
                                                                    struct __cilkprof_entry *segment,
                                                                    __cilkprof_u64 key, __cilkprof_u64 work,
                                                                    __cilkprof_u64 span);
__CILKPROF_ENGINE struct __cilkprof_child
__cilkprof_spawn_returned(struct __cilkprof_site *site, struct __cilkprof_entry *base, struct __cilkprof_entry *segment,
                          __cilkprof_u64 key, __cilkprof_u64 work, __cilkprof_u64 span);
#ifdef __CILKPROF_PARALLEL
__CILKPROF_COLD void __cilkprof_join_deferred(struct __cilkprof_frame *frame, __cilkprof_u64 local_work);
__CILKPROF_COLD struct __cilkprof_frame *__cilkprof_copy_for_join(void);
#endif
__CILKPROF_COLD __cilkprof_u64 __cilkprof_joined(__cilkprof_u64 key, __cilkprof_u64 work, __cilkprof_u64 local_work,
                                                 __cilkprof_u64 here, __cilkprof_u64 longest);
__CILKPROF_COLD struct __cilkprof_entry *__cilkprof_push_samples(struct __cilkprof_entry *top);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_enter_from_outside(struct __cilkprof_function *function);
__CILKPROF_ENGINE void __cilkprof_foreign_call(struct __cilkprof_frame *frame, struct __cilkprof_site *site,
                                               const void *callee, __cilkprof_u64 local_work, __cilkprof_u64 spawned);
__CILKPROF_ENGINE void __cilkprof_foreign_returned(struct __cilkprof_frame *frame);
__CILKPROF_COLD void __cilkprof_bare_from_outside(__cilkprof_u64 work, struct __cilkprof_function *function);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_charged_returned(void);
__CILKPROF_ENGINE struct __cilkprof_site *__cilkprof_callee(struct __cilkprof_site *site, const void *callee);
__CILKPROF_ENGINE void __cilkprof_resume(struct __cilkprof_frame *frame);
__CILKPROF_ENGINE void __cilkprof_signal_entered(__cilkprof_u64 key);
__CILKPROF_ENGINE void __cilkprof_signal_left(__cilkprof_u64 key);
__CILKPROF_ENGINE struct __cilkprof_frame *__cilkprof_no_frame(void);
__CILKPROF_ENGINE void __cilkprof_unlink_untracked(void);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_block_begin(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                        struct __cilkprof_site *site, __cilkprof_u64 kind);
__CILKPROF_ENGINE void __cilkprof_close_blocks(struct __cilkprof_frame *frame, __cilkprof_u64 around);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_block_end(struct __cilkprof_frame *frame, __cilkprof_u64 local_work);
__CILKPROF_ENGINE void __cilkprof_loop_grains(struct __cilkprof_frame *frame, __cilkprof_u64 grain,
                                              __cilkprof_u64 trips);
__CILKPROF_ENGINE void __cilkprof_team(struct __cilkprof_frame *frame, __cilkprof_u64 threads);
__CILKPROF_ENGINE void __cilkprof_team_loop(struct __cilkprof_frame *frame, __cilkprof_u64 schedule,
                                            __cilkprof_u64 chunk, __cilkprof_u64 trips);
__CILKPROF_ENGINE void __cilkprof_iteration_end(struct __cilkprof_frame *frame, __cilkprof_u64 local_work);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_loop_end(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                     __cilkprof_u64 trips);

/* Identifies an invocation among all open ones, without forcing a frame pointer.  */
#ifndef __CILKPROF_KEY
#define __CILKPROF_KEY(frame) ((__cilkprof_u64)__builtin_dwarf_cfa())
#endif

#include "lanes.h"
#include "timing.h"

/* Initializes those fields of FRAME that are read before an event sets them, for an invocation that has done nothing
   yet.  TOP is the top of the log.  */
__CILKPROF_PART void __cilkprof_p_start(struct __cilkprof_frame *frame, struct __cilkprof_entry *top) {
  frame->off_span = frame->off_burdened_span = 0;
  frame->work = frame->span = frame->burdened_span = 0;
  frame->spawned = 0;
  frame->top = frame->base = frame->segment = frame->merge = top;
  frame->site = 0;
  frame->block = 0;
#ifdef __CILKPROF_PARALLEL
  frame->deferred = 0;
  frame->begin = 0; /* while it waits for other workers, the engine looks if its strand is timed */
#endif
  __cilkprof_p_lanes_start(frame);
}

/* Initializes FRAME, also fields that are set before they are read: the compiler optimizes the frame better then.  */
__CILKPROF_PART void __cilkprof_p_start_all(struct __cilkprof_frame *frame, struct __cilkprof_entry *top) {
  __cilkprof_p_start(frame, top);
  frame->longest_span = frame->longest_own = frame->longest_burdened = frame->longest_burdened_own = 0;
  frame->longest_start = frame->longest_end = frame->outer_segment = 0;
}

#include "signals.h"

/* Enters a function that only instrumented code can call.  */
__CILKPROF_EVENT void __cilkprof_h_enter(struct __cilkprof_frame *frame) {
  __cilkprof_p_start_all(frame, __cilkprof_self.top);
}

/* Returns the top of the log, without marks, at the entry of FUNCTION, which code without instrumentation may call as
   well.  If the mark on the top says that such code did, enters FUNCTION from outside: the engine, which starts if this
   is its first event, notes the invocation and removes the mark.  The mark SERIAL stays on the thread's top, and is
   only left out of what is returned.  */
__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_top(struct __cilkprof_function *function) {
  struct __cilkprof_entry *top = __cilkprof_self.top;
  if (__CILKPROF_RARE((__cilkprof_u64)top & 1))
    top = __cilkprof_enter_from_outside(function);
  return (struct __cilkprof_entry *)((__cilkprof_u64)top & ~(__cilkprof_u64)__CILKPROF_TOP_SERIAL);
}

/* Enters FUNCTION, which code without instrumentation may call as well.  */
__CILKPROF_EVENT void __cilkprof_h_enter_any(struct __cilkprof_frame *frame, struct __cilkprof_function *function) {
  __cilkprof_p_start_all(frame, __cilkprof_p_top(function));
}

/* Takes a frame from the thread's stack of frames and returns it.  If the stack is full, what the function does is not
   recorded.  */
__CILKPROF_PART struct __cilkprof_frame *__cilkprof_p_link(void) {
  struct __cilkprof_frame *frame = __cilkprof_self.frames + 1;
  if (__CILKPROF_RARE(frame >= __cilkprof_self.frames_end))
    frame = __cilkprof_no_frame();
  __cilkprof_self.frames = frame;
  return frame;
}

/* Enters a function with a linked frame, which is returned.  */
__CILKPROF_EVENT struct __cilkprof_frame *__cilkprof_h_enter_linked(struct __cilkprof_function *function) {
  struct __cilkprof_entry *top = __cilkprof_p_top(function);
  struct __cilkprof_frame *frame = __cilkprof_p_link();
  frame->key = __CILKPROF_KEY(frame);
  __cilkprof_p_start(frame, top);
  return frame;
}

/* Event after the last one of a function with a linked frame, one on the thread's stack of frames: FRAME and whatever
   was left above it are taken off that stack.  */
__CILKPROF_EVENT void __cilkprof_h_unlink_frame(struct __cilkprof_frame *frame) {
  if (__CILKPROF_RARE(frame >= __cilkprof_self.frames_end))
    __cilkprof_unlink_untracked();
  else
    __cilkprof_self.frames = frame - 1;
}

/* Begins an invocation of SITE by FRAME.  KIND is one of __CILKPROF_CALL_..., or 0 for a plain call.  If no other
   invocation of SITE is open, the engine notes that this is a top-call-site one.  */
__CILKPROF_PART void __cilkprof_p_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                       struct __cilkprof_site *site, __cilkprof_u64 kind) {
  frame->local_work = local_work;
  frame->site = (__cilkprof_u64)site | kind;
  __cilkprof_self.top = frame->top;
  if (__CILKPROF_RARE(site->active == 0))
    __cilkprof_top_call(site, __CILKPROF_KEY(frame));
}

/* Event before a plain call, by SITE in the function of FRAME.  */
__CILKPROF_EVENT void __cilkprof_h_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                        struct __cilkprof_site *site) {
  __cilkprof_p_call(frame, local_work, site, 0);
}

/* Returns the top of the log without the marks that its lowest bits carry.  */
__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_log_top(void) {
  return (struct __cilkprof_entry *)((__cilkprof_u64)__cilkprof_self.top &
                                     ~(__cilkprof_u64)(__CILKPROF_TOP_MARKS | __CILKPROF_TOP_SERIAL));
}

/* Whether the log is full, or the segment is long.  A macro: GCC forgets what it expects of a function's result.  */
#define __CILKPROF_AT_LIMIT(top, segment)                                                                              \
  ((top) >= __cilkprof_self.limit || (__cilkprof_u64)(top) - (__cilkprof_u64)(segment) > __cilkprof_self.fold_bytes)

/* Whether the engine is to book an invocation that did WORK, as the log is full, the segment may be long enough to be
   folded, the invocation is long or has long children, or was sampled.  One comparison tells the last ones: what they
   have in common is that the numbers are large, or what they are compared with is small.  */
#define __CILKPROF_UNUSUAL(top, segment, work)                                                                         \
  ((top) >= __cilkprof_self.limit ||                                                                                   \
   (((__cilkprof_u64)(top) - (__cilkprof_u64)(segment)) | (work)) > __cilkprof_self.long_child)

/* Books an invocation, no top-call-site one, in its site and in the log.  Returns the new top.  The return slots are
   read before, because the compiler assumes that the stores may change them.  */
__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_book_plain(struct __cilkprof_site *site,
                                                                 struct __cilkprof_entry *top, __cilkprof_u64 work,
                                                                 __cilkprof_u64 off_span,
                                                                 __cilkprof_u64 off_burdened_span) {
  site->count++;
  site->local_work += work;
  site->local_off_span += off_span;
  site->local_off_burdened_span += off_burdened_span;
  top->key = (__cilkprof_u64)site | __CILKPROF_ENTRY_ONE;
  top->local_work = work;
  top->local_off_span = off_span;
  top->local_off_burdened_span = off_burdened_span;
  return top + 1;
}

/* Returns the length of the path from the beginning of FRAME's function to where it has done LOCAL_WORK itself.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_here(const struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  return frame->span + local_work - frame->off_span;
}

/* Adds the WORK of a callee that has returned to FRAME.  TOP is the new top of the log, after the callee's entry.  */
__CILKPROF_PART void __cilkprof_p_returned(struct __cilkprof_frame *frame, struct __cilkprof_entry *top,
                                           __cilkprof_u64 work) {
  frame->site = 0;
  frame->top = top;
  frame->work += work;
  frame->span += __cilkprof_self.span;
  frame->burdened_span += __cilkprof_self.burdened_span;
  __cilkprof_p_lanes_returned(frame);
}

/* Event after a plain call by SITE, which has returned to FRAME: books it.  */
__CILKPROF_EVENT void __cilkprof_h_returned(struct __cilkprof_frame *frame, struct __cilkprof_site *site) {
  struct __cilkprof_entry *top = __cilkprof_p_log_top();
  __cilkprof_u64 local_work = __cilkprof_self.local_work, off_span = __cilkprof_self.local_off_span,
                 off_burdened_span = __cilkprof_self.local_off_burdened_span, work = __cilkprof_self.work;
  if (__CILKPROF_RARE(__CILKPROF_UNUSUAL(top, frame->segment, work) || site->active == __CILKPROF_KEY(frame))) {
    top = __cilkprof_call_returned(site, frame->segment, __CILKPROF_KEY(frame), frame->work + frame->local_work,
                                   __cilkprof_p_here(frame, frame->local_work));
    work = __cilkprof_self.work;
  } else
    top = __cilkprof_p_book_plain(site, top, local_work, off_span, off_burdened_span);
  __cilkprof_p_returned(frame, top, work);
}

#include "children.h"

/* Event before a return: puts what the invocation cost into the return slots of the thread, where its caller finds it,
   and marks the top of the log, so that a function which is entered before the caller's next event counts as entered
   from outside.  */
__CILKPROF_EVENT void __cilkprof_h_leave(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  __cilkprof_self.top = (struct __cilkprof_entry *)((__cilkprof_u64)frame->top | 1);
  __cilkprof_self.local_work = local_work;
  __cilkprof_self.local_off_span = frame->off_span;
  __cilkprof_self.local_off_burdened_span = frame->off_burdened_span;
  __cilkprof_self.work = frame->work + local_work;
  __cilkprof_self.span = frame->span + local_work - frame->off_span;
  __cilkprof_self.burdened_span = frame->burdened_span + local_work - frame->off_burdened_span;
  __cilkprof_p_lanes_leave(frame, local_work);
}

#include "charged.h"

/* Ends an invocation without other events, which called nothing: puts its cost into the return slots.  */
__CILKPROF_PART void __cilkprof_p_bare(__cilkprof_u64 local_work) {
  __cilkprof_self.top = (struct __cilkprof_entry *)((__cilkprof_u64)__cilkprof_self.top | 1);
  __cilkprof_self.local_work = local_work;
  __cilkprof_self.local_off_span = __cilkprof_self.local_off_burdened_span = 0;
  __cilkprof_self.work = __cilkprof_self.span = __cilkprof_self.burdened_span = local_work;
  __cilkprof_p_lanes_bare(local_work);
}

/* Ends an invocation of FUNCTION without other events, which called nothing.  If code without instrumentation called
   it, the engine books it.  */
__CILKPROF_PART void __cilkprof_p_bare_any(__cilkprof_u64 local_work, struct __cilkprof_function *function) {
  if (__CILKPROF_RARE((__cilkprof_u64)__cilkprof_self.top & __CILKPROF_TOP_OUTSIDE))
    __cilkprof_bare_from_outside(local_work, function);
  else
    __cilkprof_p_bare(local_work);
}

/* Event before the return of a function that calls nothing, its only one, if only instrumented code can call it.  */
__CILKPROF_EVENT void __cilkprof_h_bare(__cilkprof_u64 local_work) {
  __cilkprof_p_bare(local_work);
}

/* Event before the return of FUNCTION, which calls nothing, its only one, if code without instrumentation may call it
   as well.  */
__CILKPROF_EVENT void __cilkprof_h_bare_any(__cilkprof_u64 local_work, struct __cilkprof_function *function) {
  __cilkprof_p_bare_any(local_work, function);
}

/* Event where control came back to FRAME without a return, at a landing pad or by longjmp: corrects the state.  */
__CILKPROF_EVENT void __cilkprof_h_resume(struct __cilkprof_frame *frame) {
  __cilkprof_resume(frame);
}

/* Begins an iteration of a cilk_for.  */
__CILKPROF_EVENT void __cilkprof_h_iterate(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
#ifdef __CILKPROF_PARALLEL
  if (frame->deferred)
    __cilkprof_iteration_end(frame, local_work);
#endif
  if (frame->spawned || frame->left == 0)
    __cilkprof_iteration_end(frame, local_work);
  frame->left--;
}

#include "tasks.h"

/* Does nothing, and is never called: the compiler's plugin finds the types of the engine in its parameters.  */
__CILKPROF_EVENT void __cilkprof_h_types(struct __cilkprof_frame frame, struct __cilkprof_site site,
                                         struct __cilkprof_function function, struct __cilkprof_timing_point point) {
  (void)point, (void)frame, (void)site, (void)function;
}

#ifdef __cplusplus
}
#endif
#endif
