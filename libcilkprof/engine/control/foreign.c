/* Code without instrumentation: calls of it, and calls by it.
   SPDX-License-Identifier: MIT

   The log's top carries a mark (an odd address) whenever a function that is entered now was not called directly by
   instrumented code.  A call of a function that may have no instrumentation notes this function as expected.  If the
   function is instrumented, the first thing it does is to clear this note, and the call becomes a direct one.
   Otherwise it is foreign code, and every instrumented function that it enters is invoked from outside.  A site that
   always calls the same function remembers that this is instrumented: later calls are direct ones.

   A function that was entered from outside does not know this when it leaves.  So its totals stay in the return slots
   until the next event that would overwrite them: another entry from outside, or the return of the foreign code.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/clock.h"

/* Returns whether a function is entered although instrumented code is running that called nothing which could enter
   one.  A signal handler without instrumentation has interrupted that code, or it called a function that the compiler
   takes to call nothing.  Nothing will show when the handler ends, so the function is nobody's callee.  */
static int is_unexpected_foreign_entry(const struct __cilkprof_foreign *foreign) {
  const frame_t *caller = foreign->key == 1 ? first_frame() - 1 : __cilkprof_charged_caller();
  return THREAD.recording && THREAD.frames != (caller ? caller : (const frame_t *)foreign->key);
}

/* Enters FUNCTION, which was not called directly by instrumented code.  If it is the one that a call expected, the call
   becomes a direct one; otherwise foreign code has called it, and returns to RETURN_ADDRESS, if that is known: where it
   is called from is a site of its own.  Returns the top of the log.  */
entry_t *__cilkprof_enter_from(function_t *function, const void *return_address) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  if (!foreign->key)
    HOST.start(function);
  if (__CILKPROF_RARE(THREAD.counting == __CILKPROF_COUNTING_CALL))
    __cilkprof_counted_entered();
  else if (__CILKPROF_RARE(THREAD.counting == __CILKPROF_COUNTING_CALLBACKS))
    __cilkprof_callbacks_end();
  if ((uint64_t)THREAD.top & __CILKPROF_TOP_CHARGED)
    __cilkprof_charged_entered();
  if (foreign->expected && foreign->expected == function->address) {
    foreign->expected = NULL;
    foreign->instrumented = 1 | (function->outside.flags & (__CILKPROF_SITE_SERIAL | __CILKPROF_SITE_LEAF |
                                                            (uint64_t)1 << __CILKPROF_SITE_COUNTABLE));
    if (__CILKPROF_RARE(profiled_thread()->roots != NULL))
      __cilkprof_root_entered(function);
    __cilkprof_whatif_entered(function);
    return THREAD.top = __cilkprof_p_log_top();
  }
  /* A function all of whose callers the compiler knew is nobody's callee either.  */
  if (__CILKPROF_RARE(is_unexpected_foreign_entry(foreign) || !function->outside.function)) {
    set_profile_flags(CILKPROF_INCOMPLETE);
    ENGINE.unfollowed = 1;
    return THREAD.top = __cilkprof_p_log_top();
  }
  if (foreign->stack)
    __cilkprof_stack_entered(foreign->stack);
  __cilkprof_foreign_boundary();
  __cilkprof_book_pending();
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    foreign->entered_at = __cilkprof_own_ticks();
  if (THREAD.sampled && THREAD.recording) /* the samples so far are of the code outside */
    THREAD.top = marked_log_top(__cilkprof_push_samples(__cilkprof_p_log_top()));
  foreign->expected = NULL;
  site_t *site = return_address ? __cilkprof_callee(&function->outside, return_address) : &function->outside;
  foreign->entered = site;
  if (!site->active)
    __cilkprof_top_call(site, foreign->key);
  if (!(~function->outside.flags & (__CILKPROF_SITE_SIMPLE | __CILKPROF_SITE_LEAF)) && foreign->stack)
    foreign->leaf = &function->outside; /* if it is called again, it is only counted */
  return THREAD.top = __cilkprof_p_log_top();
}

/* Enters FUNCTION in the same way, where it is not known who called it.  */
EXPORT entry_t *__cilkprof_enter_from_outside(function_t *function) {
  return __cilkprof_enter_from(function, NULL);
}

/* Books the invocation that has just left, of a function that foreign code called.  The time since it was entered is
   not the foreign code's: it is more than the work of the invocation, which has none of what its events took.  */
void __cilkprof_left_to_outside(void) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  uint64_t booked = foreign->work;
  __cilkprof_book_pending();
  foreign->apart += foreign->work - booked;
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    foreign->started += __cilkprof_own_ticks() - foreign->entered_at;
}

/* Begins a call of CALLEE, which may have no instrumentation, by SITE in FRAME.  SPAWNED: the call is spawned.
   LOCAL_WORK is what FRAME's function did itself so far.  */
EXPORT void __cilkprof_foreign_call(frame_t *frame, site_t *site, const void *callee, uint64_t local_work,
                                    uint64_t spawned) {
  if (spawned)
    __cilkprof_h_spawn(frame, local_work, site);
  else
    __cilkprof_h_call(frame, local_work, site);
  if (site->flags & __CILKPROF_SITE_KNOWN && !ENGINE.requests)
    return;
  frame->site |= __CILKPROF_CALL_FOREIGN;
  frame->outer = THREAD.foreign;
  THREAD.foreign = (struct __cilkprof_foreign){
      .key = (uint64_t)frame, .stack = (uint64_t)__builtin_frame_address(0), .expected = callee};
  THREAD.top = marked_log_top(frame->top);
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    THREAD.foreign.started = __cilkprof_own_ticks();
  if (__CILKPROF_RARE(ENGINE.requests))
    HOST.answer();
}

/* Does not charge TICKS of the timer to the program, by moving the beginning of everything that is being timed.  */
void __cilkprof_frames_skip_time(uint64_t ticks) {
  THREAD.last += ticks;
  THREAD.foreign.started += ticks;
  THREAD.counted_since += THREAD.counted_since ? ticks : 0;
  for (frame_t *frame = THREAD.frames; frame >= first_frame(); frame--)
    if (frame->site & __CILKPROF_CALL_FOREIGN)
      frame->outer.started += ticks;
  __cilkprof_charged_skip_time(ticks);
}

/* Ends PAUSE, a pause of the measurement (time/clock.h), and does not charge its time to the program.  */
void __cilkprof_frames_continue(const struct cilkprof_pause *pause) {
  __cilkprof_frames_skip_time(__cilkprof_clock_continue(pause));
}
