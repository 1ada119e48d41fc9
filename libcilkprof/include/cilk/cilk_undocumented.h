/* More of what a program asks Cilk Plus's runtime, answered for a serial run.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_UNDOCUMENTED_H
#define CILK_UNDOCUMENTED_H

#pragma GCC system_header
#include <cilk/common.h>

__CILKRTS_BEGIN_EXTERN_C

/* Returns whether all children of the calling function have returned: always, as a child runs before its parent goes
   on.  */
__CILKRTS_INLINE int __cilkrts_synched(void) {
  return 1;
}

/* Does nothing: it printed TEXT in the output of Cilkscreen, the race detector.  */
__CILKRTS_INLINE void __cilkrts_cilkscreen_puts(const char *text) {
  (void)text;
}

/* Returns the runtime's frame of the calling function: NULL, as there is none.  */
__CILKRTS_INLINE void *__cilkrts_get_sf(void) {
  return 0;
}

/* Returns the size of workers' stacks: 0, as there are no workers.  */
__CILKRTS_INLINE size_t __cilkrts_get_stack_size(void) {
  return 0;
}

/* Does nothing: it printed statistics of the scheduler.  */
__CILKRTS_INLINE void __cilkrts_dump_stats(void) {}

__CILKRTS_END_EXTERN_C

#endif
