/* Samples in the on-span log: what the longest path consists of, inside of functions, inlined ones and libraries.
   SPDX-License-Identifier: MIT

   A sample belongs to the strand that it interrupted.  Where that strand ends, at the next event that forks or joins or
   books a child, it is pushed as an entry of the log, and from then on stays or goes with the path it is on.  */

#ifndef CILKPROF_SAMPLES_H
#define CILKPROF_SAMPLES_H

#include "libcilkprof/engine/span/span.h"

#ifndef __CILKPROF_PARALLEL
/* Starts to take samples in.  Returns 0, or -1 if there is no memory.  */
HIDDEN int __cilkprof_samples_start(void);

/* Adds a sample of the call path PATH, in a signal handler.  It stands for WORK_NS.  */
HIDDEN void __cilkprof_samples_add(uint32_t path, uint64_t work_ns);

/* Pushes PART of WHOLE of the samples that wait, at TOP of the log: the strand is one of WHOLE / PART that are taken to
   be equal, of which one is on the path.  Returns the new top.  */
HIDDEN entry_t *__cilkprof_push_part_of_samples(entry_t *top, uint64_t part, uint64_t whole);

/* Pushes the samples of the last strand, when the run ends.  */
HIDDEN void __cilkprof_samples_end(void);

/* Makes the samples that wait for the end of this strand wait in the list HELD; gives those in it to the strand that
   ends now, which took UNITS, where such strands take MEAN.  */
HIDDEN void __cilkprof_samples_hold(uint64_t *held);
HIDDEN void __cilkprof_samples_carry(uint64_t *held, uint64_t units, uint64_t mean);

/* Drops all samples, in a forked child.  */
HIDDEN void __cilkprof_samples_forked(void);

/* Stores how many samples of PATH are on the span, and what they stand for, in *COUNT and *WORK_NS.  ENTRIES are the
   sums of the log, or NULL.  */
HIDDEN void __cilkprof_samples_on_span(uint32_t path, const entry_t *entries, uint64_t *count, uint64_t *work_ns);
#else
static inline void __cilkprof_samples_hold(uint64_t *held) {
  (void)held;
}
static inline void __cilkprof_samples_carry(uint64_t *held, uint64_t units, uint64_t mean) {
  (void)held, (void)units, (void)mean;
}
static inline void __cilkprof_samples_end(void) {}
static inline entry_t *__cilkprof_push_part_of_samples(entry_t *top, uint64_t part, uint64_t whole) {
  (void)part, (void)whole;
  return top;
}
#endif

#endif
