/* Merge sort of records by a key, as a template.
   SPDX-License-Identifier: MIT

   verdict: mergesort-stl | cilk | serial | merge | merge_halves |
   colleague: std::merge at the end of each level is serial, and the last one goes over all records.
   verdict: mergesort-stl-omp | openmp -g | serial | merge | merge_halves |
   colleague: std::merge at the end of each level is serial, and the last one goes over all records.
   verdict: mergesort-own | cilk -DOWN_MERGE | serial | merge | merge_halves |
   colleague: The serial loop in merge_halves() holds the span.  */

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif

struct record {
  uint32_t key;
  float weight;
  bool operator<(const record &other) const {
    return key < other.key;
  }
};

/* guilty: merge { */
template <typename T> static void merge_halves(T *first, T *middle, T *last, T *out) {
#ifdef OWN_MERGE
  T *left = first, *right = middle;
  while (left < middle && right < last)
    *out++ = *right < *left ? *right++ : *left++;
  while (left < middle)
    *out++ = *left++;
  while (right < last)
    *out++ = *right++;
#else
  std::merge(first, middle, middle, last, out);
#endif
}
/* guilty: merge } */

/* Sorts COUNT records at A; the result is in A or, if AWAY, in OTHER.  */
template <typename T> static void merge_sort(T *a, T *other, long count, bool away) {
  if (count <= 4096) {
    std::sort(a, a + count);
    if (away)
      std::copy(a, a + count, other);
    return;
  }
  long half = count / 2;
#ifdef _OPENMP
#pragma omp task
  merge_sort(a, other, half, !away);
  merge_sort(a + half, other + half, count - half, !away);
#pragma omp taskwait
#else
  cilk_spawn merge_sort(a, other, half, !away);
  merge_sort(a + half, other + half, count - half, !away);
  cilk_sync;
#endif
  if (away)
    merge_halves(a, a + half, a + count, other); /* guilty: merge */
  else
    merge_halves(other, other + half, other + count, a); /* guilty: merge */
}

int main() {
  const long count = 800000;
  std::unique_ptr<record[]> records(new record[count]), other(new record[count]);
#ifdef _OPENMP
#pragma omp parallel for
  for (long i = 0; i < count; i++)
    records[i] = {(uint32_t)i * 2654435761u ^ (uint32_t)i >> 7, 1.0f};
#pragma omp parallel
#pragma omp single
#else
  cilk_for (long i = 0; i < count; i++)
    records[i] = {(uint32_t)i * 2654435761u ^ (uint32_t)i >> 7, 1.0f};
#endif
  merge_sort(records.get(), other.get(), count, false);
  std::printf("%u %u\n", records[0].key, records[count / 2].key);
  return 0;
}
