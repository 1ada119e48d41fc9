/* The number of ways to place N queens on an N by N board so that none attacks another.  nqueens [N]
   SPDX-License-Identifier: MIT

   One spawn for every column of a row that is free: many small children before each sync.  */

#include <cilk/cilk.h>
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Whether no two queens in the first `rows` rows attack each other.  All pairs are compared, as in the program of Cilk-5.  */
static int is_free(int rows, const char *board) {
  for (int row = 0; row < rows; ++row)
    for (int below = row + 1; below < rows; ++below) {
      int distance = board[below] - board[row];
      if (distance == 0 || distance == below - row || distance == row - below)
        return 0;
    }
  return 1;
}

/* The number of solutions that begin with the first `rows` rows of `board`.  */
CILK_FUNCTION int nqueens(int n, int rows, const char *board) {
  if (rows == n)
    return 1;
  int *solutions = alloca((size_t)n * sizeof *solutions);
  memset(solutions, 0, (size_t)n * sizeof *solutions);
  for (int column = 0; column < n; ++column) {
    /* A board of its own for every child, because they may all run at once.  */
    char *next = alloca((size_t)n);
    memcpy(next, board, (size_t)rows);
    next[rows] = (char)column;
    if (is_free(rows + 1, next))
      solutions[column] = cilk_spawn nqueens(n, rows + 1, next);
  }
  cilk_sync;
  int sum = 0;
  for (int column = 0; column < n; ++column)
    sum += solutions[column];
  return sum;
}

int main(int argc, char *argv[]) {
  static const int known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};
  const int largest = (int)(sizeof known / sizeof known[0]) - 1;
  int n = argc > 1 ? atoi(argv[1]) : 11;
  if (n < 1 || n > largest) {
    fprintf(stderr, "usage: nqueens [N], N from 1 to %d\n", largest);
    return 2;
  }
  char *board = alloca((size_t)n);
  int solutions = nqueens(n, 0, board);
  printf("%d queens: %d solutions\n", n, solutions);
  if (solutions != known[n]) {
    fprintf(stderr, "nqueens: expected %d\n", known[n]);
    return 1;
  }
  return 0;
}
