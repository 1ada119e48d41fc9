/* One spawn per iteration of a long loop: snippet B of Figure 4 of the Cilkview paper.  snippet_b [N]
   SPDX-License-Identifier: MIT

   Work and span are nearly those of snippet A, so that the parallelism is about 2; but as every iteration needs a steal
   to use it, the burdened parallelism is far below 1.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "small.h"

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 10000000;
  if (size < 1) {
    fprintf(stderr, "usage: snippet_b [N], N from 1\n");
    return 2;
  }
  uint64_t n = (uint64_t)size, sum = 0;

  for (uint64_t i = 0; i < n; ++i) {
    uint64_t x, y;
    x = cilk_spawn small(i);
    y = small(n + i);
    cilk_sync;
    sum += x + y;
  }

  int right = sum == n * (2 * n - 1);
  printf("snippet B, %ld iterations: %s\n", size, right ? "right" : "wrong");
  return right ? 0 : 1;
}
