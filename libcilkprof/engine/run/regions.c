/* OpenMP's parallel regions in code without instrumentation: threads that are not measured run them, and that is said.
   SPDX-License-Identifier: MIT

   The linker leads the program's calls of libgomp that begin a region here (--wrap, in cilkprof.specs); instrumented
   code has none.  All arguments are integers or addresses: those that a function does not have are passed in vain.  */

#include "libcilkprof/common/system.h"

static void say_once(void) {
  static int said;
  if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    __cilkprof_say("OpenMP",
                   "a parallel region in code without instrumentation is run by threads that are not measured",
                   "compile it with -fcilkprof");
}

#define REGION(name)                                                                                                   \
  extern long __real_##name(long, long, long, long, long, long, long, long);                                           \
  extern long __wrap_##name(long, long, long, long, long, long, long, long);                                           \
  long __wrap_##name(long a, long b, long c, long d, long e, long f, long g, long h) {                                 \
    say_once();                                                                                                        \
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
