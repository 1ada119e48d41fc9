/* Four spawned calls of qsort(3) of equal size, with a comparison function of the program's own.
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdlib.h>

#include "construction.h"

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  size_t part = argc > 1 ? (size_t)atol(argv[1]) : 400000;
  int *numbers = malloc(4 * part * sizeof *numbers);
  unsigned random = 1;
  double begin = cpu_seconds();
  for (size_t i = 0; i < 4 * part; i++)
    numbers[i] = (int)((random = random * 1664525 + 1013904223) >> 8);
  double sort = cpu_seconds();
  cilk_spawn qsort(numbers, part, sizeof *numbers, compare);
  cilk_spawn qsort(numbers + part, part, sizeof *numbers, compare);
  cilk_spawn qsort(numbers + 2 * part, part, sizeof *numbers, compare);
  qsort(numbers + 3 * part, part, sizeof *numbers, compare);
  cilk_sync;
  construction(sort - begin, cpu_seconds() - sort, 0.25);
  printf("%d %d\n", numbers[part / 2], numbers[3 * part]);
  free(numbers);
  return 0;
}
