/* Many spawns before one sync: what they cost in memory.  spawns [N]
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNTERS = 8 };

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Adds 1 to COUNTER, which other children share: that is right in a serial run only.  */
CILK_FUNCTION void count(volatile long *counter) {
  ++*counter;
}

/* Spawns N children, then syncs once, and prints how many were counted.  Returns 1 if the number is wrong.  */
int main(int argc, char *argv[]) {
  long n = argc > 1 ? atol(argv[1]) : 10000000, sum = 0;
  volatile long counters[COUNTERS] = {0};
  for (long i = 0; i < n; ++i)
    cilk_spawn count(&counters[i % COUNTERS]);
  cilk_sync;
  for (int i = 0; i < COUNTERS; ++i)
    sum += counters[i];
  printf("%ld spawns, %ld counted\n", n, sum);
  return sum == n ? 0 : 1;
}
