/* What programs of which the samples are known share: they spawn by Cilk or by OpenMP, and burn processor time.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_SAMPLES_BURN_H
#define CILKPROF_TEST_SAMPLES_BURN_H

#include <time.h>

#ifdef _OPENMP
#define SPAWN _Pragma("omp task")
#define SYNC  _Pragma("omp taskwait")
#else
#include <cilk/cilk.h>
#define SPAWN cilk_spawn
#define SYNC  cilk_sync
#endif
#define APART __attribute__((noinline, noclone)) static void

static volatile double sink;

/* Uses the processor for so many SECONDS of this thread's own time.  */
APART burn(double seconds) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  double end = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds;
  do {
    for (int i = 0; i < 2000; i++)
      sink = i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < end);
}

#endif
