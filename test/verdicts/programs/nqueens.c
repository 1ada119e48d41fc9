/* Queens on a chessboard: all placements are counted.
   SPDX-License-Identifier: MIT

   verdict: nqueens-grain | cilk | grain | spawns | place,count_below |
   colleague: A spawn for every square down to the last row; count the last rows serially.
   verdict: nqueens-none | cilk -DCUTOFF=10 -DSIZE=13 | none | - | - |
   colleague: It is well parallelised.
   verdict: nqueens-none-omp | openmp -DCUTOFF=10 -DSIZE=13 | none | - | - |
   colleague: It is well parallelised.  */

#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifndef SIZE
#define SIZE 11
#endif
#ifndef CUTOFF
#define CUTOFF 0
#endif

static int count_serially(int row, unsigned columns, unsigned left, unsigned right) {
  int sum = 0;
  if (row == SIZE)
    return 1;
  for (unsigned free = ~(columns | left | right) & ((1u << SIZE) - 1); free != 0; free &= free - 1) {
    unsigned bit = free & -free;
    sum += count_serially(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return sum;
}

/* Counts the placements of queens in the rows from ROW on.  */
static int place(int row, unsigned columns, unsigned left, unsigned right) {
  int counts[SIZE] = {0}, pieces = 0, sum = 0;
  if (SIZE - row <= CUTOFF)
    return count_serially(row, columns, left, right);
  if (row == SIZE)
    return 1;
  /* guilty: spawns { */
  for (unsigned free = ~(columns | left | right) & ((1u << SIZE) - 1); free != 0; free &= free - 1) {
    unsigned bit = free & -free;
#ifdef _OPENMP
#pragma omp task shared(counts) firstprivate(bit, pieces)
    counts[pieces] = place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    pieces++;
#else
    counts[pieces++] = cilk_spawn place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
#endif
  }
  /* guilty: spawns } */
#ifdef _OPENMP
#pragma omp taskwait
#else
  cilk_sync;
#endif
  for (int i = 0; i < pieces; i++)
    sum += counts[i];
  return sum;
}

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  sum = place(0, 0, 0, 0); /* guilty: spawns */
  printf("%d\n", sum);
  return 0;
}
