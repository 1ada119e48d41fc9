/* Code without instrumentation: what calls it, and what it calls.
   SPDX-License-Identifier: MIT

   The log's top carries a mark (an odd address) whenever a function that is entered now was not called directly by
   instrumented code.  A call to something that may have no instrumentation names it as expected: if it turns out to be
   instrumented, its first act clears the expectation and all is as in a direct call.  Otherwise it is foreign code, and
   every instrumented function that it enters is an invocation from outside.  A site that always calls the same function
   remembers that it is instrumented: later calls are direct ones.

   Such a function does not know that it was entered from outside when it leaves.  So its totals stay in the return
   slots until the next event that would overwrite them: another entry, or the return of the foreign code.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/clock.h"

/* The caller of what is entered from outside, in the place of a function.  */
extern EXPORT function_t __cilkprof_outside;
function_t __cilkprof_outside;

/* Instrumented code is running, and called nothing that could enter a function: it was interrupted by a signal handler
   that has no instrumentation.  (Or it called what the compiler takes to call nothing.)  Nobody will know when that
   ends, so what it enters is nobody's callee.  Nor is a function that the compiler knew all callers of.  */
static int is_interrupted(const struct __cilkprof_foreign *foreign) {
  const frame_t *caller = foreign->key == 1 ? first_frame() - 1 : __cilkprof_quiet_caller();
  return THREAD.recording && THREAD.frames != (caller ? caller : (const frame_t *)foreign->key);
}

EXPORT entry_t *__cilkprof_enter_from_outside(function_t *function) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  if (!foreign->key)
    HOST.start(function);
  if ((uint64_t)THREAD.top & __CILKPROF_TOP_QUIET)
    __cilkprof_quiet_entered();
  if (foreign->expected && foreign->expected == function->address) {
    foreign->expected = NULL;
    foreign->instrumented = 1 | (function->outside.flags & (__CILKPROF_SITE_SERIAL | __CILKPROF_SITE_LEAF));
    if (__CILKPROF_RARE(profiled_thread()->roots != NULL))
      __cilkprof_root_entered(function);
    __cilkprof_whatif_entered(function);
    return THREAD.top = __cilkprof_p_log_top();
  }
  if (__CILKPROF_RARE(is_interrupted(foreign) || !function->outside.function)) {
    flag(CILKPROF_INCOMPLETE);
    ENGINE.unfollowed = 1;
    return THREAD.top = __cilkprof_p_log_top();
  }
  if (foreign->stack)
    __cilkprof_stack_entered(foreign->stack);
  __cilkprof_foreign_boundary();
  __cilkprof_book_pending();
  foreign->expected = NULL;
  foreign->entered = &function->outside;
  if (!function->outside.active)
    __cilkprof_top_call(&function->outside, foreign->key);
  if (!(~function->outside.flags & (__CILKPROF_SITE_SIMPLE | __CILKPROF_SITE_LEAF)) && foreign->stack)
    foreign->leaf = &function->outside; /* if it is called again */
  return THREAD.top = __cilkprof_p_log_top();
}

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
  THREAD.top = marked(frame->top);
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    THREAD.foreign.started = __cilkprof_own_ticks();
  if (__CILKPROF_RARE(ENGINE.requests))
    HOST.answer();
}

/* Everything that is being timed begins later.  */
void __cilkprof_skip_time(uint64_t ticks) {
  THREAD.last += ticks;
  THREAD.foreign.started += ticks;
  for (frame_t *frame = THREAD.frames; frame >= first_frame(); frame--)
    if (frame->site & __CILKPROF_CALL_FOREIGN)
      frame->outer.started += ticks;
  __cilkprof_quiet_skip_time(ticks);
}

void __cilkprof_continue(const struct cilkprof_pause *pause) {
  __cilkprof_skip_time(__cilkprof_clock_continue(pause));
}
