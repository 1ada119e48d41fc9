/* A recursion that is as deep as its size: every call spawns the next.  deep [N]
   SPDX-License-Identifier: MIT

   Needs a stack of some 100 bytes for each level: ulimit -s unlimited.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Returns N, counted by N nested spawns.  */
CILK_FUNCTION long deep(long n) {
  if (n == 0)
    return 0;
  long below;
  below = cilk_spawn deep(n - 1);
  cilk_sync;
  return below + 1;
}

/* Spawns N levels deep and prints the depth.  Returns 1 if it is not N.  */
int main(int argc, char *argv[]) {
  long n = argc > 1 ? atol(argv[1]) : 1000000, depth = deep(n);
  printf("%ld levels\n", depth);
  return depth == n ? 0 : 1;
}
