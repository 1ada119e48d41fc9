/* Leaves: their own event and those of calls of them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LEAVES_H
#define CILKPROF_LEAVES_H

#include "libcilkprof/engine/span/leaf.h"

/* One returned for which there is no entry yet that it can be part of.  */
HIDDEN __attribute__((noinline)) void __cilkprof_leaf_slow(site_t *site);

/* Whether what has returned to the innermost FRAME, by a call that looked like a leaf's to the compiler, is another: of
   an inline function there may be several, and the linker takes one.  */
static inline int is_no_leaf(const frame_t *frame) {
  return (uint64_t)THREAD.top != ((uint64_t)frame->top | __CILKPROF_TOP_OUTSIDE);
}
HIDDEN __attribute__((noinline)) void __cilkprof_no_leaf_returned(site_t *site);

/* Code without instrumentation has called a leaf, which is about to return with OWN work: as comparison functions are
   called, again and again.  Returns whether it was counted.  It must be on the same stack, by the code that runs.  */
static inline int called_back(function_t *function, uint64_t own) {
  enum { NEAR = 1 << 16 };
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  if (foreign->leaf != &function->outside || (uint64_t)THREAD.frames != foreign->key ||
      (uint64_t)THREAD.top & __CILKPROF_TOP_QUIET || foreign->stack - (uint64_t)__builtin_frame_address(0) > NEAR)
    return 0;
  foreign->leaf_count++;
  foreign->leaf_work += own;
  return 1;
}

/* Whether a function that returns there is a signal handler.  */
static inline int called_by_system(const void *return_address) {
  return __CILKPROF_RARE(*(const __cilkprof_code *)return_address == __CILKPROF_SIGRETURN);
}

#endif
