/* Fibonacci numbers as in test/programs/fib.c, with two tasks of OpenMP's in every call.  tasks N
   SPDX-License-Identifier: MIT

   CLAUSES are those of the tasks; with BLOCKS they are more than one call.  */

#include <stdio.h>
#include <stdlib.h>

#ifndef CLAUSES
#define CLAUSES
#endif
#ifdef BLOCKS
#define MORE __asm__ volatile("")
#else
#define MORE
#endif

/* Returns the Nth Fibonacci number, by two tasks in every call that is not a leaf.  */
static long fib(int n) {
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x) CLAUSES
  {
    x = fib(n - 1);
    MORE;
  }
#pragma omp task shared(y) CLAUSES
  {
    y = fib(n - 2);
    MORE;
  }
#pragma omp taskwait
  return x + y;
}

/* Prints fib of the last argument, computed by a team of which one thread makes the first tasks.  */
int main(int argc, char *argv[]) {
  long result;
#pragma omp parallel
#pragma omp single
  result = fib(atoi(argv[argc - 1]));
  return printf("%ld\n", result) < 0;
}
