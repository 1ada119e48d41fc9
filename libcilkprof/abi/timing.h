/* The timer, and the events of timed strands.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TIMING_H
#define CILKPROF_TIMING_H

#pragma GCC system_header

__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_long_strand(__cilkprof_u64 ticks);
__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_short_strand(__cilkprof_u64 ticks, __cilkprof_u64 instructions);
__CILKPROF_COLD __cilkprof_u64 __cilkprof_timing_point_begin(struct __cilkprof_timing_point *point);
__CILKPROF_COLD __cilkprof_u64 __cilkprof_timing_point_end(struct __cilkprof_timing_point *point,
                                                           __cilkprof_u64 instructions);
__CILKPROF_COLD void __cilkprof_o_serial_loop_end(struct __cilkprof_site *site, __cilkprof_u64 work,
                                                  struct __cilkprof_timing_point *point);
__CILKPROF_COLD __cilkprof_u64 __cilkprof_long_counted(struct __cilkprof_timing_point *point,
                                                       __cilkprof_u64 instructions);
__CILKPROF_COLD struct __cilkprof_entry *__cilkprof_serial_loop(struct __cilkprof_site *site, __cilkprof_u64 inside,
                                                                struct __cilkprof_entry *segment,
                                                                struct __cilkprof_entry *merge,
                                                                struct __cilkprof_entry *top);

#ifdef __CILKPROF_TIMER
__CILKPROF_ENGINE __cilkprof_u64 __CILKPROF_TIMER(void);
#endif

/* Returns the processor's timer, in ticks.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_timer(void) {
  __cilkprof_u64 now;
#if defined(__CILKPROF_TIMER) /* defined by a test */
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

/* Event of hybrid mode where a strand comes to the timing point POINT: it is measured by it from here to its end,
   unless it is measured already.  BEGIN is the timing point that measures it, or 0; it is odd if the strand is timed
   and not only counted.  EXPECTED is the least number of instructions to come, as far as is known.  Returns the new
   BEGIN.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_timing(__cilkprof_u64 begin, struct __cilkprof_timing_point *point,
                                                    __cilkprof_u64 expected) {
  __cilkprof_u64 skip = point->skip;
  if (begin)
    return begin;
  if (__CILKPROF_RARE(!skip || expected >= __CILKPROF_LONG))
    return __cilkprof_timing_point_begin(point);
  point->skip = skip - 1;
  return (__cilkprof_u64)point;
}

/* Returns whether a strand that is counted must be timed from here on, because many instructions are EXPECTED: what
   they cost cannot be estimated by the cost of an instruction elsewhere.  What it did so far is then a strand of its
   own.  */
__CILKPROF_PART int __cilkprof_p_counted_ends(__cilkprof_u64 begin, __cilkprof_u64 expected) {
  return expected >= __CILKPROF_LONG && begin && !(begin & 1);
}

