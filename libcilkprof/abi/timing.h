/* The timer, and the events of strands that are timed.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TIMING_H
#define CILKPROF_TIMING_H

#pragma GCC system_header

__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_long_strand(__cilkprof_u64 ticks);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_short_strand(__cilkprof_u64 ticks, __cilkprof_u64 instructions);
__CILKPROF_COLD __cilkprof_u64 __cilkprof_place_begin(struct __cilkprof_place *place);
__CILKPROF_COLD __cilkprof_u64 __cilkprof_place_end(struct __cilkprof_place *place, __cilkprof_u64 instructions);

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

/* Hybrid mode: from here to its end the strand is measured by PLACE, if it is not already.  BEGIN is the place where
   that began, 0 before; it is odd while the strand is timed.  EXPECTED instructions at least are to come, as far as is
   known.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_timing(__cilkprof_u64 begin, struct __cilkprof_place *place,
                                                    __cilkprof_u64 expected) {
  __cilkprof_u64 skip = place->skip;
  if (begin)
    return begin;
  if (__CILKPROF_RARE(!skip || expected >= __CILKPROF_LONG))
    return __cilkprof_place_begin(place);
  place->skip = skip - 1;
  return (__cilkprof_u64)place;
}

/* Whether a strand that is counted comes to where it is to be timed: what is expected there is no count that can be
   multiplied by what an instruction costs elsewhere.  What it did is one strand then, and the rest another.  */
__CILKPROF_PART int __cilkprof_p_counted_ends(__cilkprof_u64 begin, __cilkprof_u64 expected) {
  return expected >= __CILKPROF_LONG && begin && !(begin & 1);
}

/* What a strand cost that had so many instructions and was not timed.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_counted(__cilkprof_u64 begin, __cilkprof_u64 instructions) {
  __cilkprof_u64 factor = ((const struct __cilkprof_place *)begin)->factor;
  if (__CILKPROF_RARE(instructions >> 32 != 0))
    return (instructions >> 16) * factor;
  return instructions * factor >> 16;
}

/* The local work there, and BEGIN.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_counted(__cilkprof_u64 local_work, __cilkprof_u64 begin,
                                                     __cilkprof_u64 before, __cilkprof_u64 expected) {
  return __cilkprof_p_counted_ends(begin, expected) ? before + __cilkprof_p_counted(begin, local_work - before)
                                                    : local_work;
}
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_still(__cilkprof_u64 begin, __cilkprof_u64 expected) {
  return __cilkprof_p_counted_ends(begin, expected) ? 0 : begin;
}

/* The local work when that began.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_work_before(__cilkprof_u64 begin, __cilkprof_u64 before,
                                                         __cilkprof_u64 local_work) {
  return begin ? before : local_work;
}

/* The local work of a function without a frame: WORK is what it did since this was last brought up to date.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_work_so_far(__cilkprof_u64 work, __cilkprof_u64 local_work) {
  return local_work + work;
}

/* What a strand cost that had so many instructions.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_measured(__cilkprof_u64 begin, __cilkprof_u64 instructions) {
  if (__CILKPROF_RARE(begin & 1))
    return __cilkprof_place_end((struct __cilkprof_place *)(begin - 1), instructions);
  return __cilkprof_p_counted(begin, instructions);
}

/* Hybrid mode: a strand ends.  Returns the local work with it.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_timed(__cilkprof_u64 local_work, __cilkprof_u64 begin,
                                                   __cilkprof_u64 before) {
  if (!begin)
    return local_work;
  return before + __cilkprof_p_measured(begin, local_work - before);
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
