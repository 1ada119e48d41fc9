/* The price of an option by simulation; a library records the results.
   SPDX-License-Identifier: MIT

   verdict: options-recorder | cilk static=recorder.c | lock | record | record_sample | 2:1.5 8:1.5
   colleague: record_sample(), in the library, does most of the work under one mutex; record in private copies.
   verdict: options-recorder-omp | openmp -DCRITICAL static=recorder.c | lock | record | record_sample | 2:1.5 8:1.5
   colleague: record_sample(), in the library, does most of the work in a critical section; record in private copies.
   verdict: options-recorder-shared | openmp -g shared=recorder.c | lock | record | record_sample | 2:1.5 8:1.5
   colleague: record_sample(), in the library, does most of the work under one mutex; record in private copies.  */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include "recorder.h"
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 256)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { PATHS = 300000, STEPS = 10 };

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* Returns what the option is worth at the end of one path of prices.  */
static double follow_path(uint64_t seed) {
  double price = 100;
  for (int step = 0; step < STEPS; step++)
    price *= 0.98 + 0.0405 * uniform(&seed);
  return fmax(0, price - 100);
}

int main(void) {
  parallel_for(int path = 0; path < PATHS; path++) {
    double worth = follow_path((uint64_t)path * 0x9e3779b97f4a7c15u + 5);
    record_sample(worth); /* guilty: record */
  }
  printf("%.4f\n", recorded_mean());
  return 0;
}
