/* Samples in the on-span log: what the longest path consists of, inside of functions, inlined ones and libraries.
   SPDX-License-Identifier: MIT

   A sample belongs to the strand that it interrupted.  Where that strand ends, at the next event that forks or joins or
   books a child, it is pushed as an entry of the log, and from then on stays or goes with the path it is on.  */

#ifndef CILKPROF_SAMPLES_H
#define CILKPROF_SAMPLES_H

#include "libcilkprof/engine/span/span.h"

/* Starts to take samples of this thread in.  Returns 0, or -1 if there is no memory.  */
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

/* Returns how many nanoseconds the strand takes that ends now, as its samples tell; 0 if they do not.  */
HIDDEN uint64_t __cilkprof_samples_of_strand(void);

/* Drops all samples, in a forked child.  */
HIDDEN void __cilkprof_samples_forked(void);

/* Stores how many samples of PATH are on the span, and what they stand for, in *COUNT and *WORK_NS.  ENTRIES are the
   sums of the log, or NULL.  */
HIDDEN void __cilkprof_samples_on_span(uint32_t path, const entry_t *entries, uint64_t *count, uint64_t *work_ns);

/* Makes events push the samples that wait in this thread, if there are any, after its state was replaced.  */
HIDDEN void __cilkprof_samples_expected(void);

/* Returns the number of the call path whose samples the entry with KEY, of this thread's log, has; and the key of such
   an entry for PATH.  */
HIDDEN uint64_t __cilkprof_samples_path_of_entry(uint64_t key);
HIDDEN uint64_t __cilkprof_samples_entry_of_path(uint64_t path);

#endif
