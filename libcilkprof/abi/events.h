/* The events of a run: a function is entered, calls, spawns, syncs, leaves.
   SPDX-License-Identifier: MIT

   These are the hot path.  The compiler inlines the functions marked EVENT, with their PARTs, into the program's own
   functions; what is rare is in the engine, out of line.  LOCAL_WORK is what the invocation itself has done so far, in
   a register of its function. Whatever drives the engine calls, in this order: enter; (call ... returned | spawn ...
   spawn_returned | sync)*; leave.  */

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
/* Of which the compiler expects that it is hardly ever called.  */
#define __CILKPROF_COLD            extern __attribute__((nothrow, leaf, cold))
#define __CILKPROF_RARE(condition) __builtin_expect(!!(condition), 0)

/* Of the engine.  What returns an entry returns the new top of the log.  */
__CILKPROF_ENGINE void __cilkprof_top_call(struct __cilkprof_site *site, __cilkprof_u64 key);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_returned(struct __cilkprof_site *site,
                                                               struct __cilkprof_entry *segment, __cilkprof_u64 key);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_fold(struct __cilkprof_entry *base, struct __cilkprof_entry *top);
struct __cilkprof_child {
  struct __cilkprof_entry *start, *end;
};
__CILKPROF_ENGINE struct __cilkprof_child
__cilkprof_fold_around(struct __cilkprof_entry *base, struct __cilkprof_entry *start, struct __cilkprof_entry *end);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_enter_from_outside(struct __cilkprof_function *function);
__CILKPROF_ENGINE void __cilkprof_foreign_call(struct __cilkprof_frame *frame, struct __cilkprof_site *site,
                                               const void *callee, __cilkprof_u64 local_work, __cilkprof_u64 spawned);
__CILKPROF_ENGINE void __cilkprof_foreign_returned(struct __cilkprof_frame *frame);
__CILKPROF_COLD void __cilkprof_bare_from_outside(__cilkprof_u64 work, struct __cilkprof_function *function);
__CILKPROF_ENGINE struct __cilkprof_entry *__cilkprof_quiet_returned(void);
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

/* Identifies an invocation among all that are open.  It does not force a frame pointer.  */
#ifndef __CILKPROF_KEY
#define __CILKPROF_KEY(frame) ((__cilkprof_u64)__builtin_dwarf_cfa())
#endif

#include "lanes.h"
#include "timing.h"

__CILKPROF_PART void __cilkprof_p_start(struct __cilkprof_frame *frame, struct __cilkprof_entry *top) {
  frame->off_span = frame->off_burdened_span = 0;
  frame->work = frame->span = frame->burdened_span = 0;
  frame->spawned = 0;
  frame->top = frame->base = frame->segment = frame->merge = top;
  frame->site = 0;
  frame->block = 0;
  __cilkprof_p_lanes_start(frame);
}

/* Nothing is read of this before it is set, but the compiler makes more of a frame whose every field has a value.  */
__CILKPROF_PART void __cilkprof_p_start_all(struct __cilkprof_frame *frame, struct __cilkprof_entry *top) {
  __cilkprof_p_start(frame, top);
  frame->longest_span = frame->longest_own = frame->longest_burdened = frame->longest_burdened_own = 0;
  frame->longest_start = frame->longest_end = frame->outer_segment = 0;
}

/* What the system puts behind a signal handler: the instructions that return from it.  */
#if defined(__aarch64__)
#define __CILKPROF_SIGRETURN 0xd4000001d2801168ull
#elif defined(__x86_64__)
#define __CILKPROF_SIGRETURN 0x0f0000000fc0c748ull
#endif

typedef __cilkprof_u64 __attribute__((may_alias, aligned(1))) __cilkprof_code;

/* A function whose address is taken may be a signal handler.  It is one now if it returns to these instructions;
   between any two others of the interrupted code, so what that was doing is set aside until the handler leaves.  */
__CILKPROF_EVENT void __cilkprof_h_handler_enter(void) {
  if (__CILKPROF_RARE(*(const __cilkprof_code *)__builtin_extract_return_addr(__builtin_return_address(0)) ==
                      __CILKPROF_SIGRETURN))
    __cilkprof_signal_entered((__cilkprof_u64)__builtin_dwarf_cfa());
}

__CILKPROF_EVENT void __cilkprof_h_handler_leave(void) {
  if (__CILKPROF_RARE(__cilkprof_self.signals))
    __cilkprof_signal_left((__cilkprof_u64)__builtin_dwarf_cfa());
}

