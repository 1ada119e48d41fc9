/* Prefix sums of a long array, between a parallel map and a parallel use of them.
   SPDX-License-Identifier: MIT

   verdict: prefix-scan | cilk | serial | scan | scan |
   colleague: scan() is one serial loop over all elements, and inlined; compute the sums of blocks first.
   verdict: prefix-scan-omp | openmp -g | serial | scan | scan |
   colleague: scan() is one serial loop over all elements, and inlined; compute the sums of blocks first.
   verdict: prefix-main | openmp -DIN_MAIN | serial | main | - |
   colleague: The serial loop with the prefix sums in main holds the span.
   verdict: prefix-main-cilk | cilk -DIN_MAIN | serial | main | - |
   colleague: The serial loop with the prefix sums in main holds the span.  */

#include <math.h>
#include <stdio.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { COUNT = 1000000, ROUNDS = 8 };

static double weight[COUNT], sums[COUNT];
static int chosen[COUNT];

static double next_weight(double w, int i) {
  double x = w + (i & 1023) * 0.001;
  return x / (1 + x);
}

#ifndef IN_MAIN
/* guilty: scan { */
static void scan(const double *from, double *to, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += from[i];
    to[i] = sum;
  }
}
/* guilty: scan } */
#endif

/* Returns the first place whose prefix sum is at least TARGET, near the one that is guessed.  */
static int find(double target, int guess) {
  int at = guess < COUNT ? guess : COUNT - 1;
  for (int steps = 0; steps < 4 && at > 0 && sums[at] > target; steps++)
    at--;
  return at;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    parallel_for(int i = 0; i < COUNT; i++) weight[i] = next_weight(weight[i], i + round);
#ifdef IN_MAIN
    double sum = 0;
    /* guilty: main { */
    for (int i = 0; i < COUNT; i++) {
      sum += weight[i];
      sums[i] = sum;
    }
    /* guilty: main } */
#else
    scan(weight, sums, COUNT); /* guilty: scan */
#endif
    double step = sums[COUNT - 1] / COUNT;
    parallel_for(int i = 0; i < COUNT; i++) chosen[i] = find(i * step, i);
  }
  printf("%.6f %d\n", sums[COUNT - 1], chosen[COUNT / 2]);
  return 0;
}
