/* Matrix multiplication with seven products in place of eight, Strassen's, in Winograd's form: after Cilk-5.
   strassen [N]
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "product.h"

#define COARSENING 64 /* up to this size, and when a size is odd, a product is computed plainly */

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* C = A B.  Here and below, C_row and so on are the numbers in a row of the matrix that the operand is a part of.  Out
   of line so that the profile has a row for it.  */
__attribute__((noinline)) static void multiply_plainly(double *restrict C, size_t C_row, const double *A, size_t A_row,
                                                       const double *B, size_t B_row, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      C[i * C_row + j] = 0;
    for (size_t k = 0; k < n; ++k)
      for (size_t j = 0; j < n; ++j)
        C[i * C_row + j] += A[i * A_row + k] * B[k * B_row + j];
  }
}

/* S[0] to S[3]: what is made of the quadrants of A and of B to be multiplied.  */
static void sums_of_A(double *S, const double *A, size_t A_row, size_t half) {
  size_t size = half * half;
  for (size_t i = 0; i < half; ++i)
    for (size_t j = 0; j < half; ++j, ++S) {
      const double *A11 = A + i * A_row + j, *A12 = A11 + half, *A21 = A11 + half * A_row, *A22 = A21 + half;
      S[0] = *A21 + *A22;
      S[size] = S[0] - *A11;
      S[2 * size] = *A11 - *A21;
      S[3 * size] = *A12 - S[size];
    }
}
static void sums_of_B(double *T, const double *B, size_t B_row, size_t half) {
  size_t size = half * half;
  for (size_t i = 0; i < half; ++i)
    for (size_t j = 0; j < half; ++j, ++T) {
      const double *B11 = B + i * B_row + j, *B12 = B11 + half, *B21 = B11 + half * B_row, *B22 = B21 + half;
      T[0] = *B12 - *B11;
      T[size] = *B22 - T[0];
      T[2 * size] = *B22 - *B12;
      T[3 * size] = T[size] - *B21;
    }
}

/* The quadrants of C hold the second to the fifth product; P has the first, the sixth and the seventh.  */
static void sums_of_products(double *C, size_t C_row, const double *P, size_t half) {
  size_t size = half * half;
  for (size_t i = 0; i < half; ++i)
    for (size_t j = 0; j < half; ++j, ++P) {
      double *C11 = C + i * C_row + j, *C12 = C11 + half, *C21 = C11 + half * C_row, *C22 = C21 + half;
      double U2 = P[0] + P[size], U3 = U2 + P[2 * size];
      *C11 += P[0];
      *C12 += U2 + *C22;
      *C21 = U3 - *C21;
      *C22 += U3;
    }
}

CILK_FUNCTION void strassen(double *C, size_t C_row, const double *A, size_t A_row, const double *B, size_t B_row,
                            size_t n) {
  if (n <= COARSENING || n % 2) {
    multiply_plainly(C, C_row, A, A_row, B, B_row, n);
    return;
  }
  size_t half = n / 2, size = half * half;
  double *S = malloc(11 * size * sizeof *S), *T = S + 4 * size, *P = T + 4 * size;
  if (!S)
    abort();
  const double *A12 = A + half, *A22 = A12 + half * A_row, *B21 = B + half * B_row, *B22 = B21 + half;
  double *C12 = C + half, *C21 = C + half * C_row, *C22 = C21 + half;
  sums_of_A(S, A, A_row, half);
  sums_of_B(T, B, B_row, half);

  cilk_spawn strassen(P, half, A, A_row, B, B_row, half);
  cilk_spawn strassen(C, C_row, A12, A_row, B21, B_row, half);
  cilk_spawn strassen(C12, C_row, S + 3 * size, half, B22, B_row, half);
  cilk_spawn strassen(C21, C_row, A22, A_row, T + 3 * size, half, half);
  cilk_spawn strassen(C22, C_row, S, half, T, half, half);
  cilk_spawn strassen(P + size, half, S + size, half, T + size, half, half);
  strassen(P + 2 * size, half, S + 2 * size, half, T + 2 * size, half, half);
  cilk_sync;

  sums_of_products(C, C_row, P, half);
  free(S);
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 1536;
  size_t n = size > 0 ? (size_t)size : 0;
  double *C = n > 0 && n <= 16384 ? malloc((3 * n * n + 4 * n) * sizeof *C) : NULL;
  if (!C) {
    fprintf(stderr, "usage: strassen [N], N from 1 to what fits into memory\n");
    return 2;
  }
  double *A = C + n * n, *B = A + n * n;
  fill_matrix(A, n, n, 7);
  fill_matrix(B, n, n, 5);

  strassen(C, n, A, n, B, n, n);

  int right = product_is_right(C, A, B, n, n, n, B + n * n);
  free(C);
  printf("%zu by %zu product %s\n", n, n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
