/* The processor's timer, for what happens too often for the system's clocks.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COMMON_TICKS_H
#define CILKPROF_COMMON_TICKS_H

#include <stdint.h>

/* Returns the processor's timer, in ticks.  It is much faster to read than the system's clocks.  */
static inline uint64_t read_ticks(void) {
#if defined __x86_64__
  return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
#error "which timer does this processor have?"
#endif
}

/* Returns about how many ticks there are in a microsecond; never 0.  On x86-64 the frequency is not stated: 2.5 GHz is
   wrong by at most a factor of two, which is enough to tell short from long.  */
static inline uint64_t ticks_per_microsecond(void) {
#if defined __x86_64__
  return 2500;
#else
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  return hz < 1000000 ? 1 : hz / 1000000;
#endif
}

#endif
