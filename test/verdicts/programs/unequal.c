/* Four analyses of a series, of which one is much longer than the others.
   SPDX-License-Identifier: MIT

   verdict: unequal-spawns | cilk | imbalance,serial | spawns | dispersion | 2:1.6 8:1.6
   colleague: The spawn of dispersion() takes two thirds of the work of the four: divide it.
   verdict: unequal-sections | openmp | imbalance,serial | spawns | dispersion | 2:1.6 8:1.6
   colleague: The section with dispersion() takes two thirds of the work of the four: divide it.
   verdict: unequal-tasks | openmp -g -DTASKS | imbalance,serial | spawns | dispersion | 2:1.6 8:1.6
   colleague: The task with dispersion() takes two thirds of the work of the four: divide it.  */

#include <math.h>
#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
enum { LENGTH = 6000 };

static double series[LENGTH];

__attribute__((noinline)) static void moments(double *result) {
  for (int power = 1; power < 500; power++)
    for (int i = 0; i < LENGTH; i++)
      *result += series[i] / power;
}

__attribute__((noinline)) static void autocorrelation(double *result) {
  for (int lag = 1; lag < 500; lag++)
    for (int i = lag; i < LENGTH; i++)
      *result += series[i] * series[i - lag];
}

__attribute__((noinline)) static void smoothness(double *result) {
  for (int width = 1; width < 500; width++)
    for (int i = width; i < LENGTH; i++)
      *result += (series[i] - series[i - width]) * (series[i] - series[i - width]);
}

/* All pairs: six times as long as the others.  */
__attribute__((noinline)) static void dispersion(double *result) {
  for (int i = 0; i < LENGTH; i++)
    for (int j = 0; j < i; j++)
      *result += fabs(series[i] - series[j]);
}

int main(void) {
  double results[4] = {0};
  for (int i = 0; i < LENGTH; i++)
    series[i] = sin(i * 0.01) + (i * 7919 % 101) / 101.0;
#ifdef TASKS
#pragma omp parallel
#pragma omp single
  /* guilty: spawns { */
  {
#pragma omp task
    moments(&results[0]);
#pragma omp task
    autocorrelation(&results[1]);
#pragma omp task
    dispersion(&results[2]);
#pragma omp task
    smoothness(&results[3]);
  }
#elif defined _OPENMP
#pragma omp parallel sections
  {
#pragma omp section
    moments(&results[0]);
#pragma omp section
    autocorrelation(&results[1]);
#pragma omp section
    dispersion(&results[2]);
#pragma omp section
    smoothness(&results[3]);
  }
#else
  cilk_spawn moments(&results[0]);
  cilk_spawn autocorrelation(&results[1]);
  cilk_spawn dispersion(&results[2]);
  smoothness(&results[3]);
  cilk_sync;
#endif
  /* guilty: spawns } */
  printf("%.4f %.4f %.4f %.4f\n", results[0], results[1], results[2], results[3]);
  return 0;
}
