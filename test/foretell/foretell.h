/* What the programs of this folder share.  Each is compiled as it is, annotated, and in parallel: by OpenMP, or by Cilk
   where it is recursive.  It makes its input, computes, and verifies the result; the first and the last are short.
   SPDX-License-Identifier: MIT

     program [SIZE]     prints the nanoseconds of the shortest of several runs, and of what came before them; exits with 1
                        when a result is wrong  */

#ifndef FORETELL_H
#define FORETELL_H

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cilkprof-annotate.h"

#ifdef _OPENMP
#define OPENMP(directive) _Pragma(#directive)
#else
#define OPENMP(directive)
#endif

#ifdef __cilk
#include <cilk/cilk.h>
#define SPAWN cilk_spawn
#define SYNC  cilk_sync
#else
#define SPAWN
#define SYNC ((void)0)
#endif

/* Of each program.  */
extern const long default_size;
static void make_room(long size);
static void make_input(long size);
static void compute(long size);
static int is_right(long size);

static const double pi = 3.14159265358979323846;

/* Returns the random number at INDEX of a fixed sequence.  */
static inline uint64_t random_number(uint64_t index) {
  uint64_t value = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
  return value ^ value >> 31;
}

/* Returns the random fraction at INDEX of a fixed sequence, from 0 to less than 1.  */
static inline double random_fraction(uint64_t index) {
  return (double)(random_number(index) >> 11) * 0x1p-53;
}

/* Allocates COUNT zeros of SIZE bytes.  Touches all pages, so that page faults are not part of what is measured.  */
static inline void *room(long count, size_t size) {
  void *memory = malloc((size_t)count * size);
  if (!memory)
    exit(2);
  return memset(memory, 0, (size_t)count * size);
}

/* Returns the time of CLOCK in nanoseconds.  */
static double clock_now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Runs the computation, several times unless it is annotated, and prints the shortest time and the time for preparing
   memory, in nanoseconds.  Returns 1 if a result is wrong.  */
int main(int argc, char **argv) {
  enum { ROUNDS = 5 };
  long size = argc > 1 ? atol(argv[1]) : default_size;
  double shortest = 1e18, first = clock_now(CLOCK_THREAD_CPUTIME_ID);
  make_room(size);
  double before = clock_now(CLOCK_THREAD_CPUTIME_ID) - first;
  for (int i = 0; i < (CILKPROF_ANNOTATE ? 1 : ROUNDS); i++) {
    double begin = clock_now(CLOCK_MONOTONIC);
    make_input(size);
    compute(size);
    int right = is_right(size);
    double time = clock_now(CLOCK_MONOTONIC) - begin;
    shortest = time < shortest ? time : shortest;
    if (!right) {
      fprintf(stderr, "%s: the result is wrong\n", argv[0]);
      return 1;
    }
  }
  printf("%.0f %.0f\n", shortest, before);
  return 0;
}

#endif
