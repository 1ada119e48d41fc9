/* Warns of OpenMP's parallel regions in code without instrumentation: the threads that run them are not measured.
   SPDX-License-Identifier: MIT

   The linker redirects the program's calls of libgomp's functions that begin a region to this file (--wrap, in
   cilkprof.specs).  Instrumented code has no such calls.  All arguments are integers or addresses, so every function is
   passed eight of them, and ignores those that it does not have.  */

#include "libcilkprof/common/system.h"

/* Prints a warning, once for the process, that OpenMP's parallel regions in code without instrumentation are not
   measured.  */
static void warn_of_region_in_unmeasured_run(void) {
  static int said;
  if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    __cilkprof_say("OpenMP", "a parallel region in uninstrumented code runs on threads that are not measured",
                   "compile it with -fcilkprof");
}

#define REGION(name)                                                                                                   \
  extern long __real_##name(long, long, long, long, long, long, long, long);                                           \
  extern long __wrap_##name(long, long, long, long, long, long, long, long);                                           \
  long __wrap_##name(long a, long b, long c, long d, long e, long f, long g, long h) {                                 \
    warn_of_region_in_unmeasured_run();                                                                                \
    return __real_##name(a, b, c, d, e, f, g, h);                                                                      \
  }

REGION(GOMP_parallel)
REGION(GOMP_parallel_reductions)
REGION(GOMP_parallel_sections)
REGION(GOMP_parallel_loop_static)
REGION(GOMP_parallel_loop_dynamic)
REGION(GOMP_parallel_loop_guided)
REGION(GOMP_parallel_loop_runtime)
REGION(GOMP_parallel_loop_nonmonotonic_dynamic)
REGION(GOMP_parallel_loop_nonmonotonic_guided)
REGION(GOMP_parallel_loop_nonmonotonic_runtime)
REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
