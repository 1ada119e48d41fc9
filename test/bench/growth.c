/* The CPU time of one call of fib, in nanoseconds, in a run of many or few of them.  growth N REPETITIONS
   SPDX-License-Identifier: MIT

   Read from a clock in the program, because a short run is over before the program has started, as seen from
   outside.  */

#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Returns the Nth Fibonacci number, with one spawn in every call that is not a leaf.  */
CILK_FUNCTION int fib(int n) {
  if (n < 2)
    return n;
  int x, y;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

/* Returns the CPU time that the process has used, in nanoseconds.  */
static double bench_cpu_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Computes fib(N) REPETITIONS times and prints the nanoseconds of one call.  Returns 1 if a result is wrong.  */
int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 15, repetitions = argc > 2 ? atoi(argv[2]) : 1;
  long sum = 0;
  double start = bench_cpu_ns();
  for (int i = 0; i < repetitions; ++i)
    sum += fib(n);
  double end = bench_cpu_ns();

  long fib_n = 0, next = 1; /* fib(n) makes 2 fib(n + 1) - 1 calls */
  for (int i = 0; i < n; ++i) {
    long after = fib_n + next;
    fib_n = next;
    next = after;
  }
  printf("%.4f\n", (end - start) / ((double)repetitions * (double)(2 * next - 1)));
  return sum == fib_n * repetitions ? 0 : 1;
}
