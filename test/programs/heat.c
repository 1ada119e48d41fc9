/* Heat spreading over a plate, in columns that are divided in halves: after Cilk-5.  heat [COLUMNS [ROWS [STEPS]]]
   SPDX-License-Identifier: MIT

   The plate begins as one half-wave of a sine in each direction and its border stays cold.  Every step then multiplies
   every cell by the same factor: the result is known.  */

#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COARSENING 10    /* columns; below it, a part is serial */
#define RATE       0.125 /* of the exchange between neighbours in a step */

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Columns first .. last - 1.  Out of line so that the profile has a row for it.  */
__attribute__((noinline)) static void step_columns(double *restrict to, const double *restrict from, size_t rows,
                                                   size_t first, size_t last) {
  for (size_t x = first; x < last; ++x) {
    const double *left = from + (x - 1) * rows, *column = left + rows, *right = column + rows;
    for (size_t y = 1; y < rows - 1; ++y)
      to[x * rows + y] = column[y] + RATE * (left[y] + right[y] + column[y - 1] + column[y + 1] - 4 * column[y]);
  }
}

CILK_FUNCTION void step(double *to, const double *from, size_t rows, size_t first, size_t last) {
  if (last - first <= COARSENING) {
    step_columns(to, from, rows, first, last);
    return;
  }
  size_t middle = first + (last - first) / 2;
  cilk_spawn step(to, from, rows, first, middle);
  step(to, from, rows, middle, last);
  cilk_sync;
}

static double half_wave(size_t i, size_t n) {
  return i == n - 1 ? 0 : sin(M_PI * (double)i / (double)(n - 1));
}

/* What a step leaves of a half-wave over n cells, from its change by the differences of neighbours.  */
static double decay(size_t n) {
  double s = sin(M_PI / 2 / (double)(n - 1));
  return -4 * RATE * s * s;
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 2048;
  long height = argc > 2 ? atol(argv[2]) : 500;
  long steps = argc > 3 ? atol(argv[3]) : 400;
  int valid = size >= 3 && size <= 30000 && height >= 3 && height <= 30000 && steps >= 0;
  size_t columns = (size_t)size, rows = (size_t)height;
  double *plate = valid ? malloc((2 * columns * rows + rows) * sizeof *plate) : NULL;
  if (!plate) {
    fprintf(stderr, "usage: heat [COLUMNS [ROWS [STEPS]]], COLUMNS and ROWS from 3 to what fits into memory\n");
    return 2;
  }
  double *from = plate, *to = from + columns * rows, *wave = to + columns * rows;
  for (size_t y = 0; y < rows; ++y)
    wave[y] = half_wave(y, rows);
  for (size_t x = 0; x < columns; ++x) {
    double height_of_wave = half_wave(x, columns);
    for (size_t y = 0; y < rows; ++y)
      from[x * rows + y] = to[x * rows + y] = height_of_wave * wave[y];
  }

  for (long t = 0; t < steps; ++t) {
    step(to, from, rows, 1, columns - 1);
    double *tmp = from;
    from = to;
    to = tmp;
  }

  double factor = pow(1 + decay(columns) + decay(rows), (double)steps);
  size_t wrong = 0;
  for (size_t x = 0; x < columns; ++x) {
    double height_of_wave = factor * half_wave(x, columns);
    for (size_t y = 0; y < rows; ++y)
      wrong += !(fabs(from[x * rows + y] - height_of_wave * wave[y]) < 1e-12);
  }
  free(plate);
  printf("%zu by %zu plate, %ld steps, %zu cells wrong\n", columns, rows, steps, wrong);
  return wrong ? 1 : 0;
}
