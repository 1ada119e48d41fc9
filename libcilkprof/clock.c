/* The timer: its frequency and cost, what an instruction is worth in time, and strands that were preempted.
   SPDX-License-Identifier: MIT

   In hybrid mode tiny strands are counted in instructions and all others are timed; the unit is the instruction, and
   time is converted by what an instruction cost in a calibration at the start: the recursion below, whose calls cost
   what a compiler's estimate says they do.  */

#include <errno.h>
#include <time.h>

#include "libcilkprof/engine.h"

enum {
  CALIBRATION_DEPTH = 15,           /* of the recursion: 1973 calls */
  CALIBRATION_INSTRUCTIONS = 14793, /* what they are estimated at: test/libcilkprof/calibration.t compares */
  CALIBRATION_ROUNDS = 40,          /* the fastest counts: the others were disturbed */
  LONG_STRAND_NS = 50000,
  LOOP_NODE_INSTRUCTIONS = 10,
};

static struct { uint64_t ticks, cpu_ns; } anchor;

static uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) < 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t __cilkprof_now_ns(void) {
  return clock_ns(CLOCK_MONOTONIC);
}

static __attribute__((noinline, noclone)) uint64_t recursion(uint64_t n) {
  if (n < 2)
    return n;
  uint64_t x = recursion(n - 1);
  __asm__ volatile("" ::: "memory"); /* else the second call becomes a loop */
  uint64_t y = recursion(n - 2);
  __asm__ volatile("" ::: "memory");
  return x + y;
}

static uint64_t fastest_recursion(void) {
  uint64_t fastest = UINT64_MAX;
  for (int i = 0; i < CALIBRATION_ROUNDS; i++) {
    uint64_t begin = __cilkprof_p_timer();
    uint64_t result = recursion(CALIBRATION_DEPTH);
    __asm__ volatile("" : : "r"(result));
    uint64_t ticks = __cilkprof_p_timer() - begin;
    if (ticks < fastest)
      fastest = ticks;
  }
  return fastest ? fastest : 1;
}

/* In 1/1024 ticks.  */
static uint64_t cost_of_reading(void) {
  uint64_t fastest = UINT64_MAX;
  for (int i = 0; i < CALIBRATION_ROUNDS; i++) {
    uint64_t begin = __cilkprof_p_timer();
    for (int j = 0; j < 31; j++)
      __cilkprof_p_timer();
    uint64_t ticks = __cilkprof_p_timer() - begin;
    if (ticks < fastest)
      fastest = ticks;
  }
  return fastest * 1024 / 32;
}

/* On aarch64 the timer tells its frequency; elsewhere it is measured against the system's clock, for a millisecond now
   and over the whole run at its end.  */
static uint64_t timer_frequency(void) {
#if defined(__aarch64__)
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  return hz;
#else
  uint64_t ns = 0, ticks = 0;
  while (ns < 1000000) {
    ns = __cilkprof_now_ns() - ENGINE.start_monotonic_ns;
    ticks = __cilkprof_p_timer() - ENGINE.start_ticks;
  }
  return (uint64_t)((unsigned __int128)ticks * 1000000000 / ns);
#endif
}

void __cilkprof_clock_start(void) {
  THREAD.burden = ENGINE.burden;
  THREAD.loop_node = LOOP_NODE_INSTRUCTIONS;
  ENGINE.start_monotonic_ns = __cilkprof_now_ns();
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  ENGINE.start_ticks = __cilkprof_p_timer();
  uint64_t ticks = fastest_recursion();
  THREAD.scale = (((uint64_t)CALIBRATION_INSTRUCTIONS << 16) + ticks / 2) / ticks;
  ENGINE.timer_cost = cost_of_reading();
  ENGINE.timer_hz = timer_frequency();
  if (ENGINE.mode == CILKPROF_MODE_CLOCK) {
    THREAD.burden = (uint64_t)(((unsigned __int128)ENGINE.burden << 16) / THREAD.scale);
    THREAD.loop_node = ((uint64_t)LOOP_NODE_INSTRUCTIONS << 16) / THREAD.scale;
    THREAD.timer_cost = ENGINE.timer_cost / 1024 + 1; /* with what an event itself adds to a strand */
  }
  THREAD.long_strand = (uint64_t)((unsigned __int128)LONG_STRAND_NS * ENGINE.timer_hz / 1000000000);
  anchor.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  anchor.ticks = THREAD.last = __cilkprof_p_timer();
}

void __cilkprof_clock_pause(struct cilkprof_pause *pause) {
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  pause->ticks = __cilkprof_p_timer();
  pause->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t __cilkprof_clock_continue(const struct cilkprof_pause *pause) {
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return 0;
  anchor.cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - pause->cpu_ns;
  uint64_t ticks = __cilkprof_p_timer() - pause->ticks;
  anchor.ticks += ticks;
  return ticks;
}

uint64_t __cilkprof_ticks_to_units(uint64_t ticks) {
  if (ENGINE.mode != CILKPROF_MODE_HYBRID)
    return ticks;
  return (uint64_t)((unsigned __int128)ticks * THREAD.scale >> 16);
}

uint64_t __cilkprof_units_per_second(void) {
  return ENGINE.mode == CILKPROF_MODE_COUNT ? 0 : __cilkprof_ticks_to_units(ENGINE.timer_hz);
}

/* A strand that took long may have been interrupted.  The thread's CPU time tells how long it really ran since the last
   such look.  */
EXPORT uint64_t __cilkprof_long_strand(uint64_t ticks) {
  if ((int64_t)ticks < 0)
    return 0; /* the timer stepped back */
  int error = errno;
  uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), now = __cilkprof_p_timer();
  errno = error;
  uint64_t ran = (uint64_t)((unsigned __int128)(cpu_ns - anchor.cpu_ns) * ENGINE.timer_hz / 1000000000);
  uint64_t passed = now - anchor.ticks;
  anchor.cpu_ns = cpu_ns;
  anchor.ticks = now;
  if (!THREAD.recording || passed <= ran || passed - ran < ticks / 64)
    return ticks;
  uint64_t stolen = passed - ran < ticks ? passed - ran : ticks;
  ENGINE.preempted_strands++;
  ENGINE.preempted_ticks += stolen;
  return ticks - stolen;
}
