/* Correlations of the columns of a table: a library of triangle.c.
   SPDX-License-Identifier: MIT  */

#include "correlate.h"

static double covariance(const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    sum += x[i] * y[i];
  return sum / ROWS;
}

/* guilty: inner { */
void correlate_columns(const double table[COLUMNS][ROWS], double correlation[COLUMNS][COLUMNS]) {
#pragma omp parallel for schedule(static)
  for (int a = 0; a < COLUMNS; a++)
    for (int b = a; b < COLUMNS; b++)
      correlation[a][b] = covariance(table[a], table[b]);
}
/* guilty: inner } */
