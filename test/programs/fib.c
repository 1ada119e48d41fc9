/* Fibonacci numbers by the slow recursion: Figure 5 of the Cilkprof paper.  fib [N]
   SPDX-License-Identifier: MIT

   Nearly no work per spawn, so its run shows what the profiler costs per call.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

CILK_FUNCTION int fib(int n) {
  if (n < 2)
    return n;
  int x, y;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 35;
  if (n < 0 || n > 46) {
    fprintf(stderr, "usage: fib [N], N from 0 to 46\n");
    return 2;
  }
  int result = fib(n);

  long expected = 0, next = 1;
  for (int i = 0; i < n; ++i) {
    long sum = expected + next;
    expected = next;
    next = sum;
  }
  printf("fib(%d) = %d\n", n, result);
  if (result != expected) {
    fprintf(stderr, "fib: expected %ld\n", expected);
    return 1;
  }
  return 0;
}
