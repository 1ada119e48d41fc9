/* Records of samples: a library of options.c.
   SPDX-License-Identifier: MIT  */

#include <math.h>
#include <pthread.h>
#include "recorder.h"

enum { BINS = 64 };
static double bins[BINS], sum;
static long count;
#ifndef CRITICAL
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
#endif

static void add(double value) {
  count++;
  sum += value;
  for (int b = 0; b < BINS; b += 2)
    bins[b] += exp(-fabs(value - b));
}

/* guilty: record { */
void record_sample(double value) {
#ifdef CRITICAL
#pragma omp critical(recorder)
  add(value);
#else
  pthread_mutex_lock(&guard);
  add(value);
  pthread_mutex_unlock(&guard);
#endif
}
/* guilty: record } */

double recorded_mean(void) {
  return sum / (double)count;
}
