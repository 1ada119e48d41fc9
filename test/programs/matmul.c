/* Cache-oblivious matrix multiplication, C += A B, that halves the largest dimension: after Cilk-5.  matmul [N]
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "product.h"

#define COARSENING 64 /* the sum of the three dimensions from which the product is serial */

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* C is m by p, A is m by n, B is n by p; all are parts of matrices with rows of `stride` numbers.  */
CILK_FUNCTION void matmul(double *restrict C, const double *A, const double *B, size_t m, size_t n, size_t p,
                          size_t stride) {
  if (m + n + p <= COARSENING) {
    for (size_t i = 0; i < m; ++i)
      for (size_t k = 0; k < n; ++k)
        for (size_t j = 0; j < p; ++j)
          C[i * stride + j] += A[i * stride + k] * B[k * stride + j];
  } else if (m >= n && m >= p) {
    size_t half = m / 2;
    cilk_spawn matmul(C, A, B, half, n, p, stride);
    matmul(C + half * stride, A + half * stride, B, m - half, n, p, stride);
    cilk_sync;
  } else if (n >= p) {
    /* Both halves add to all of C: one after the other.  */
    size_t half = n / 2;
    matmul(C, A, B, m, half, p, stride);
    matmul(C, A + half, B + half * stride, m, n - half, p, stride);
  } else {
    size_t half = p / 2;
    cilk_spawn matmul(C, A, B, m, n, half, stride);
    matmul(C + half, A, B + half, m, n, p - half, stride);
    cilk_sync;
  }
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 1024;
  size_t n = size > 0 ? (size_t)size : 0;
  double *C = n > 0 && n <= 32768 ? calloc(3 * n * n + 4 * n, sizeof *C) : NULL;
  if (!C) {
    fprintf(stderr, "usage: matmul [N], N from 1 to what fits into memory\n");
    return 2;
  }
  double *A = C + n * n, *B = A + n * n;
  fill_matrix(A, n, n, 7);
  fill_matrix(B, n, n, 5);

  matmul(C, A, B, n, n, n, n);

  int right = product_is_right(C, A, B, n, n, n, B + n * n);
  free(C);
  printf("%zu by %zu product %s\n", n, n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