/* A function that only instrumented code can call.  */
__CILKPROF_EVENT void __cilkprof_h_enter(struct __cilkprof_frame *frame) {
  __cilkprof_p_start_all(frame, __cilkprof_self.top);
}

/* A function that other code may call as well: the log's top says whether it did.  */
__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_top(struct __cilkprof_function *function) {
  struct __cilkprof_entry *top = __cilkprof_self.top;
  if (__CILKPROF_RARE((__cilkprof_u64)top & 1))
    top = __cilkprof_enter_from_outside(function);
  return (struct __cilkprof_entry *)((__cilkprof_u64)top & ~(__cilkprof_u64)__CILKPROF_TOP_SERIAL);
}

__CILKPROF_EVENT void __cilkprof_h_enter_any(struct __cilkprof_frame *frame, struct __cilkprof_function *function) {
  __cilkprof_p_start_all(frame, __cilkprof_p_top(function));
}

__CILKPROF_PART struct __cilkprof_frame *__cilkprof_p_link(void) {
  struct __cilkprof_frame *frame = __cilkprof_self.frames + 1;
  if (__CILKPROF_RARE(frame >= __cilkprof_self.frames_end))
    frame = __cilkprof_no_frame();
  __cilkprof_self.frames = frame;
  return frame;
}

/* The same with a linked frame.  */
__CILKPROF_EVENT struct __cilkprof_frame *__cilkprof_h_enter_linked(struct __cilkprof_function *function) {
  struct __cilkprof_entry *top = __cilkprof_p_top(function);
  struct __cilkprof_frame *frame = __cilkprof_p_link();
  frame->key = __CILKPROF_KEY(frame);
  __cilkprof_p_start(frame, top);
  return frame;
}

__CILKPROF_EVENT void __cilkprof_h_unlink(struct __cilkprof_frame *frame) {
  if (__CILKPROF_RARE(frame >= __cilkprof_self.frames_end))
    __cilkprof_unlink_untracked();
  else
    __cilkprof_self.frames = frame - 1;
}

__CILKPROF_PART void __cilkprof_p_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                       struct __cilkprof_site *site, __cilkprof_u64 kind) {
  frame->local_work = local_work;
  frame->site = (__cilkprof_u64)site | kind;
  __cilkprof_self.top = frame->top;
  if (__CILKPROF_RARE(site->active == 0))
    __cilkprof_top_call(site, __CILKPROF_KEY(frame));
}

__CILKPROF_EVENT void __cilkprof_h_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                        struct __cilkprof_site *site) {
  __cilkprof_p_call(frame, local_work, site, 0);
}

__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_log_top(void) {
  return (struct __cilkprof_entry *)((__cilkprof_u64)__cilkprof_self.top &
                                     ~(__cilkprof_u64)(__CILKPROF_TOP_MARKS | __CILKPROF_TOP_SERIAL));
}

/* A macro: of a function's result GCC forgets what it expects.  */
#define __CILKPROF_AT_LIMIT(top, segment)                                                                              \
  ((top) >= __cilkprof_self.limit || (__cilkprof_u64)(top) - (__cilkprof_u64)(segment) > __cilkprof_self.fold_bytes)

/* What an invocation that returns adds to its site and to the log, if it is no top-call-site one.  Returns the new top.
   The slots are read before: what is written might be one of them.  */
__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_book_plain(struct __cilkprof_site *site,
                                                                 struct __cilkprof_entry *top, __cilkprof_u64 work,
                                                                 __cilkprof_u64 off_span,
                                                                 __cilkprof_u64 off_burdened_span) {
  site->count++;
  site->local_work += work;
  site->local_off_span += off_span;
  site->local_off_burdened_span += off_burdened_span;
  top->key = (__cilkprof_u64)site | __CILKPROF_ENTRY_PLAIN;
  top->count = 1;
  top->local_work = work;
  top->local_off_span = off_span;
  top->local_off_burdened_span = off_burdened_span;
  return top + 1;
}

__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_book(struct __cilkprof_site *site,
                                                           struct __cilkprof_entry *segment, __cilkprof_u64 key) {
  struct __cilkprof_entry *top = __cilkprof_p_log_top();
  __cilkprof_u64 work = __cilkprof_self.local_work, off_span = __cilkprof_self.local_off_span,
                 off_burdened_span = __cilkprof_self.local_off_burdened_span;
  if (__CILKPROF_RARE(__CILKPROF_AT_LIMIT(top, segment) || site->active == key))
    return __cilkprof_returned(site, segment, key);
  return __cilkprof_p_book_plain(site, top, work, off_span, off_burdened_span);
}

