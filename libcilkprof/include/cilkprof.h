/* What a program can ask of the profiler: see cilkprof.h(3).  Without -fcilkprof every call does nothing.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_H
#define CILKPROF_H

#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

#define __CILKPROF_API static __inline__ __attribute__((always_inline, unused))

#ifdef __cilkprof__
int __cilkprof_api_write(void) __attribute__((nothrow));
#else
#define __cilkprof_api_write() 0
#endif

/* Writes the profile now, as if the program ended here, and goes on.  Returns 0, or -1 when it cannot be written.  */
__CILKPROF_API int cilkprof_write(void) {
  return __cilkprof_api_write();
}

#ifdef __cplusplus
}
#endif
#endif
