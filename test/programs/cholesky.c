/* Cholesky decomposition of a sparse matrix, A = L transpose(L), in a tree of quadrants: after Cilk-5.  cholesky [N]
   SPDX-License-Identifier: MIT

   A quadrant of zeros is a null pointer, the leaves are small blocks, and only what is on or below the diagonal is
   stored.  Every quadrant is its own child: little work per spawn.  */

#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

enum { SIDE = 4, NONZEROS_PER_ROW = 2 };

union node {
  union node *child[2][2];
  double block[SIDE][SIDE];
};

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

static union node *new_node(int depth) {
  union node *node = depth ? calloc(1, sizeof node->child) : calloc(1, sizeof node->block);
  if (!node)
    abort();
  return node;
}

/* R -= A transpose(B), where neither A nor B is null; of a `lower` R only what is on or below its diagonal.  */
CILK_FUNCTION union node *multiply_subtract(int depth, int lower, union node *R, const union node *A,
                                            const union node *B) {
  if (!R)
    R = new_node(depth);
  if (depth == 0) {
    for (int i = 0; i < SIDE; ++i)
      for (int j = 0; j < SIDE; ++j)
        for (int k = 0; k < SIDE; ++k)
          R->block[i][j] -= A->block[i][k] * B->block[j][k];
    return R;
  }
  for (int k = 0; k < 2; ++k) {
    /* The four quadrants of R at once; their second half after the first.  */
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < (lower ? i + 1 : 2); ++j)
        if (A->child[i][k] && B->child[j][k])
          R->child[i][j] =
              cilk_spawn multiply_subtract(depth - 1, lower && i == j, R->child[i][j], A->child[i][k], B->child[j][k]);
    cilk_sync;
  }
  return R;
}

/* A, which is not null, becomes X where X transpose(L) = A.  */
CILK_FUNCTION void back_substitute(int depth, union node *A, const union node *L) {
  if (depth == 0) {
    for (int i = 0; i < SIDE; ++i)
      for (int j = 0; j < SIDE; ++j) {
        for (int k = 0; k < j; ++k)
          A->block[i][j] -= A->block[i][k] * L->block[j][k];
        A->block[i][j] /= L->block[j][j];
      }
    return;
  }
  for (int i = 0; i < 2; ++i)
    if (A->child[i][0])
      cilk_spawn back_substitute(depth - 1, A->child[i][0], L->child[0][0]);
  cilk_sync;
  for (int i = 0; i < 2; ++i)
    if (A->child[i][0] && L->child[1][0])
      A->child[i][1] = cilk_spawn multiply_subtract(depth - 1, 0, A->child[i][1], A->child[i][0], L->child[1][0]);
  cilk_sync;
  for (int i = 0; i < 2; ++i)
    if (A->child[i][1])
      cilk_spawn back_substitute(depth - 1, A->child[i][1], L->child[1][1]);
  cilk_sync;
}

/* A becomes L.  */
CILK_FUNCTION void cholesky(int depth, union node *A) {
  if (depth == 0) {
    for (int j = 0; j < SIDE; ++j)
      for (int i = j; i < SIDE; ++i) {
        for (int k = 0; k < j; ++k)
          A->block[i][j] -= A->block[i][k] * A->block[j][k];
        if (i == j)
          A->block[i][j] = sqrt(A->block[i][j]);
        else
          A->block[i][j] /= A->block[j][j], A->block[j][i] = 0;
      }
    return;
  }
  cilk_spawn cholesky(depth - 1, A->child[0][0]);
  if (A->child[1][0]) {
    cilk_sync;
    back_substitute(depth - 1, A->child[1][0], A->child[0][0]);
    multiply_subtract(depth - 1, 1, A->child[1][1], A->child[1][0], A->child[1][0]);
  }
  cholesky(depth - 1, A->child[1][1]);
  cilk_sync;
}

/* The element in this row and column, made if there is none.  */
static double *element(union node *A, int depth, int row, int column) {
  for (; depth > 0; --depth) {
    int middle = SIDE << (depth - 1);
    union node **child = &A->child[row >= middle][column >= middle];
    if (!*child)
      *child = new_node(depth - 1);
    A = *child;
    row %= middle;
    column %= middle;
  }
  return &A->block[row][column];
}

/* y += L x, or y += transpose(L) x; L may be null.  */
static void apply(int depth, const union node *L, int transposed, double *y, const double *x) {
  int half = depth ? SIDE << (depth - 1) : 1;
  for (int i = 0; L && i < (depth ? 2 : SIDE); ++i)
    for (int j = 0; j < (depth ? 2 : SIDE); ++j) {
      int to = half * (transposed ? j : i), from = half * (transposed ? i : j);
      if (depth)
        apply(depth - 1, L->child[i][j], transposed, y + to, x + from);
      else
        y[to] += L->block[i][j] * x[from];
    }
}

static void free_tree(int depth, union node *node) {
  for (int i = 0; node && depth && i < 4; ++i)
    free_tree(depth - 1, node->child[i / 2][i % 2]);
  free(node);
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, depth = 0;
  while (n > 0 && n <= 1 << 20 && SIDE << depth < n)
    ++depth;
  int size = SIDE << depth; /* below row n, only the diagonal is not zero */
  double *x = n > 0 && n <= 1 << 20 ? calloc((size_t)size * 4, sizeof *x) : NULL;
  if (!x) {
    fprintf(stderr, "usage: cholesky [N], N from 1 to %d\n", 1 << 20);
    return 2;
  }
  double *Ax = x + size, *Ltx = Ax + size, *LLtx = Ltx + size;
  uint64_t state = RANDOM_SEED;
  union node *A = new_node(depth);
  for (int i = 0; i < size; ++i)
    x[i] = 1;
  for (int i = 0; n > 1 && i < NONZEROS_PER_ROW * n; ++i) {
    int row = 1 + (int)(next_random(&state) % (uint64_t)(n - 1)), column = (int)(next_random(&state) % (uint64_t)row);
    *element(A, depth, row, column) -= 1;
    Ax[row] -= 1;
    Ax[column] -= 1;
  }
  for (int i = 0; i < size; ++i) {
    *element(A, depth, i, i) = 1 - Ax[i]; /* more than the rest of the row: positive definite */
    Ax[i] = 1;
  }

  cholesky(depth, A);

  apply(depth, A, 1, Ltx, x);
  apply(depth, A, 0, LLtx, Ltx);
  size_t wrong = 0;
  for (int i = 0; i < size; ++i)
    wrong += !(fabs(LLtx[i] - Ax[i]) < 1e-9);
  free_tree(depth, A);
  free(x);
  printf("sparse %d by %d matrix decomposed, %zu rows wrong\n", n, n, wrong);
  return wrong ? 1 : 0;
}
