/* Vectors that are scaled and added, many times.
   SPDX-License-Identifier: MIT

   verdict: saxpy-grain | cilk -DGRAIN | grain | loop | saxpy |
   colleague: A grainsize of 1 for a loop whose iterations are one multiplication: leave the grain to the runtime.
   verdict: saxpy-chunks | openmp -DGRAIN | grain | loop | saxpy |
   colleague: schedule(dynamic, 1) for a loop whose iterations are one multiplication: schedule(static).
   verdict: saxpy-short | cilk -DSHORT | chain,grain | loop | saxpy |
   colleague: The vectors have 64 elements: each cilk_for costs more than it does; parallelise the loop around it.
   verdict: saxpy-short-omp | openmp -g -DSHORT | chain,grain | loop | saxpy |
   colleague: The vectors have 64 elements: each parallel region costs more than it does; parallelise around it.  */

#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifdef SHORT
enum { VECTORS = 10000, LENGTH = 64, ROUNDS = 1 };
#else
enum { VECTORS = 4, LENGTH = 50000, ROUNDS = 40 };
#endif

static float x[LENGTH], y[VECTORS][LENGTH];

static void saxpy(float a, const float *from, float *to) {
  /* guilty: loop { */
#ifdef _OPENMP
#ifdef GRAIN
#pragma omp parallel for schedule(dynamic, 1)
#else
#pragma omp parallel for
#endif
  for (int i = 0; i < LENGTH; i++)
    to[i] += a * from[i];
#else
#ifdef GRAIN
#pragma cilk grainsize 1
#endif
  cilk_for (int i = 0; i < LENGTH; i++)
    to[i] += a * from[i];
#endif
  /* guilty: loop } */
}

int main(void) {
  for (int i = 0; i < LENGTH; i++)
    x[i] = 1.0f / (float)(i + 1);
  for (int round = 0; round < ROUNDS; round++)
    for (int v = 0; v < VECTORS; v++)
      saxpy(0.5f * (float)v, x, y[v]); /* guilty: loop */
  printf("%.6f\n", (double)y[VECTORS - 1][LENGTH / 2]);
  return 0;
}
