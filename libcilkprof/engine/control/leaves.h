/* Leaves: their own event, and the events of calls of them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LEAVES_H
#define CILKPROF_LEAVES_H

#include "libcilkprof/engine/span/leaf.h"

/* Books an invocation of a leaf by SITE that cannot be merged with an entry of the log.  */
HIDDEN __attribute__((noinline)) void __cilkprof_leaf_slow(site_t *site);

/* Returns whether the function that has returned to FRAME, the innermost one, is not the leaf that the compiler saw at
   the call.  An inline function may be compiled in several units, and the linker takes one.  */
static inline int is_callee_not_the_leaf(const frame_t *frame) {
  return (uint64_t)THREAD.top != ((uint64_t)frame->top | __CILKPROF_TOP_OUTSIDE);
}
/* Books a call by SITE of a function that is not the leaf that the compiler saw.  */
HIDDEN __attribute__((noinline)) void __cilkprof_other_than_leaf_returned(site_t *site);

/* Invocations of a leaf by one call of a function like qsort that are followed.  */
enum { FOLLOWED_CALLBACKS = 4096 };

/* The cost of following a leaf that is called back: about 29 instructions, a third of which run while those of the
   program wait.  */
enum { CALLED_BACK_INSTRUCTIONS = 20 };

/* The cost of a leaf that is called back and runs without events: it checks for that, and counts.  */
enum { COUNTED_BACK_INSTRUCTIONS = 6 };

/* callbacks.c: code without instrumentation has called the leaf FUNCTION many times.  */
HIDDEN void __cilkprof_callbacks_many(const function_t *function);

/* Counts an invocation of the leaf FUNCTION with OWN work, which is about to return to code without instrumentation
   that calls it again and again, as a comparison function is called.  Returns whether it was counted: the code that
   called the leaf before must be running, on the same stack.  */
static inline int count_leaf_called_back(function_t *function, uint64_t own) {
  enum { NEAR = 1 << 16 };
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  if (foreign->leaf != &function->outside || (uint64_t)THREAD.frames != foreign->key ||
      (uint64_t)THREAD.top & __CILKPROF_TOP_CHARGED || foreign->stack - (uint64_t)__builtin_frame_address(0) > NEAR)
    return 0;
  foreign->leaf_work += own;
  if (__CILKPROF_RARE(++foreign->leaf_count == FOLLOWED_CALLBACKS))
    __cilkprof_callbacks_many(function);
  return 1;
}

/* Returns whether a function that returns to RETURN_ADDRESS is a signal handler: the code there makes the system call
   that ends a handler.  */
static inline int is_signal_handler_return(const void *return_address) {
  return __CILKPROF_RARE(*(const __cilkprof_code *)return_address == __CILKPROF_SIGRETURN);
}

#endif
