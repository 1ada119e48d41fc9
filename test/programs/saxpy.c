/* y = a x + y, many times: a cilk_for that the compiler vectorises.  saxpy [N [REPETITIONS]]
   SPDX-License-Identifier: MIT

   The profiler must keep it vectorised.  */

#include <cilk/cilk.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Out of line so that the profile has a row for it.  */
__attribute__((noinline)) static void saxpy(float *restrict y, float a, const float *restrict x, size_t n) {
  cilk_for(size_t i = 0; i < n; ++i) {
    y[i] += a * x[i];
  }
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 10000000;
  int repetitions = argc > 2 ? atoi(argv[2]) : 100;
  size_t n = size > 0 ? (size_t)size : 0;
  float *x = n && repetitions >= 0 && repetitions <= 100000 ? malloc(2 * n * sizeof *x) : NULL;
  if (!x) {
    fprintf(stderr, "usage: saxpy [N [REPETITIONS]], N from 1 to what fits into memory\n");
    return 2;
  }
  float *y = x + n;
  for (size_t i = 0; i < n; ++i) {
    x[i] = (float)(i % 16);
    y[i] = 0;
  }

  for (int repetition = 0; repetition < repetitions; ++repetition)
    saxpy(y, 2, x, n);

  /* All numbers are integers below 2^24: no rounding.  */
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i)
    wrong += y[i] != (float)repetitions * 2 * x[i];
  free(x);
  printf("%zu numbers, %d repetitions, %zu wrong\n", n, repetitions, wrong);
  return wrong ? 1 : 0;
}
