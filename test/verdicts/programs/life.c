/* Conway's game of life.
   SPDX-License-Identifier: MIT

   verdict: life-small | cilk -DHEIGHT=24 -DWIDTH=24 -DSTEPS=2000 | chain,grain | step | step |
   colleague: Each generation of the small board is a cilk_for over 24 short rows and a sync: too little between syncs.
   verdict: life-small-omp | openmp -DHEIGHT=24 -DWIDTH=24 -DSTEPS=2000 | chain,grain | step | step |
   colleague: Each generation of the small board is a parallel region of 24 short rows and a barrier: too little in it.
   verdict: life-none | cilk -DHEIGHT=1200 -DWIDTH=1200 -DSTEPS=60 | none | - | - |
   colleague: It is well parallelised.
   verdict: life-none-omp | openmp -DHEIGHT=1200 -DWIDTH=1200 -DSTEPS=60 | none | - | - |
   colleague: It is well parallelised.  */

#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif

typedef unsigned char board[HEIGHT + 2][WIDTH + 2];
static board now, next;

static void step_row(const board *from, board *to, int y) {
  for (int x = 1; x <= WIDTH; x++) {
    int around = (*from)[y - 1][x - 1] + (*from)[y - 1][x] + (*from)[y - 1][x + 1] + (*from)[y][x - 1] +
                 (*from)[y][x + 1] + (*from)[y + 1][x - 1] + (*from)[y + 1][x] + (*from)[y + 1][x + 1];
    (*to)[y][x] = around == 3 || (around == 2 && (*from)[y][x]);
  }
}

static void step(const board *from, board *to) {
  /* guilty: step { */
#ifdef _OPENMP
#pragma omp parallel for
  for (int y = 1; y <= HEIGHT; y++)
    step_row(from, to, y);
#else
  cilk_for (int y = 1; y <= HEIGHT; y++)
    step_row(from, to, y);
#endif
  /* guilty: step } */
}

static void sow(board *to) {
#ifdef _OPENMP
#pragma omp parallel for
  for (int y = 1; y <= HEIGHT; y++)
    for (int x = 1; x <= WIDTH; x++)
      (*to)[y][x] = (x * 31 + y * 17 + x * y) % 7 < 3;
#else
  cilk_for (int y = 1; y <= HEIGHT; y++)
    for (int x = 1; x <= WIDTH; x++)
      (*to)[y][x] = (x * 31 + y * 17 + x * y) % 7 < 3;
#endif
}

int main(void) {
  sow(&now);
  for (int t = 0; t < STEPS; t += 2) {
    step(&now, &next); /* guilty: step */
    step(&next, &now); /* guilty: step */
  }
  int alive = 0;
  for (int x = 1; x <= WIDTH; x++)
    alive += now[HEIGHT / 2][x];
  printf("%d\n", alive);
  return 0;
}
