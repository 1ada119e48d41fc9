/* A timer with the faults that timers have, in place of the processor's.  TIMER_FAULT says which; it is put into the
   program together with an engine that was built to call it.
   SPDX-License-Identifier: MIT  */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern uint64_t __cilkprof_test_timer(void), __cilkprof_test_timer_hz(void);
extern uint64_t __cilkprof_test_step, __cilkprof_test_now;

/* A program may make it larger when it starts: what happens then takes longer than reading the timer.  */
uint64_t __cilkprof_test_step = 1;

/* What the timer shows if the program moves it.  */
uint64_t __cilkprof_test_now;

/* Returns the timer of the processor.  */
static uint64_t test_libcilkprof_processor_timer(void) {
  uint64_t now;
#if defined(__aarch64__)
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(now) : : "memory");
#else
  uint64_t high;
  __asm__ __volatile__("rdtsc" : "=a"(now), "=d"(high) : : "memory");
  now |= high << 32;
#endif
  return now;
}

enum { NONE, BACK, SUSPEND, MIGRATION, STOPPED, WRAP, WAITING, INTERRUPTS, READS, PROGRAM };

/* Returns the number of the fault NAME.  Aborts if there is none: a misspelt name must not pass as a test.  */
static int test_libcilkprof_fault_named(const char *name) {
  static const char *const names[] = {"none", "back",    "suspend",    "migration", "stopped",
                                      "wrap", "waiting", "interrupts", "reads",     "program"};
  for (int i = 0; name && i < (int)(sizeof names / sizeof *names); i++)
    if (!strcmp(name, names[i]))
      return i;
  abort();
}

/* Returns the fault that TIMER_FAULT names; the variable is read only once, since the timer is read often.  */
static int test_libcilkprof_fault(void) {
  static int chosen = -1;
  if (chosen < 0)
    chosen = test_libcilkprof_fault_named(getenv("TIMER_FAULT"));
  return chosen;
}

/* Returns the frequency of the timer with a fault: a tick is a nanosecond if the timer is simulated.  0 if the engine
   is to measure that of the processor's timer.  */
uint64_t __cilkprof_test_timer_hz(void) {
  return test_libcilkprof_fault() >= WAITING ? 1000000000 : 0;
}

/* Returns the timer with the fault: what the engine reads in place of the processor's.  Faults happen at every so many
   reads, so that they do not depend on time.  */
uint64_t __cilkprof_test_timer(void) {
  static uint64_t reads, offset, seed = 1;
  int often = ++reads % 1009 == 0, seldom = reads % 30011 == 0;
  seed = seed * 6364136223846793005 + 1442695040888963407;
  switch (test_libcilkprof_fault()) {
  case BACK: /* by up to a second */
    offset -= often ? seed >> 34 : 0;
    break;
  case SUSPEND: /* for weeks */
    offset += seldom ? (uint64_t)1 << 50 : 0;
    break;
  case MIGRATION: /* between two processors with timers apart */
    offset = often ? offset ^ 30000 : offset;
    break;
  case STOPPED:
    return 12345;
  case WAITING: /* no fault: every strand waits for memory */
    return offset += 500;
  case INTERRUPTS: /* short ones */
    return offset += often ? 700 : 30;
  case READS: /* no fault: time passes when it is looked at, so that it is the same in every run */
    return offset += __cilkprof_test_step;
  case PROGRAM: /* no fault: time passes where the program says so, and nothing else takes any */
    return __cilkprof_test_now;
  case WRAP: /* to 0, soon after the start */
    offset = offset ? offset : -test_libcilkprof_processor_timer() - 100000;
    break;
  }
  return test_libcilkprof_processor_timer() + offset;
}
