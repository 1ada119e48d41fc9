/* Divide-and-conquer matrix multiplication, C += A B: Figure 8 of the Cilkprof paper.  mm [N]
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define COARSENING 64

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Out of line because it is the call site that the profile is about.  */
__attribute__((noinline)) static void base(double *C, const double *A, const double *B, size_t dim, size_t n) {
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k)
      for (size_t j = 0; j < n; ++j)
        C[i * dim + j] += A[i * dim + k] * B[k * dim + j];
}

/* The quadrant in row r and column c of an n by n block of M.  */
#define X(M, r, c) ((M) + ((r)*dim + (c)) * (n / 2))

CILK_FUNCTION void mm(double *C, const double *A, const double *B, size_t dim, size_t n) {
  if (n < COARSENING) {
    base(C, A, B, dim, n);
    return;
  }
  cilk_spawn mm(X(C, 0, 0), X(A, 0, 0), X(B, 0, 0), dim, n / 2);
  cilk_spawn mm(X(C, 0, 1), X(A, 0, 0), X(B, 0, 1), dim, n / 2);
  cilk_spawn mm(X(C, 1, 0), X(A, 1, 0), X(B, 0, 0), dim, n / 2);
  mm(X(C, 1, 1), X(A, 1, 0), X(B, 0, 1), dim, n / 2);
  cilk_sync;
  cilk_spawn mm(X(C, 0, 0), X(A, 0, 1), X(B, 1, 0), dim, n / 2);
  cilk_spawn mm(X(C, 0, 1), X(A, 0, 1), X(B, 1, 1), dim, n / 2);
  cilk_spawn mm(X(C, 1, 0), X(A, 1, 1), X(B, 1, 0), dim, n / 2);
  mm(X(C, 1, 1), X(A, 1, 1), X(B, 1, 1), dim, n / 2);
  cilk_sync;
}

/* y = M x */
static void apply(double *y, const double *M, const double *x, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    y[i] = 0;
    for (size_t j = 0; j < n; ++j)
      y[i] += M[i * n + j] * x[j];
  }
}

/* Whether C x = A (B x) for one x.  All numbers are small integers, so that no rounding blurs the comparison.  */
static int product_is_right(const double *C, const double *A, const double *B, double *vectors, size_t n) {
  double *x = vectors, *Bx = x + n, *ABx = Bx + n, *Cx = ABx + n;
  for (size_t i = 0; i < n; ++i)
    x[i] = (double)(i * i % 13) - 6;
  apply(Bx, B, x, n);
  apply(ABx, A, Bx, n);
  apply(Cx, C, x, n);
  for (size_t i = 0; i < n; ++i)
    if (Cx[i] != ABx[i])
      return 0;
  return 1;
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 512;
  size_t n = size > 0 ? (size_t)size : 0;
  double *C = n > 0 && n <= 32768 && (n & (n - 1)) == 0 ? calloc(3 * n * n + 4 * n, sizeof *C) : NULL;
  if (!C) {
    fprintf(stderr, "usage: mm [N], N a power of two that fits into memory\n");
    return 2;
  }
  double *A = C + n * n, *B = A + n * n, *vectors = B + n * n;
  for (size_t i = 0; i < n * n; ++i) {
    A[i] = (double)(i * 7 % 11) - 5;
    B[i] = (double)(i * 5 % 17) - 8;
  }

  mm(C, A, B, n, n);

  int right = product_is_right(C, A, B, vectors, n);
  printf("%zu by %zu product %s, trace", n, n, right ? "right" : "wrong");
  double trace = 0;
  for (size_t i = 0; i < n; ++i)
    trace += C[i * n + i];
  printf(" %.0f\n", trace);
  free(C);
  return right ? 0 : 1;
}
