/* Correlations of the columns of a table: the upper triangle of a matrix.
   SPDX-License-Identifier: MIT

   verdict: triangle-static | openmp | imbalance | loop | correlate | 2:1.45 8:5.0
   colleague: The rows of the triangle become shorter, so that a static schedule is unbalanced; schedule(dynamic).
   verdict: triangle-static-noinline | openmp -g -DNOINLINE | imbalance | loop | correlate | 2:1.45 8:5.0
   colleague: The rows of the triangle become shorter, so that a static schedule is unbalanced; schedule(dynamic).
   verdict: triangle-library | openmp -DLIBRARY static=correlate.c | imbalance | inner | correlate_columns | 2:1.45 8:5
   colleague: The loop in correlate_columns(), in the library, is a triangle with a static schedule.
   verdict: triangle-shared | openmp -g -DLIBRARY shared=correlate.c | imbalance | inner | correlate_columns | 2:1.45
   colleague: The loop in correlate_columns(), in the library, is a triangle with a static schedule.
   verdict: triangle-none | openmp -DSCHEDULE=dynamic | none | - | - |
   colleague: It is well parallelised.
   verdict: triangle-none-cilk | cilk | none | - | - |
   colleague: It is well parallelised.  */

#include <math.h>
#include <stdio.h>
#include "correlate.h"
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifndef SCHEDULE
#define SCHEDULE static
#endif

static double table[COLUMNS][ROWS], correlation[COLUMNS][COLUMNS];

static void normalise(double *column, int number) {
  double mean = 0, square = 0;
  for (int i = 0; i < ROWS; i++)
    mean += column[i] = ((i * 7919 + number * 104729) % 1009) / 1009.0;
  mean /= ROWS;
  for (int i = 0; i < ROWS; i++) {
    column[i] -= mean;
    square += column[i] * column[i];
  }
  double deviation = sqrt(square / ROWS);
  for (int i = 0; i < ROWS; i++)
    column[i] /= deviation;
}

#ifndef LIBRARY
static double covariance(const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    sum += x[i] * y[i];
  return sum / ROWS;
}

#ifdef NOINLINE
__attribute__((noinline))
#endif
static void
correlate(void) {
#ifdef _OPENMP
  /* guilty: loop { */
#pragma omp parallel for schedule(SCHEDULE)
  for (int a = 0; a < COLUMNS; a++)
    for (int b = a; b < COLUMNS; b++)
      correlation[a][b] = covariance(table[a], table[b]);
      /* guilty: loop } */
#else
  cilk_for (int a = 0; a < COLUMNS; a++)
    for (int b = a; b < COLUMNS; b++)
      correlation[a][b] = covariance(table[a], table[b]);
#endif
}
#endif

int main(void) {
#ifdef _OPENMP
#pragma omp parallel for
  for (int c = 0; c < COLUMNS; c++)
    normalise(table[c], c);
#else
  cilk_for (int c = 0; c < COLUMNS; c++)
    normalise(table[c], c);
#endif
#ifdef LIBRARY
  correlate_columns(table, correlation); /* guilty: inner */
#else
  correlate(); /* guilty: loop */
#endif
  printf("%.6f\n", correlation[3][COLUMNS - 5]);
  return 0;
}
