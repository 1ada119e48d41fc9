/* The frequency of the timer.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/time/clock.h"

enum { FREQUENCY_ROUNDS = 9, FREQUENCY_NS = 100000 };

/* Returns the frequency, in Hz, that the processor states for the timer, as aarch64 does; 0 if it states none.  */
static uint64_t stated_timer_frequency(void) {
#ifdef __CILKPROF_TIMER
  extern uint64_t __cilkprof_test_timer_hz(void) __attribute__((weak));
  if (__cilkprof_test_timer_hz)
    return __cilkprof_test_timer_hz();
#endif
  uint64_t hz = 0;
#if defined(__aarch64__)
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
#endif
  return hz;
}

/* Inserts VALUE, a measured frequency, into the COUNT values of SORTED, which are in ascending order.  */
static void insert_timer_frequency(uint64_t *sorted, int count, uint64_t value) {
  for (; count > 0 && sorted[count - 1] > value; count--)
    sorted[count] = sorted[count - 1];
  sorted[count] = value;
}

/* Returns the timer's frequency, in Hz, as measured against the system's clock.  It is the median of several
   measurements, as some are wrong if the timer steps or the thread is interrupted between reading the two clocks.  A
   timer that stands still gets a frequency of 1 GHz, so that times in seconds can be computed.  */
static uint64_t measured_timer_frequency(void) {
  uint64_t sorted[FREQUENCY_ROUNDS];
  for (int i = 0; i < FREQUENCY_ROUNDS; i++) {
    uint64_t begin_ns = __cilkprof_now_ns(), begin = __cilkprof_p_timer(), ns;
    do
      ns = __cilkprof_now_ns() - begin_ns;
    while (ns < FREQUENCY_NS);
    uint64_t ticks = __cilkprof_p_timer() - begin;
    insert_timer_frequency(sorted, i, (int64_t)ticks > 0 ? (uint64_t)((unsigned __int128)ticks * 1000000000 / ns) : 0);
  }
  uint64_t hz = sorted[FREQUENCY_ROUNDS / 2];
  return hz ? hz : 1000000000;
}

/* Returns the timer's frequency in Hz: the one that the processor states, or else the measured one.  */
uint64_t __cilkprof_timer_frequency(void) {
  uint64_t stated = stated_timer_frequency();
  return stated ? stated : measured_timer_frequency();
}
