/* Fibonacci numbers as in test/programs/fib.c, with two tasks of OpenMP's in every call.  tasks N
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
static long fib(int n) {
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}
int main(int argc, char *argv[]) {
  long result;
#pragma omp parallel
#pragma omp single
  result = fib(atoi(argv[argc - 1]));
  return printf("%ld\n", result) < 0;
}
