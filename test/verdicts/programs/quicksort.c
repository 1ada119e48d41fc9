/* Quicksort whose halves are sorted in parallel.
   SPDX-License-Identifier: MIT

   verdict: quicksort-partition | cilk -DNOINLINE | serial | partition | partition |
   colleague: The serial partition of the whole array holds the span; partition in parallel.
   verdict: quicksort-partition-inlined | cilk | serial | partition | partition |
   colleague: The serial partition of the whole array holds the span; it is inlined into the sort.
   verdict: quicksort-partition-omp | openmp | serial | partition | partition |
   colleague: The serial partition of the whole array holds the span; it is inlined into the sort.  */

#include <stdio.h>
#include <stdlib.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifndef CUTOFF
#define CUTOFF 1000
#endif
#ifndef NUMBERS
#define NUMBERS 1000000
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline))
#else
#define PART inline
#endif

static unsigned numbers[NUMBERS];

static void insertion_sort(unsigned *a, long count) {
  for (long i = 1; i < count; i++) {
    unsigned value = a[i];
    long hole = i;
    for (; hole > 0 && a[hole - 1] > value; hole--)
      a[hole] = a[hole - 1];
    a[hole] = value;
  }
}

/* guilty: partition { */
static PART long partition(unsigned *a, long count) {
  unsigned pivot = a[count / 2];
  long low = -1, high = count;
  for (;;) {
    do
      low++;
    while (a[low] < pivot);
    do
      high--;
    while (a[high] > pivot);
    if (low >= high)
      return high + 1;
    unsigned kept = a[low];
    a[low] = a[high];
    a[high] = kept;
  }
}
/* guilty: partition } */

static void sort(unsigned *a, long count) {
  if (count <= CUTOFF && count <= 32) {
    insertion_sort(a, count);
    return;
  }
  long part = partition(a, count); /* guilty: partition */
  if (count <= CUTOFF) {
    sort(a, part);
    sort(a + part, count - part);
    return;
  }
#ifdef _OPENMP
#pragma omp task
  sort(a, part);
  sort(a + part, count - part);
#pragma omp taskwait
#else
  cilk_spawn sort(a, part);
  sort(a + part, count - part);
  cilk_sync;
#endif
}

int main(void) {
#ifdef _OPENMP
#pragma omp parallel for
  for (long i = 0; i < NUMBERS; i++)
    numbers[i] = (unsigned)(i * 2654435761u) ^ (unsigned)(i * 40503u) >> 3;
#pragma omp parallel
#pragma omp single
#else
  cilk_for (long i = 0; i < NUMBERS; i++)
    numbers[i] = (unsigned)(i * 2654435761u) ^ (unsigned)(i * 40503u) >> 3;
#endif
  sort(numbers, NUMBERS);
  printf("%u %u\n", numbers[0], numbers[NUMBERS / 2]);
  return 0;
}
