/* Checks of factorisations: a library of lu.c.
   SPDX-License-Identifier: MIT  */

#include <math.h>
#include "residual.h"

/* guilty: check { */
static double product(const double *lu, int n, int i, int j) {
  int last = i <= j ? i : j + 1;
  double sum = i <= j ? lu[i * n + j] : 0;
  for (int k = 0; k < last; k++)
    sum += lu[i * n + k] * lu[k * n + j];
  return sum;
}

double residual(const double *a, const double *lu, int n) {
  double most = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      most = fmax(most, fabs(product(lu, n, i, j) - a[i * n + j]));
  return most;
}
/* guilty: check } */
