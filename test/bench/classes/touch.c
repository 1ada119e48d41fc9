/* A parallel loop over memory that it touches for the first time: the system's page faults take most of it.
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdlib.h>

#include "construction.h"

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 20000000;
  double *numbers = malloc((size_t)n * sizeof *numbers), sum = 0;
  double begin = cpu_seconds();
  cilk_for (long i = 0; i < n; i++)
    numbers[i] = (double)(i % 1000);
  construction(0, cpu_seconds() - begin, one_grain(n));
  for (long i = 0; i < n; i += n / 16)
    sum += numbers[i];
  printf("%g\n", sum);
  free(numbers);
  return 0;
}
