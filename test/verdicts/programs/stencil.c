/* Heat on a plate, divided among threads by their numbers.
   SPDX-License-Identifier: MIT

   verdict: stencil-threads | openmp | none | - | - |
   colleague: The rows are divided by omp_get_thread_num(): work and span see one thread with all of it.
   verdict: stencil-threads-noinline | openmp -g -DNOINLINE | none | - | - |
   colleague: The rows are divided by omp_get_thread_num(): work and span see one thread with all of it.
   verdict: stencil-none | openmp -DLOOPS | none | - | - |
   colleague: It is well parallelised.  */

#include <omp.h>
#include <stdio.h>
enum { SIDE = 1000, STEPS = 60 };

static float plate[2][SIDE][SIDE];

static void relax_row(int from, int y) {
  for (int x = 1; x < SIDE - 1; x++)
    plate[!from][y][x] =
        0.25f * (plate[from][y - 1][x] + plate[from][y + 1][x] + plate[from][y][x - 1] + plate[from][y][x + 1]);
}

static void heat_edges(void) {
#ifdef LOOPS /* each thread touches its rows first */
#pragma omp parallel for schedule(static)
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      plate[0][y][x] = plate[1][y][x] = 0;
#endif
  for (int i = 0; i < SIDE; i++)
    plate[0][0][i] = plate[1][0][i] = plate[0][i][0] = plate[1][i][0] = 100;
}

#ifdef NOINLINE
__attribute__((noinline))
#endif
static void
relax(void) {
#ifdef LOOPS
  for (int step = 0; step < STEPS; step++)
#pragma omp parallel for schedule(static)
    for (int y = 1; y < SIDE - 1; y++)
      relax_row(step & 1, y);
#else
  /* guilty: region { */
#pragma omp parallel
  {
    int threads = omp_get_num_threads(), me = omp_get_thread_num();
    int begin = 1 + me * (SIDE - 2) / threads, end = 1 + (me + 1) * (SIDE - 2) / threads;
    for (int step = 0; step < STEPS; step++) {
      for (int y = begin; y < end; y++)
        relax_row(step & 1, y);
#pragma omp barrier
    }
  }
  /* guilty: region } */
#endif
}

int main(void) {
  heat_edges();
  relax(); /* guilty: region */
  double sum = 0;
  for (int i = 0; i < SIDE; i++)
    sum += plate[STEPS & 1][i][i];
  printf("%.4f\n", sum);
  return 0;
}