/* TOP is the log's with the entry of the call in it.  */
__CILKPROF_PART void __cilkprof_p_returned(struct __cilkprof_frame *frame, struct __cilkprof_entry *top) {
  frame->site = 0;
  frame->top = top;
  frame->work += __cilkprof_self.work;
  frame->span += __cilkprof_self.span;
  frame->burdened_span += __cilkprof_self.burdened_span;
  __cilkprof_p_lanes_returned(frame);
}

__CILKPROF_EVENT void __cilkprof_h_returned(struct __cilkprof_frame *frame, struct __cilkprof_site *site) {
  __cilkprof_p_returned(frame, __cilkprof_p_book(site, frame->segment, __CILKPROF_KEY(frame)));
}

/* The child's entries begin a segment of their own, to be dropped or kept as a whole.  */
__CILKPROF_EVENT void __cilkprof_h_spawn(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                         struct __cilkprof_site *site) {
  frame->outer_segment = frame->segment;
  frame->segment = frame->top;
  __cilkprof_p_call(frame, local_work, site, __CILKPROF_CALL_SPAWN);
}

/* The child that was the longest is not on the path.  */
__CILKPROF_PART void __cilkprof_p_hole(struct __cilkprof_frame *frame) {
  struct __cilkprof_entry *end = frame->longest_end;
  end->key = __CILKPROF_ENTRY_HOLE;
  end->count = (__cilkprof_u64)frame->longest_start;
  if (end > __cilkprof_self.hole)
    __cilkprof_self.hole = end;
}

/* A path to the end of a child: is it the longest so far?  Of equally long ones the first counts.  */
__CILKPROF_PART void __cilkprof_p_child(struct __cilkprof_frame *frame, struct __cilkprof_entry *top,
                                        __cilkprof_u64 own, __cilkprof_u64 span, __cilkprof_u64 burdened_own,
                                        __cilkprof_u64 burdened_span) {
  struct __cilkprof_entry *start = frame->segment, *end = top;
  if (!frame->spawned || span > frame->longest_span) {
    if (frame->spawned) {
      __cilkprof_p_hole(frame);
      if (__CILKPROF_RARE((__cilkprof_u64)end - (__cilkprof_u64)frame->base > __cilkprof_self.fold_bytes)) {
        struct __cilkprof_child child = __cilkprof_fold_around(frame->base, start, end);
        start = child.start;
        end = child.end;
      }
    }
    frame->longest_start = start;
    frame->longest_end = end;
    frame->segment = frame->top = frame->merge =
        end + 1; /* one entry is left free, for the hole that this child may become */
    frame->longest_span = span;
    frame->longest_own = own;
  } else {
    frame->top = start;
    frame->segment = frame->outer_segment;
  }
  if (!frame->spawned || burdened_span > frame->longest_burdened) {
    frame->longest_burdened = burdened_span;
    frame->longest_burdened_own = burdened_own;
  }
  frame->spawned = 1;
}

/* OWN is the function's part of the path to the child.  */
__CILKPROF_PART void __cilkprof_p_child_returned(struct __cilkprof_frame *frame, __cilkprof_u64 own,
                                                 __cilkprof_u64 burdened_own, struct __cilkprof_entry *top) {
  frame->site = 0;
  frame->work += __cilkprof_self.work;
  __cilkprof_p_child(frame, top, own, frame->span + own + __cilkprof_self.span, burdened_own,
                     frame->burdened_span + burdened_own + __cilkprof_self.burdened_span);
}

__CILKPROF_PART void __cilkprof_p_spawn_returned(struct __cilkprof_frame *frame, __cilkprof_u64 own,
                                                 __cilkprof_u64 burdened_own, struct __cilkprof_entry *top) {
  __cilkprof_p_child_returned(frame, own, burdened_own, top);
  frame->off_burdened_span -= __cilkprof_self.burden;
}

__CILKPROF_EVENT void __cilkprof_h_spawn_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                  struct __cilkprof_site *site) {
  __cilkprof_u64 own = local_work - frame->off_span, burdened_own = local_work - frame->off_burdened_span;
  __cilkprof_p_spawn_returned(frame, own, burdened_own, __cilkprof_p_book(site, frame->segment, __CILKPROF_KEY(frame)));
  __cilkprof_p_lanes_child(frame, local_work);
}

