/* LU reduction: with each step the rows that are left are fewer and shorter.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

const long default_size = 700;
static double *matrix, *before, *vector;

/* Allocates a matrix of SIZE rows, and two vectors.  */
static void make_room(long size) {
  matrix = room(size * size, sizeof *matrix);
  before = room(size, sizeof *before);
  vector = room(size, sizeof *vector);
}

/* Sets the matrix to random numbers with a dominant diagonal, so that no rows need to be exchanged, and computes its
   product with a vector.  */
static void make_input(long size) {
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++)
      matrix[i * size + j] = random_fraction((uint64_t)(i * size + j)) + (i == j ? (double)size : 0);
  for (long i = 0; i < size; i++) { /* the product of the matrix and a vector */
    before[i] = 0;
    for (long j = 0; j < size; j++)
      before[i] += matrix[i * size + j] * (double)(j % 7 + 1);
  }
}

/* Subtracts from row I the multiple of row K that makes its element in column K zero.  Stores the factor, an element of
   L, in the place of that zero.  */
static void reduce(long size, long k, long i) {
  double *row = &matrix[i * size], *first = &matrix[k * size], factor = row[k] /= first[k];
  for (long j = k + 1; j < size; j++)
    row[j] -= factor * first[j];
}

/* Reduces the matrix to L and U in its place.  In each step a task reduces each row that is left.  */
static void compute(long size) {
  for (long k = 0; k < size - 1; k++) {
    PAR_SEC_BEGIN("rows");
    OPENMP(omp parallel for schedule(runtime))
    for (long i = k + 1; i < size; i++) {
      PAR_TASK_BEGIN("row");
      reduce(size, k, i);
      PAR_TASK_END();
    }
    PAR_SEC_END(0);
  }
}

/* Returns whether the product of L, U and the vector is the product of the matrix and the vector, up to rounding.  */
static int is_right(long size) {
  for (long i = 0; i < size; i++) {
    vector[i] = 0;
    for (long j = i; j < size; j++)
      vector[i] += matrix[i * size + j] * (double)(j % 7 + 1);
  }
  for (long i = size - 1; i >= 0; i--) {
    double sum = vector[i];
    for (long j = 0; j < i; j++)
      sum += matrix[i * size + j] * vector[j];
    if (fabs(sum - before[i]) > 1e-9 * fabs(before[i]))
      return 0;
  }
  return 1;
}
