/* Multiplication of rectangular matrices that are stored in blocks: after Cilk-5.  rectmul [N]
   SPDX-License-Identifier: MIT

   A is N by 2 N and B is 2 N by N.  Where the inner dimension is the largest, the second half of the product is added
   to the first.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "product.h"

enum { SIDE = 16 };

typedef double block[SIDE][SIDE];

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* R = A B, or R += A B, of single blocks.  Out of line so that the profile has a row for it.  */
__attribute__((noinline)) static void multiply_blocks(block R, block A, block B, int add) {
  for (int i = 0; i < SIDE; ++i) {
    double row[SIDE];
    for (int j = 0; j < SIDE; ++j)
      row[j] = add ? R[i][j] : 0;
    for (int k = 0; k < SIDE; ++k)
      for (int j = 0; j < SIDE; ++j)
        row[j] += A[i][k] * B[k][j];
    for (int j = 0; j < SIDE; ++j)
      R[i][j] = row[j];
  }
}

/* R = A B, or R += A B: A is x by y blocks, B is y by z; A_row and so on are the blocks in a row of the whole matrix.
 */
CILK_FUNCTION void multiply(block *R, size_t R_row, block *A, size_t A_row, block *B, size_t B_row, size_t x, size_t y,
                            size_t z, int add) {
  if (x + y + z == 3) {
    multiply_blocks(*R, *A, *B, add);
  } else if (x >= y && x >= z) {
    size_t half = x / 2;
    cilk_spawn multiply(R, R_row, A, A_row, B, B_row, half, y, z, add);
    multiply(R + half * R_row, R_row, A + half * A_row, A_row, B, B_row, x - half, y, z, add);
    cilk_sync;
  } else if (y > x && y > z) {
    size_t half = y / 2;
    multiply(R, R_row, A, A_row, B, B_row, x, half, z, add);
    multiply(R, R_row, A + half, A_row, B + half * B_row, B_row, x, y - half, z, 1);
  } else {
    size_t half = z / 2;
    cilk_spawn multiply(R, R_row, A, A_row, B, B_row, x, y, half, add);
    multiply(R + half, R_row, A, A_row, B + half, B_row, x, y, z - half, add);
    cilk_sync;
  }
}

/* Between a matrix in row-major order and one in blocks, both with `columns` numbers in a row.  */
static void to_blocks(block *blocks, const double *matrix, size_t rows, size_t columns) {
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j)
      blocks[i / SIDE * (columns / SIDE) + j / SIDE][i % SIDE][j % SIDE] = matrix[i * columns + j];
}
static void from_blocks(double *matrix, block *blocks, size_t rows, size_t columns) {
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j)
      matrix[i * columns + j] = blocks[i / SIDE * (columns / SIDE) + j / SIDE][i % SIDE][j % SIDE];
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 1024;
  size_t n = size > 0 && size % SIDE == 0 ? (size_t)size : 0, m = 2 * n;
  double *matrices = n > 0 && n <= 16384 ? malloc((n * n + 2 * n * m + 3 * n + m) * sizeof *matrices) : NULL;
  block *blocks = matrices ? malloc((n * n + 2 * n * m) * sizeof(double)) : NULL;
  if (!blocks) {
    free(matrices);
    fprintf(stderr, "usage: rectmul [N], N a multiple of %d that fits into memory\n", SIDE);
    return 2;
  }
  double *R = matrices, *A = R + n * n, *B = A + n * m, *vectors = B + m * n;
  fill_matrix(A, n, m, 7);
  fill_matrix(B, m, n, 5);
  size_t x = n / SIDE, y = m / SIDE;
  block *blocks_of_A = blocks + x * x, *blocks_of_B = blocks_of_A + x * y;
  to_blocks(blocks_of_A, A, n, m);
  to_blocks(blocks_of_B, B, m, n);

  multiply(blocks, x, blocks_of_A, y, blocks_of_B, x, x, y, x, 0);

  from_blocks(R, blocks, n, n);
  int right = product_is_right(R, A, B, n, m, n, vectors);
  free(blocks);
  free(matrices);
  printf("%zu by %zu by %zu product %s\n", n, m, n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
