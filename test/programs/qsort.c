/* Parallel quicksort with a serial partition: Figure 1 of the Cilkprof paper.  qsort [N]
   SPDX-License-Identifier: MIT

   Its profile shows the call of partition on the critical path nearly all of the time: the span of the sort is linear,
   and its parallelism grows with the logarithm of N only.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

#define COARSENING 32

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Moves what is at most the pivot before what is at least the pivot; returns where the second part begins.  Out of line
   because it is the call site that the profile is about.  */
__attribute__((noinline)) static int partition(long array[], int low, int high) {
  uint64_t state = RANDOM_SEED + (uint64_t)low * 65537u + (uint64_t)high;
  long pivot = array[low + (int)(next_random(&state) % (uint64_t)(high - low))];
  int l = low - 1;
  int r = high;
  while (1) {
    do {
      ++l;
    } while (array[l] < pivot);
    do {
      --r;
    } while (array[r] > pivot);
    if (l < r) {
      long tmp = array[l];
      array[l] = array[r];
      array[r] = tmp;
    } else {
      return l == low ? l + 1 : l;
    }
  }
}

CILK_FUNCTION void pqsort(long array[], int low, int high) {
  if (high - low < COARSENING) {
    for (int i = low + 1; i < high; ++i) {
      long value = array[i];
      int hole = i;
      for (; hole > low && array[hole - 1] > value; --hole)
        array[hole] = array[hole - 1];
      array[hole] = value;
    }
  } else {
    int part = partition(array, low, high);
    cilk_spawn pqsort(array, low, part);
    pqsort(array, part, high);
    cilk_sync;
  }
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 10000000;
  long *array = n > 0 ? malloc((size_t)n * sizeof *array) : NULL;
  if (!array) {
    fprintf(stderr, "usage: qsort [N], N from 1 to what fits into memory\n");
    return 2;
  }
  uint64_t state = RANDOM_SEED, sum = 0;
  for (int i = 0; i < n; ++i) {
    array[i] = (long)next_random(&state);
    sum += (uint64_t)array[i];
  }

  pqsort(array, 0, n);

  int sorted = 1;
  for (int i = 0; i < n; ++i) {
    sum -= (uint64_t)array[i];
    sorted &= i == 0 || array[i - 1] <= array[i];
  }
  free(array);
  int right = sorted && sum == 0;
  printf("%d numbers %s\n", n, right ? "sorted" : "not sorted");
  return right ? 0 : 1;
}
