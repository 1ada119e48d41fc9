/* What the parallelism of a program is by its construction: the CPU time of its serial and of its parallel part, measured
   in the program itself, where it runs without instrumentation, and how much of the latter the longest path has.
   SPDX-License-Identifier: MIT  */

#ifndef CONSTRUCTION_H
#define CONSTRUCTION_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline __attribute__((no_instrument_function)) double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* SERIAL and PARALLEL are seconds.  Only where it is asked for: the output is the same with and without.  */
static inline __attribute__((no_instrument_function)) void construction(double serial, double parallel, double longest) {
  if (getenv("CONSTRUCTION"))
    fprintf(stderr, "%.4f\n", (serial + parallel) / (serial + parallel * longest));
}

/* The part of a cilk_for of equal iterations that one grain is.  */
static inline __attribute__((no_instrument_function)) double one_grain(long iterations) {
  long grain = (iterations + 1023) / 1024; /* 8 for each of 128 processors */
  if (grain > 2048)
    grain = 2048;
  return (double)grain / (double)iterations;
}

#endif
