/* The potential of charges on a line, computed for blocks of them in parallel.
   SPDX-License-Identifier: MIT

   verdict: blocks-spawns | cilk | imbalance | spawns | - | 2:1.6 8:1.6
   colleague: The first of the four spawns of block() has two thirds of the charges; make blocks of equal size.
   verdict: blocks-loop | cilk -DLOOP | imbalance | loop | - | 2:1.6 8:1.6
   colleague: One of the eight iterations has two thirds of the charges; make blocks of equal size.
   verdict: blocks-loop-omp | openmp -DLOOP | imbalance | loop | - | 2:1.6 8:1.6
   colleague: One of the eight iterations has two thirds of the charges; make blocks of equal size.
   verdict: blocks-tasks | openmp -g | imbalance | spawns | - | 2:1.6 8:1.6
   colleague: The first of the four tasks with block() has two thirds of the charges; make blocks of equal size.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
enum { CHARGES = 6000 };

static double charge[CHARGES], potential[CHARGES];

/* Computes the potential at the charges from BEGIN to END.  */
__attribute__((noinline)) static void block(int begin, int end) {
  for (int i = begin; i < end; i++) {
    double sum = 0;
    for (int j = 0; j < CHARGES; j++)
      sum += charge[j] / (1 + abs(i - j));
    potential[i] = sum;
  }
}

static void prepare(void) {
  for (int i = 0; i < CHARGES; i++)
    charge[i] = i % 2 ? 1.0 : -1.0;
}

#ifdef LOOP
static const int bounds[] = {0, 200, 500, 800, 1000, 1400, 1700, 5700, CHARGES};

static void compute(void) {
  /* guilty: loop { */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < 8; b++)
    block(bounds[b], bounds[b + 1]);
#else
#pragma cilk grainsize 1
  cilk_for (int b = 0; b < 8; b++)
    block(bounds[b], bounds[b + 1]);
#endif
  /* guilty: loop } */
}
#else
static void compute(void) {
  /* guilty: spawns { */
#ifdef _OPENMP
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    block(0, 4000);
#pragma omp task
    block(4000, 4600);
#pragma omp task
    block(4600, 5300);
#pragma omp task
    block(5300, CHARGES);
  }
#else
  cilk_spawn block(0, 4000);
  cilk_spawn block(4000, 4600);
  cilk_spawn block(4600, 5300);
  block(5300, CHARGES);
  cilk_sync;
#endif
  /* guilty: spawns } */
}
#endif

int main(void) {
  prepare();
  compute();
  printf("%.6f %.6f\n", potential[0], potential[CHARGES - 1]);
  return 0;
}
