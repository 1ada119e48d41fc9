/* Monte Carlo: the volume of a ball in five dimensions.
   SPDX-License-Identifier: MIT

   verdict: montecarlo-critical | openmp -DCRITICAL | lock | lock | record | 2:1.5 8:1.5
   colleague: Every sample enters the critical section in record(), which serialises them; reduce instead.
   verdict: montecarlo-lock | openmp -DOMP_LOCK | lock | lock | record | 2:1.5 8:1.5
   colleague: Every sample takes the one lock in record(); reduce into private sums.
   verdict: montecarlo-ordered | openmp -DORDERED | lock | ordered | record | 2:1.5 8:1.5
   colleague: The ordered region in the loop does nearly all of the work, one iteration at a time.
   verdict: montecarlo-mutex | cilk -DMUTEX | lock | lock | record | 2:1.5 8:1.5
   colleague: Every sample takes the one mutex in record(); use a reducer.
   verdict: montecarlo-mutex-omp | openmp -DMUTEX | lock | lock | record | 2:1.5 8:1.5
   colleague: Every sample takes the one mutex in record(); reduce into private sums.
   verdict: montecarlo-none | openmp -DREDUCTION | none | - | - |
   colleague: It is well parallelised.
   verdict: montecarlo-none-cilk | cilk -DREDUCTION | none | - | - |
   colleague: It is well parallelised.  */

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#ifdef ORDERED
#define parallel_for _Pragma("omp parallel for ordered schedule(dynamic, 64)") for
#else
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 64)") for
#endif
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { BATCHES = 100000, PER_BATCH = 40, BINS = 64 };

static double histogram[BINS], mean;
static long inside;
#ifdef OMP_LOCK
static omp_lock_t guard;
#elif defined MUTEX
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
#endif
static double radii[BATCHES];

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* Returns the squared radius of a random point.  */
static double sample(uint64_t *state) {
  double sum = 0;
  for (int d = 0; d < 5; d++) {
    double x = 2 * uniform(state) - 1;
    sum += x * x;
  }
  return sum;
}

#ifndef REDUCTION
static void add_sample(double radius) {
  int bin = (int)(radius / 5 * BINS);
  inside += radius <= 1;
  mean += (radius - mean) / (double)(inside + 1);
  for (int b = bin - 8; b <= bin + 8; b++)
    if (b >= 0 && b < BINS)
      histogram[b] += exp(-fabs(radius - b * (5.0 / BINS)));
}

/* guilty: lock { */
static void record(double radius) {
#ifdef CRITICAL
#pragma omp critical
  add_sample(radius);
#elif defined ORDERED
  add_sample(radius);
#elif defined OMP_LOCK
  omp_set_lock(&guard);
  add_sample(radius);
  omp_unset_lock(&guard);
#else
  pthread_mutex_lock(&guard);
  add_sample(radius);
  pthread_mutex_unlock(&guard);
#endif
}
/* guilty: lock } */
#endif

int main(void) {
#ifdef OMP_LOCK
  omp_init_lock(&guard);
#endif
  parallel_for(int batch = 0; batch < BATCHES; batch++) {
    uint64_t state = (uint64_t)batch * 0x9e3779b97f4a7c15u + 1;
#ifdef REDUCTION
    double least = 5;
    for (int i = 0; i < PER_BATCH * 2; i++)
      least = fmin(least, sample(&state));
    radii[batch] = least;
#else
#ifdef ORDERED
    /* guilty: ordered { */
#pragma omp ordered
    /* guilty: ordered } */
#endif
    for (int i = 0; i < PER_BATCH / 10; i++) {
      double radius = sample(&state);
      record(radius); /* guilty: lock */ /* guilty: ordered */
      radii[batch] += radius;
    }
#endif
  }
  printf("%ld %.6f %.6f %.6f\n", inside, mean, histogram[9], radii[BATCHES / 2]);
  return 0;
}
