/* LU decomposition without pivoting of a matrix that is stored in blocks: after Cilk-5.  lu [N]
   SPDX-License-Identifier: MIT

   The two decompositions of a step, of the first and of the last quadrant, cannot run at once: the parallelism is
   modest.  */

#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

enum { SIDE = 16 };

typedef double block[SIDE][SIDE];

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* The kernels.  Out of line so that the profile has rows for them.  M = L U; the diagonal of L is 1 and not stored.  */
__attribute__((noinline)) static void block_lu(block M) {
  for (int k = 0; k < SIDE; ++k)
    for (int i = k + 1; i < SIDE; ++i) {
      M[i][k] /= M[k][k];
      for (int j = k + 1; j < SIDE; ++j)
        M[i][j] -= M[i][k] * M[k][j];
    }
}

/* M becomes X where L X = M.  */
__attribute__((noinline)) static void block_lower_solve(block M, block L) {
  for (int i = 1; i < SIDE; ++i)
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < SIDE; ++j)
        M[i][j] -= L[i][k] * M[k][j];
}

/* M becomes X where X U = M.  */
__attribute__((noinline)) static void block_upper_solve(block M, block U) {
  for (int i = 0; i < SIDE; ++i)
    for (int k = 0; k < SIDE; ++k) {
      M[i][k] /= U[k][k];
      for (int j = k + 1; j < SIDE; ++j)
        M[i][j] -= M[i][k] * U[k][j];
    }
}

/* M -= V W.  */
__attribute__((noinline)) static void block_schur(block M, block V, block W) {
  for (int i = 0; i < SIDE; ++i)
    for (int k = 0; k < SIDE; ++k)
      for (int j = 0; j < SIDE; ++j)
        M[i][j] -= V[i][k] * W[k][j];
}

/* The same of n by n blocks, n a power of two, in matrices with `row` blocks in a row.  */
#define QUADRANT(M, r, c) ((M) + ((r)*row + (c)) * (n / 2))

CILK_FUNCTION void schur(block *M, block *V, block *W, size_t row, size_t n) {
  if (n == 1) {
    block_schur(*M, *V, *W);
    return;
  }
  cilk_spawn schur(QUADRANT(M, 0, 0), QUADRANT(V, 0, 0), QUADRANT(W, 0, 0), row, n / 2);
  cilk_spawn schur(QUADRANT(M, 0, 1), QUADRANT(V, 0, 0), QUADRANT(W, 0, 1), row, n / 2);
  cilk_spawn schur(QUADRANT(M, 1, 0), QUADRANT(V, 1, 0), QUADRANT(W, 0, 0), row, n / 2);
  schur(QUADRANT(M, 1, 1), QUADRANT(V, 1, 0), QUADRANT(W, 0, 1), row, n / 2);
  cilk_sync;
  cilk_spawn schur(QUADRANT(M, 0, 0), QUADRANT(V, 0, 1), QUADRANT(W, 1, 0), row, n / 2);
  cilk_spawn schur(QUADRANT(M, 0, 1), QUADRANT(V, 0, 1), QUADRANT(W, 1, 1), row, n / 2);
  cilk_spawn schur(QUADRANT(M, 1, 0), QUADRANT(V, 1, 1), QUADRANT(W, 1, 0), row, n / 2);
  schur(QUADRANT(M, 1, 1), QUADRANT(V, 1, 1), QUADRANT(W, 1, 1), row, n / 2);
  cilk_sync;
}

CILK_FUNCTION void lower_solve(block *M, block *L, size_t row, size_t n);
CILK_FUNCTION void upper_solve(block *M, block *U, size_t row, size_t n);

/* Half of the columns of M, whose upper half is `top` and lower half `bottom`; n is the size of M.  */
CILK_FUNCTION void lower_solve_half(block *top, block *bottom, block *L, size_t row, size_t n) {
  lower_solve(top, QUADRANT(L, 0, 0), row, n / 2);
  schur(bottom, QUADRANT(L, 1, 0), top, row, n / 2);
  lower_solve(bottom, QUADRANT(L, 1, 1), row, n / 2);
}
CILK_FUNCTION void lower_solve(block *M, block *L, size_t row, size_t n) {
  if (n == 1) {
    block_lower_solve(*M, *L);
    return;
  }
  cilk_spawn lower_solve_half(QUADRANT(M, 0, 0), QUADRANT(M, 1, 0), L, row, n);
  lower_solve_half(QUADRANT(M, 0, 1), QUADRANT(M, 1, 1), L, row, n);
  cilk_sync;
}

