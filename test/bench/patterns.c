/* The two patterns of the paper by Kim and others: a loop of unequal iterations with two locks, and the same nested;
   with random parameters.  Compiled annotated, as OpenMP, and as it is.
   SPDX-License-Identifier: MIT

     patterns SEED NESTED     prints the nanoseconds of the shortest of several runs  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "cilkprof-annotate.h"

/* A loop takes some ten milliseconds, as loops do that are worth a team of threads.  So do the inner ones: their
   threads are made for them, and are more than there are processors; a system looks every few milliseconds who gets
   which.  */
enum { SHAPES = 4, ROUNDS = 3, LONG = 600000 };

static uint64_t state;

/* Returns the next random number below LIMIT.  */
static uint64_t below(uint64_t limit) {
  state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t value = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
  return (value ^ value >> 31) % limit;
}

/* Of a loop: how long its iterations are, and what parts of them are in locks, in percent.  */
struct loop {
  long count, most, least;
  int shape, parts[5], lock1, lock2;
  unsigned seed;
};

/* Returns a loop of random shape and locks, of about COUNT iterations, the longest of about MOST turns.  */
static struct loop random_loop(long count, long most) {
  struct loop loop = {.count = (long)(count / 2 + (long)below((uint64_t)count)),
                      .most = most / 2 + (long)below((uint64_t)most),
                      .shape = (int)below(SHAPES),
                      .lock1 = (int)below(2),
                      .lock2 = (int)below(2),
                      .seed = (unsigned)below(1 << 30)};
  loop.least = (long)below((uint64_t)loop.most) + 1;
  for (int i = 0; i < 5; i++)
    loop.parts[i] = (int)below(i % 2 ? 25 : 100) + 1;
  return loop;
}

/* Returns the length of iteration I of LOOP, by its shape: rising, falling, random, or a few that are long.  */
static long length_of(const struct loop *loop, long i) {
  unsigned value = (unsigned)i * 2654435761U ^ loop->seed;
  value = (value ^ value >> 15) * 2246822519U;
  value ^= value >> 13;
  long range = loop->most - loop->least > 0 ? loop->most - loop->least : 0;
  switch (loop->shape) {
  case 0:
    return loop->least + range * i / loop->count;
  case 1:
    return loop->most - range * i / loop->count;
  case 2:
    return loop->least + (long)(value % 1000) * range / 1000;
  default:
    return value % 8 == 0 ? loop->most : loop->least;
  }
}

/* Spends time: runs an empty loop of so many TURNS, which the compiler must keep.  */
static __attribute__((noinline)) void turn(long turns) {
  while (turns-- > 0)
    __asm__ volatile("" ::: "memory");
}

#ifdef _OPENMP
#include <omp.h>
static omp_lock_t lock1, lock2;
#define TAKE(lock)    omp_set_lock(&lock)
#define RELEASE(lock) omp_unset_lock(&lock)
#else
static __attribute__((unused)) int lock1, lock2;
#define TAKE(lock)    LOCK_BEGIN(&lock)
#define RELEASE(lock) LOCK_END(&lock)
#endif

/* Runs iteration I of LOOP: five parts, of which the second may hold lock1 and the fourth lock2.  */
static void iteration(const struct loop *loop, long i) {
  long length = length_of(loop, i), sum = 0;
  for (int p = 0; p < 5; p++)
    sum += loop->parts[p];
  for (int p = 0; p < 5; p++) {
    long turns = length * loop->parts[p] / sum;
    if (p == 1 && loop->lock1) {
      TAKE(lock1);
      turn(turns);
      RELEASE(lock1);
    } else if (p == 3 && loop->lock2) {
      TAKE(lock2);
      turn(turns);
      RELEASE(lock2);
    } else {
      turn(turns);
    }
  }
}

/* The first pattern: runs all iterations of LOOP, in parallel if the program is compiled as OpenMP.  */
static void test1(const struct loop *loop) {
  PAR_SEC_BEGIN("loop");
#ifdef _OPENMP
#pragma omp parallel for schedule(runtime)
#endif
  for (long i = 0; i < loop->count; i++) {
    PAR_TASK_BEGIN("iteration");
    iteration(loop, i);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
}

/* The second pattern: runs all of INNER in each iteration of OUTER, between two pieces of the iteration's own work.  */
static void test2(const struct loop *outer, const struct loop *inner) {
  PAR_SEC_BEGIN("outer");
#ifdef _OPENMP
#pragma omp parallel for schedule(runtime)
#endif
  for (long k = 0; k < outer->count; k++) {
    PAR_TASK_BEGIN("iteration");
    turn(length_of(outer, k));
    test1(inner);
    turn(length_of(outer, k) / 2);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
}

/* Returns the wall time in nanoseconds.  */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Runs the pattern with parameters from SEED and prints the nanoseconds of the shortest run.  If it is annotated, it is
   run once only, so that the profile is of one run.  */
int main(int argc, char **argv) {
  state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int nested = argc > 2 && atoi(argv[2]);
  struct loop outer = random_loop(8, LONG), inner = random_loop(nested ? 16 : 100, nested ? 4 * LONG : 2 * LONG);
  double best = 1e18;
#ifdef _OPENMP
  omp_init_lock(&lock1);
  omp_init_lock(&lock2);
#endif
  for (int i = 0; i < (CILKPROF_ANNOTATE ? 1 : ROUNDS); i++) {
    double begin = now();
    if (nested)
      test2(&outer, &inner);
    else
      test1(&inner);
    double time = now() - begin;
    best = time < best ? time : best;
  }
  printf("%.0f\n", best);
  return 0;
}