/* Returns the cost of a strand of so many INSTRUCTIONS that was counted, and not timed.  BEGIN is its timing point,
   which knows the cost of an instruction.  If it was sampled, it may be long all the same.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_counted(__cilkprof_u64 begin, __cilkprof_u64 instructions) {
  if (__CILKPROF_RARE(instructions + __cilkprof_self.sampled >= __CILKPROF_LONG))
    return __cilkprof_long_counted((struct __cilkprof_timing_point *)begin, instructions);
  return instructions * ((const struct __cilkprof_timing_point *)begin)->factor >> 16;
}

/* Event of hybrid mode before a timing point: returns the local work, with the cost of a counted strand if it ends here
   because many instructions are EXPECTED.  BEFORE is the local work when that strand began, BEGIN its timing point or
   0.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_counted(__cilkprof_u64 local_work, __cilkprof_u64 begin,
                                                     __cilkprof_u64 before, __cilkprof_u64 expected) {
  return __cilkprof_p_counted_ends(begin, expected) ? before + __cilkprof_p_counted(begin, local_work - before)
                                                    : local_work;
}
/* Event of hybrid mode before a timing point: returns BEGIN, or 0 if a counted strand ends here because many
   instructions are EXPECTED.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_still(__cilkprof_u64 begin, __cilkprof_u64 expected) {
  return __cilkprof_p_counted_ends(begin, expected) ? 0 : begin;
}

/* Returns the local work when the strand that is measured in hybrid mode began: BEFORE if it is measured already (BEGIN
   is not 0), or else LOCAL_WORK.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_work_before(__cilkprof_u64 begin, __cilkprof_u64 before,
                                                         __cilkprof_u64 local_work) {
  return begin ? before : local_work;
}

/* Returns the local work of a function without a frame: WORK is what it did since LOCAL_WORK was last updated.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_work_so_far(__cilkprof_u64 work, __cilkprof_u64 local_work) {
  return local_work + work;
}

/* Returns the cost of a strand of so many INSTRUCTIONS, timed or counted.  BEGIN is the timing point that measures it,
   odd if it is timed.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_measured(__cilkprof_u64 begin, __cilkprof_u64 instructions) {
  if (__CILKPROF_RARE(begin & 1))
    return __cilkprof_timing_point_end((struct __cilkprof_timing_point *)(begin - 1), instructions);
  return __cilkprof_p_counted(begin, instructions);
}

/* Event of hybrid mode where a strand ends.  Returns the local work with its cost.  BEGIN is the timing point that
   measures it, or 0 if none does; BEFORE is the local work when it began to be measured.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_timed(__cilkprof_u64 local_work, __cilkprof_u64 begin,
                                                   __cilkprof_u64 before) {
  if (!begin)
    return local_work;
  return before + __cilkprof_p_measured(begin, local_work - before);
}

/* Event at the end of a serial loop.  If it ran long it is booked as an invocation of SITE; a shorter one is not worth
   an entry in the log, and stays part of its function.  LOCAL_WORK is what the function did itself so far, BEFORE what
   it had done when the loop began, which may be more than the strand turned out to take.  Returns the function's own
   work, without a loop that was booked.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_serial_loop_end(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                             struct __cilkprof_site *site, __cilkprof_u64 before) {
  __cilkprof_u64 inside = local_work - before;
  if (!__CILKPROF_RARE((long long)inside >= __CILKPROF_LONG))
    return local_work;
  frame->top = __cilkprof_serial_loop(site, inside, frame->segment, frame->merge, frame->top);
  frame->work += inside;
  frame->span += inside;
  frame->burdened_span += inside;
  return before;
}

/* Returns whether a serial loop may have run long: LOCAL_WORK has grown since BEFORE by so many instructions that it
   could take as long as __CILKPROF_LONG of others.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_serial_loop_long(__cilkprof_u64 local_work, __cilkprof_u64 before) {
  return __CILKPROF_RARE(local_work - before >= __CILKPROF_LONG / 8);
}

/* Event of hybrid mode at the end of a serial loop, which ends the strand if the loop was LONG.  Returns the local
   work; the other parameters are those of __cilkprof_h_timed.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_serial_loop_timed(__cilkprof_u64 is_long, __cilkprof_u64 local_work,
                                                               __cilkprof_u64 begin, __cilkprof_u64 before) {
  if (!__CILKPROF_RARE(is_long) || !begin)
    return local_work;
  return before + __cilkprof_p_measured(begin, local_work - before);
}

/* Returns the timing point BEGIN that measures the strand after a serial loop, or 0 if the loop was LONG.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_serial_loop_begin(__cilkprof_u64 is_long, __cilkprof_u64 begin) {
  return __CILKPROF_RARE(is_long) ? 0 : begin;
}

/* Event at the end of a serial loop in a function that calls its events.  WORK is what the loop did.  A short loop
   stays part of the strand around it.  Returns the work since the last event.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_serial_loop_over(__cilkprof_u64 work, struct __cilkprof_site *site,
                                                              struct __cilkprof_timing_point *point) {
  if (!__CILKPROF_RARE(work >= __CILKPROF_LONG / 8))
    return work;
  __cilkprof_o_serial_loop_end(site, work, point);
  return 0;
}

/* Event of clock mode where a strand ends and another begins.  Returns the local work with the first one, without the
   cost of reading the timer.  INSTRUCTIONS is 1 + the number of instructions of the strand if they are known to be few,
   else 0.  */
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
