/* Parallel mergesort with a parallel merge; the base cases are a serial quicksort and merge.  cilksort [N]
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

#define COARSENING 2048 /* below it, sorts and merges are serial */

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Quicksort, and insertion sort for what is short.  */
static void serial_sort(long *a, long n) {
  while (n >= 20) {
    long pivot = a[n / 2], l = -1, r = n;
    while (1) {
      while (a[++l] < pivot)
        ;
      while (a[--r] > pivot)
        ;
      if (l >= r)
        break;
      long tmp = a[l];
      a[l] = a[r];
      a[r] = tmp;
    }
    serial_sort(a, l);
    a += l;
    n -= l;
  }
  for (long i = 1, hole; i < n; ++i) {
    long value = a[i];
    for (hole = i; hole > 0 && a[hole - 1] > value; --hole)
      a[hole] = a[hole - 1];
    a[hole] = value;
  }
}

/* Merges a[0 .. n) and b[0 .. m): the longer one is split in the middle, the other one where the middle belongs.  */
CILK_FUNCTION void merge(const long *a, long n, const long *b, long m, long *out) {
  if (n < m) {
    merge(b, m, a, n, out);
  } else if (n < COARSENING) {
    while (n > 0 || m > 0)
      *out++ = m == 0 || (n > 0 && *a <= *b) ? (--n, *a++) : (--m, *b++);
  } else {
    long middle = n / 2, low = 0, high = m;
    while (low < high) {
      long k = (low + high) / 2;
      if (b[k] < a[middle])
        low = k + 1;
      else
        high = k;
    }
    cilk_spawn merge(a, middle, b, low, out);
    merge(a + middle, n - middle, b + low, m - low, out + middle + low);
    cilk_sync;
  }
}

/* Sorts a[0 .. n) with the help of tmp[0 .. n).  */
CILK_FUNCTION void cilksort(long *a, long *tmp, long n) {
  if (n < COARSENING)
    return serial_sort(a, n);
  long q = n / 4;
  cilk_spawn cilksort(a, tmp, q);
  cilk_spawn cilksort(a + q, tmp + q, q);
  cilk_spawn cilksort(a + 2 * q, tmp + 2 * q, q);
  cilksort(a + 3 * q, tmp + 3 * q, n - 3 * q);
  cilk_sync;
  cilk_spawn merge(a, q, a + q, q, tmp);
  merge(a + 2 * q, q, a + 3 * q, n - 3 * q, tmp + 2 * q);
  cilk_sync;
  merge(tmp, 2 * q, tmp + 2 * q, n - 2 * q, a);
}

int main(int argc, char *argv[]) {
  long n = argc > 1 ? atol(argv[1]) : 3000000;
  long *array = n > 0 ? malloc((size_t)n * 2 * sizeof *array) : NULL;
  if (!array) {
    fprintf(stderr, "usage: cilksort [N], N from 1 to what fits into memory\n");
    return 2;
  }
  uint64_t state = RANDOM_SEED, sum = 0;
  for (long i = 0; i < n; ++i)
    sum += (uint64_t)(array[i] = (long)next_random(&state));

  cilksort(array, array + n, n);

  int sorted = 1;
  for (long i = 0; i < n; sum -= (uint64_t)array[i], ++i)
    sorted &= i == 0 || array[i - 1] <= array[i];
  free(array);
  printf("%ld numbers %s\n", n, sorted && sum == 0 ? "sorted" : "not sorted");
  return sorted && sum == 0 ? 0 : 1;
}
