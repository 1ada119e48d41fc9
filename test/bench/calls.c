/* Many calls, from one loop, of a function that spawns: what they cost in memory.  calls [N]
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 4 };

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Returns the number of leaves of a binary tree of DEPTH levels, with a spawn at every inner node.  */
CILK_FUNCTION long leaves(int depth) {
  if (depth == 0)
    return 1;
  long left, right;
  left = cilk_spawn leaves(depth - 1);
  right = leaves(depth - 1);
  cilk_sync;
  return left + right;
}

/* Calls leaves N times and prints how many leaves there were.  Returns 1 if the number is wrong.  */
int main(int argc, char *argv[]) {
  long n = argc > 1 ? atol(argv[1]) : 1000000, sum = 0;
  for (long i = 0; i < n; ++i)
    sum += leaves(DEPTH);
  printf("%ld calls, %ld leaves\n", n, sum);
  return sum == n << DEPTH ? 0 : 1;
}
