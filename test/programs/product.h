/* What the programs that multiply matrices share: the input and the check.  All matrices are in row-major order.
   SPDX-License-Identifier: MIT  */

#ifndef PRODUCT_H
#define PRODUCT_H

#include <stddef.h>

/* Small integers, so that no rounding blurs the comparison.  */
static inline void fill_matrix(double *M, size_t rows, size_t columns, size_t factor) {
  for (size_t i = 0; i < rows * columns; ++i)
    M[i] = (double)(i * factor % 17) - 8;
}

/* y = M x */
static inline void apply_matrix(double *y, const double *M, const double *x, size_t rows, size_t columns) {
  for (size_t i = 0; i < rows; ++i) {
    y[i] = 0;
    for (size_t j = 0; j < columns; ++j)
      y[i] += M[i * columns + j] * x[j];
  }
}

/* Whether C x = A (B x) for one x; C is m by p, A is m by n, B is n by p; `vectors` has room for p + n + 2 m numbers.
 */
static inline int product_is_right(const double *C, const double *A, const double *B, size_t m, size_t n, size_t p,
                                   double *vectors) {
  double *x = vectors, *Bx = x + p, *ABx = Bx + n, *Cx = ABx + m;
  for (size_t i = 0; i < p; ++i)
    x[i] = (double)(i * i % 13) - 6;
  apply_matrix(Bx, B, x, n, p);
  apply_matrix(ABx, A, Bx, m, n);
  apply_matrix(Cx, C, x, m, p);
  for (size_t i = 0; i < m; ++i)
    if (Cx[i] != ABx[i])
      return 0;
  return 1;
}

#endif
