/* Heat spreading over a square plate: a cilk_for over the rows, a serial loop over the columns.  stencil [N [STEPS]]
   SPDX-License-Identifier: MIT

   The plate begins as x^2 + y^2 and its border stays so.  The stencil then adds 4 RATE to every cell in every step,
   except where the border's influence has arrived, which travels one cell per step: the result is known exactly.  */

#include <cilk/cilk.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 0.125 /* a power of two: no rounding */

/* Out of line so that the profile has a row for it.  */
__attribute__((noinline)) static void step(double *restrict to, const double *restrict from, size_t n) {
  cilk_for(size_t y = 1; y < n - 1; ++y) {
    const double *above = from + (y - 1) * n, *row = from + y * n, *below = from + (y + 1) * n;
    for (size_t x = 1; x < n - 1; ++x)
      to[y * n + x] = row[x] + RATE * (above[x] + below[x] + row[x - 1] + row[x + 1] - 4 * row[x]);
  }
}

static double initial(size_t x, size_t y) {
  return (double)(x * x + y * y);
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 2000;
  long steps = argc > 2 ? atol(argv[2]) : 100;
  size_t n = size > 2 && size < 30000 ? (size_t)size : 0;
  double *from = n && steps >= 0 ? malloc(2 * n * n * sizeof *from) : NULL;
  if (!from) {
    fprintf(stderr, "usage: stencil [N [STEPS]], N from 3 to what fits into memory\n");
    return 2;
  }
  double *plate = from, *to = from + n * n;
  for (size_t y = 0; y < n; ++y)
    for (size_t x = 0; x < n; ++x)
      from[y * n + x] = to[y * n + x] = initial(x, y);

  for (long t = 0; t < steps; ++t) {
    step(to, from, n);
    double *tmp = from;
    from = to;
    to = tmp;
  }

  size_t margin = (size_t)steps, checked = 0, wrong = 0;
  for (size_t y = margin; y + margin < n; ++y)
    for (size_t x = margin; x + margin < n; ++x, ++checked)
      wrong += from[y * n + x] != initial(x, y) + (double)steps * 4 * RATE;
  free(plate);
  printf("%zu by %zu plate, %ld steps, %zu cells checked, %zu wrong\n", n, n, steps, checked, wrong);
  return wrong ? 1 : 0;
}
