/* One spawn for two long loops: snippet A of Figure 4 of the Cilkview paper.  snippet_a [N]
   SPDX-License-Identifier: MIT

   Work and span are nearly those of snippet B, so that the parallelism is about 2; but as one steal is enough to use
   it, the burdened parallelism is about 2 as well.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "small.h"

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

CILK_FUNCTION uint64_t sum_small(uint64_t first, uint64_t last) {
  uint64_t sum = 0;
  for (uint64_t i = first; i < last; ++i)
    sum += small(i);
  return sum;
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 10000000;
  if (size < 1) {
    fprintf(stderr, "usage: snippet_a [N], N from 1\n");
    return 2;
  }
  uint64_t n = (uint64_t)size, x, y = 0;

  x = cilk_spawn sum_small(0, n);
  for (uint64_t i = n; i < 2 * n; ++i)
    y += small(i);
  cilk_sync;

  int right = x + y == n * (2 * n - 1);
  printf("snippet A, %ld iterations: %s\n", size, right ? "right" : "wrong");
  return right ? 0 : 1;
}
