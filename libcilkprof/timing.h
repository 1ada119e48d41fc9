/* The timer, and the events of strands that are timed.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TIMING_H
#define CILKPROF_TIMING_H

#pragma GCC system_header

__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_long_strand(__cilkprof_u64 ticks);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_short_strand(__cilkprof_u64 ticks, __cilkprof_u64 instructions);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_look(void);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_time(__cilkprof_u64 begin);

#ifdef __CILKPROF_TIMER
__CILKPROF_ENGINE __cilkprof_u64 __CILKPROF_TIMER(void);
#endif

__CILKPROF_PART __cilkprof_u64 __cilkprof_p_timer(void) {
  __cilkprof_u64 now;
#if defined(__CILKPROF_TIMER) /* a test's */
  now = __CILKPROF_TIMER();
#elif defined(__aarch64__)
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(now) : : "memory");
#elif defined(__x86_64__)
  __cilkprof_u64 high;
  __asm__ __volatile__("rdtsc" : "=a"(now), "=d"(high) : : "memory");
  now |= high << 32;
#else
#error "cilkprof: no timer is known for this processor"
#endif
  return now;
}

/* Hybrid mode: from here to its end the strand is timed, if it is not already.  BEGIN is the timer when that began, 0
   before; BEFORE is the local work then.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_timing(__cilkprof_u64 begin) {
  if (begin)
    return begin;
  begin = __cilkprof_p_timer();
  if (__CILKPROF_RARE(begin - __cilkprof_self.last > __cilkprof_self.look_after))
    begin = __cilkprof_look();
  return begin;
}

__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_work_before(__cilkprof_u64 begin, __cilkprof_u64 before,
                                                         __cilkprof_u64 local_work) {
  return begin ? before : local_work;
}

/* Hybrid mode: a strand ends.  Returns the local work with it.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_timed(__cilkprof_u64 local_work, __cilkprof_u64 begin,
                                                   __cilkprof_u64 before) {
  return begin ? before + __cilkprof_time(begin) : local_work;
}

/* Clock mode: a strand boundary.  What reading the timer costs is subtracted.  INSTRUCTIONS is how many the strand has,
   plus 1, where they are known and few; or 0.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_boundary(__cilkprof_u64 local_work, __cilkprof_u64 instructions) {
  __cilkprof_u64 now = __cilkprof_p_timer(), ticks = now - __cilkprof_self.last, cost = __cilkprof_self.timer_cost;
  __cilkprof_self.last = now;
  if (instructions) {
    if (__CILKPROF_RARE(ticks > __cilkprof_self.short_strand))
      ticks = __cilkprof_short_strand(ticks, instructions);
  } else if (__CILKPROF_RARE(ticks > __cilkprof_self.long_strand))
    ticks = __cilkprof_long_strand(ticks);
  return local_work + (ticks > cost ? ticks - cost : 0);
}

#endif