/* Joins the children.  Where the longest child and the continuation are equally long, the child counts.  */
__CILKPROF_PART void __cilkprof_p_join(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  if (frame->longest_span >= frame->span + local_work - frame->off_span) {
    frame->span = frame->longest_span - frame->longest_own;
    frame->off_span = local_work - frame->longest_own;
    frame->top = frame->longest_end;
  } else
    __cilkprof_p_hole(frame);
  if (frame->longest_burdened >= frame->burdened_span + local_work - frame->off_burdened_span) {
    frame->burdened_span = frame->longest_burdened - frame->longest_burdened_own;
    frame->off_burdened_span = local_work - frame->longest_burdened_own;
  }
  frame->segment = frame->base;
  frame->spawned = 0;
  __cilkprof_self.syncs++;
}

__CILKPROF_PART void __cilkprof_p_sync(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  if (!frame->spawned)
    return;
  __cilkprof_p_join(frame, local_work);
  if (__CILKPROF_RARE((__cilkprof_u64)frame->top - (__cilkprof_u64)frame->base > __cilkprof_self.fold_bytes))
    frame->top = __cilkprof_fold(frame->base, frame->top);
  __cilkprof_p_lanes_sync(frame, local_work);
}

__CILKPROF_EVENT void __cilkprof_h_sync(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  __cilkprof_p_sync(frame, local_work);
}

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

/* A quiet call is part of the function's own work: of a function that the compiler takes to run none of the program's
   code.  One that does finds this mark, and takes it away.  The compiler must not think that it knows better, as it
   does of a function that is declared pure.  */
__CILKPROF_EVENT void __cilkprof_h_quiet_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  frame->local_work = local_work;
  *(struct __cilkprof_entry *volatile *)&__cilkprof_self.top =
      (struct __cilkprof_entry *)((__cilkprof_u64)frame->top | __CILKPROF_TOP_MARKS);
}

/* Returns the local work: in clock mode the time up to the end of the call is known.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_quiet_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  if (__CILKPROF_RARE(
          !((__cilkprof_u64) * (struct __cilkprof_entry *volatile *)&__cilkprof_self.top & __CILKPROF_TOP_QUIET))) {
    __cilkprof_p_returned(frame, __cilkprof_quiet_returned());
    local_work += __cilkprof_self.local_work;
  } else
    *(struct __cilkprof_entry *volatile *)&__cilkprof_self.top =
        (struct __cilkprof_entry *)((__cilkprof_u64)frame->top | __CILKPROF_TOP_OUTSIDE);
  return local_work;
}

/* All of an invocation that had no event.  */
__CILKPROF_PART void __cilkprof_p_bare(__cilkprof_u64 local_work) {
  __cilkprof_self.top = (struct __cilkprof_entry *)((__cilkprof_u64)__cilkprof_self.top | 1);
  __cilkprof_self.local_work = local_work;
  __cilkprof_self.local_off_span = __cilkprof_self.local_off_burdened_span = 0;
  __cilkprof_self.work = __cilkprof_self.span = __cilkprof_self.burdened_span = local_work;
  __cilkprof_p_lanes_bare(local_work);
}

__CILKPROF_PART void __cilkprof_p_bare_any(__cilkprof_u64 local_work, struct __cilkprof_function *function) {
  if (__CILKPROF_RARE((__cilkprof_u64)__cilkprof_self.top & __CILKPROF_TOP_OUTSIDE))
    __cilkprof_bare_from_outside(local_work, function);
  else
    __cilkprof_p_bare(local_work);
}

/* Of a function that only instrumented code can call, or that others may call as well.  */
__CILKPROF_EVENT void __cilkprof_h_bare(__cilkprof_u64 local_work) {
  __cilkprof_p_bare(local_work);
}

__CILKPROF_EVENT void __cilkprof_h_bare_any(__cilkprof_u64 local_work, struct __cilkprof_function *function) {
  __cilkprof_p_bare_any(local_work, function);
}

/* Control came back without a return: to a landing pad, or a second time out of setjmp.  */
__CILKPROF_EVENT void __cilkprof_h_resume(struct __cilkprof_frame *frame) {
  __cilkprof_resume(frame);
}

/* An iteration of a cilk_for begins.  */
__CILKPROF_EVENT void __cilkprof_h_iterate(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  if (frame->spawned || frame->left == 0)
    __cilkprof_iteration_end(frame, local_work);
  frame->left--;
}

#include "tasks.h"

/* Shows the types to the compiler.  */
__CILKPROF_EVENT void __cilkprof_h_types(struct __cilkprof_frame frame, struct __cilkprof_site site,
                                         struct __cilkprof_function function, struct __cilkprof_place place) {
  (void)place;
  (void)frame;
  (void)site;
  (void)function;
}

#ifdef __cplusplus
}
#endif
#endif
