/* A sparse matrix times a vector: rows of five elements, each by a function with a loop.
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdlib.h>

#include "construction.h"

enum { DEGREE = 5 };

__attribute__((noinline)) static double row(const int *first, const int *column, const double *value, const double *x,
                                            int i) {
  double sum = 0;
  for (int k = first[i]; k < first[i + 1]; k++)
    sum += value[k] * x[column[k]];
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200000, rounds = 50;
  int *first = malloc(((size_t)n + 1) * sizeof *first), *column = malloc((size_t)n * DEGREE * sizeof *column);
  double *value = malloc((size_t)n * DEGREE * sizeof *value);
  double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
  unsigned random = 1;
  double begin = cpu_seconds();
  for (int i = 0; i <= n; i++)
    first[i] = i * DEGREE;
  for (int k = 0; k < n * DEGREE; k++) {
    random = random * 1664525 + 1013904223;
    int near = k / DEGREE + (int)(random >> 20) - 2048;
    column[k] = near < 0 ? 0 : near >= n ? n - 1 : near;
    value[k] = k % 7;
  }
  for (int i = 0; i < n; i++)
    x[i] = i % 3, y[i] = 0;
  double loops = cpu_seconds();
  for (int round = 0; round < rounds; round++) {
    cilk_for (int i = 0; i < n; i++)
      y[i] = row(first, column, value, x, i);
    double *other = x;
    x = y;
    y = other;
  }
  construction(loops - begin, cpu_seconds() - loops, one_grain(n));
  printf("%g\n", x[n / 2]);
  return 0;
}