/* Half of the rows of M.  */
CILK_FUNCTION void upper_solve_half(block *left, block *right, block *U, size_t row, size_t n) {
  upper_solve(left, QUADRANT(U, 0, 0), row, n / 2);
  schur(right, left, QUADRANT(U, 0, 1), row, n / 2);
  upper_solve(right, QUADRANT(U, 1, 1), row, n / 2);
}
CILK_FUNCTION void upper_solve(block *M, block *U, size_t row, size_t n) {
  if (n == 1) {
    block_upper_solve(*M, *U);
    return;
  }
  cilk_spawn upper_solve_half(QUADRANT(M, 0, 0), QUADRANT(M, 0, 1), U, row, n);
  upper_solve_half(QUADRANT(M, 1, 0), QUADRANT(M, 1, 1), U, row, n);
  cilk_sync;
}

CILK_FUNCTION void lu(block *M, size_t row, size_t n) {
  if (n == 1) {
    block_lu(*M);
    return;
  }
  lu(QUADRANT(M, 0, 0), row, n / 2);
  cilk_spawn lower_solve(QUADRANT(M, 0, 1), QUADRANT(M, 0, 0), row, n / 2);
  upper_solve(QUADRANT(M, 1, 0), QUADRANT(M, 0, 0), row, n / 2);
  cilk_sync;
  schur(QUADRANT(M, 1, 1), QUADRANT(M, 1, 0), QUADRANT(M, 0, 1), row, n / 2);
  lu(QUADRANT(M, 1, 1), row, n / 2);
}

/* The element in row i and column j of an n by n matrix.  */
#define ELEMENT(M, i, j) (M)[(i) / SIDE * (n / SIDE) + (j) / SIDE][(i) % SIDE][(j) % SIDE]

/* How many numbers of L (U x) are not those of Ax, x being all ones, where M holds L and U.  */
static size_t count_wrong(block *M, const double *Ax, double *Ux, size_t n, double tolerance) {
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i) {
    Ux[i] = 0;
    for (size_t j = i; j < n; ++j)
      Ux[i] += ELEMENT(M, i, j);
  }
  for (size_t i = 0; i < n; ++i) {
    double LUx = Ux[i];
    for (size_t j = 0; j < i; ++j)
      LUx += ELEMENT(M, i, j) * Ux[j];
    wrong += !(fabs(LUx - Ax[i]) <= tolerance);
  }
  return wrong;
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 2048;
  size_t n = size >= SIDE && size <= 32768 && (size & (size - 1)) == 0 ? (size_t)size : 0;
  block *M = n > 0 ? malloc(n * n * sizeof(double)) : NULL;
  double *Ax = M ? malloc(2 * n * sizeof *Ax) : NULL;
  if (!Ax) {
    free(M);
    fprintf(stderr, "usage: lu [N], N a power of two from %d to what fits into memory\n", SIDE);
    return 2;
  }
  uint64_t state = RANDOM_SEED;
  for (size_t i = 0; i < n; ++i) {
    Ax[i] = 0;
    for (size_t j = 0; j < n; ++j) {
      /* The large diagonal makes pivoting unnecessary.  */
      ELEMENT(M, i, j) = (double)(next_random(&state) % 1000) / 1000 + (i == j ? 10 * (double)n : 0);
      Ax[i] += ELEMENT(M, i, j);
    }
  }

  lu(M, n / SIDE, n / SIDE);

  size_t wrong = count_wrong(M, Ax, Ax + n, n, 1e-9 * (double)n);
  free(Ax);
  free(M);
  printf("%zu by %zu matrix decomposed, %zu rows wrong\n", n, n, wrong);
  return wrong ? 1 : 0;
}
