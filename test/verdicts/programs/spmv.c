/* Sparse matrix times vector, again and again, with a few long rows.
   SPDX-License-Identifier: MIT

   verdict: spmv-row | cilk | imbalance | loop | multiply | 2:1.6 8:1.6
   colleague: One row of the matrix has most of its elements, and is one iteration of the cilk_for: divide it.
   verdict: spmv-row-omp | openmp | imbalance | loop | multiply | 2:1.6 8:1.6
   colleague: One row of the matrix has most of its elements, and is one iteration: no schedule helps, divide it.
   verdict: spmv-sorted | openmp -DSORTED | imbalance | loop | multiply | 2:1.35 8:1.8
   colleague: The rows are sorted by length, so that a static schedule gives one thread nearly all: dynamic.  */

#include <stdio.h>
#include <stdlib.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
enum { ROWS = 10000, ROUNDS = 40 };

static int begin[ROWS + 1], *column;
static double *value, x[ROWS], y[ROWS];

/* Row 0 has five sixths of all elements; or rows become shorter, like 1 / i.  */
static int row_length(int row) {
#ifdef SORTED
  return ROWS / (row + 1) * 8 + 1;
#else
  return row == 0 ? 400000 : 8;
#endif
}

static void build(void) {
  for (int row = 0; row < ROWS; row++)
    begin[row + 1] = begin[row] + row_length(row);
  column = malloc((size_t)begin[ROWS] * sizeof *column);
  value = malloc((size_t)begin[ROWS] * sizeof *value);
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
  for (int k = 0; k < begin[ROWS]; k++) {
#else
  cilk_for (int k = 0; k < begin[ROWS]; k++) {
#endif
    column[k] = (int)((unsigned)k * 2654435761u % ROWS);
    value[k] = 1.0 / (1 + k % 13);
  }
}

static void multiply(const double *from, double *to) {
  /* guilty: loop { */
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
  for (int row = 0; row < ROWS; row++) {
#else
  cilk_for (int row = 0; row < ROWS; row++) {
#endif
    double sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; k++)
      sum += value[k] * from[column[k]];
    to[row] = sum / (begin[row + 1] - begin[row]);
  }
  /* guilty: loop } */
}

int main(void) {
  build();
  for (int row = 0; row < ROWS; row++)
    x[row] = 1.0 + row % 3;
  for (int round = 0; round < ROUNDS; round++) {
    multiply(x, y); /* guilty: loop */
    multiply(y, x); /* guilty: loop */
  }
  printf("%.6f\n", x[ROWS / 2]);
  return 0;
}
