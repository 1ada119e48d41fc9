/* More of what a program asks Cilk Plus's runtime, answered for a serial run.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_UNDOCUMENTED_H
#define CILK_UNDOCUMENTED_H

#pragma GCC system_header
#include <cilk/common.h>

__CILKRTS_BEGIN_EXTERN_C

/* A child has always returned when its parent goes on.  */
__CILKRTS_INLINE int __cilkrts_synched(void) {
  return 1;
}

__CILKRTS_INLINE void __cilkrts_cilkscreen_puts(const char *text) {
  (void)text;
}

__CILKRTS_INLINE void *__cilkrts_get_sf(void) {
  return 0;
}

__CILKRTS_INLINE size_t __cilkrts_get_stack_size(void) {
  return 0;
}

__CILKRTS_INLINE void __cilkrts_dump_stats(void) {}

__CILKRTS_END_EXTERN_C

#endif
