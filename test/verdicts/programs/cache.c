/* A table of results that all iterations share, behind a lock for readers and writers.
   SPDX-License-Identifier: MIT

   verdict: cache-write | cilk | lock | lock | store,look_up | 2:1.6 8:1.6
   colleague: look_up() computes a missing result while it holds the lock for writing: one at a time does that.
   verdict: cache-write-omp | openmp -g -DNOINLINE | lock | lock | store,look_up | 2:1.6 8:1.6
   colleague: look_up() computes a missing result while it holds the lock for writing: one at a time does that.
   verdict: cache-none | openmp -DREADING | none | - | - |
   colleague: Nearly all of it only reads, which many threads can at once.  */

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 64)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { ASKED = 40000, SLOTS = 4096 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static double results[SLOTS];

/* Computes the result for KEY.  */
static double compute(int key) {
  double sum = 0;
  for (int i = 1; i < 120; i++)
    sum += 1.0 / (i * i + key);
  return sum;
}

/* Stores a result for KEY, mixed with the one that was there.  */
#ifdef NOINLINE
__attribute__((noinline))
#endif
static void
store(int key) {
  pthread_rwlock_wrlock(&lock); /* guilty: lock */
  results[key % SLOTS] = 0.5 * results[key % SLOTS] + compute(key);
  pthread_rwlock_unlock(&lock);
}

/* Returns the result for KEY.  */
static double look_up(int key) {
  pthread_rwlock_rdlock(&lock);
  double found = results[key % SLOTS];
  pthread_rwlock_unlock(&lock);
  return found;
}

static double answers[ASKED];

int main(void) {
  parallel_for(int i = 0; i < ASKED; i++) {
#ifdef READING
    answers[i] = compute(i) + look_up(i);
#else
    answers[i] = sqrt(1 + look_up(i));
    store(i); /* guilty: lock */
#endif
  }
  double sum = 0;
  for (int i = 0; i < ASKED; i += 100)
    sum += answers[i];
  return printf("%.6f\n", sum) < 0;
}
