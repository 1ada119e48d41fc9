/* The longest common subsequence of two strings, along the diagonals of the table.
   SPDX-License-Identifier: MIT

   verdict: wavefront-cells | cilk | chain,grain | diagonal | - |
   colleague: A cilk_for for every diagonal, whose cells take nanoseconds: thousands of syncs; compute tiles instead.
   verdict: wavefront-cells-omp | openmp -g | chain,grain | diagonal | - |
   colleague: A parallel loop for every diagonal, whose cells take nanoseconds: thousands of barriers; use tiles.  */

#include <stdio.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { LENGTH = 900 };

static char first[LENGTH], second[LENGTH];
static int table[LENGTH + 1][LENGTH + 1];

static int larger(int a, int b) {
  return a > b ? a : b;
}

static void fill(char *text, unsigned state) {
  for (int i = 0; i < LENGTH; i++) {
    state = state * 1664525u + 1013904223u;
    text[i] = "acgt"[state >> 30];
  }
}

static void cell(int i, int j) {
  table[i][j] = first[i - 1] == second[j - 1] ? table[i - 1][j - 1] + 1 : larger(table[i - 1][j], table[i][j - 1]);
}

int main(void) {
  fill(first, 1);
  fill(second, 2);
  for (int sum = 2; sum <= 2 * LENGTH; sum++) {
    int low = sum > LENGTH ? sum - LENGTH : 1, high = sum > LENGTH ? LENGTH : sum - 1;
    /* guilty: diagonal { */
    parallel_for(int i = low; i <= high; i++) cell(i, sum - i);
    /* guilty: diagonal } */
  }
  printf("%d\n", table[LENGTH][LENGTH]);
  return 0;
}
