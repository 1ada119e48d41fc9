/* Blurs a picture: rows in parallel, then columns.
   SPDX-License-Identifier: MIT

   verdict: blur-columns | cilk | serial | columns | blur_columns |
   colleague: The pass over the columns is serial, unlike that over the rows; it is a template, and inlined.
   verdict: blur-columns-omp | openmp | serial | columns | blur_columns |
   colleague: The pass over the columns is serial, unlike that over the rows; it is a template, and inlined.
   verdict: blur-library | openmp -DLIBRARY static=filters.cc | serial | filter | blur_columns_of |
   colleague: The pass over the columns, in the library, is serial, unlike that over the rows.
   verdict: blur-library-shared | cilk -g -DLIBRARY shared=filters.cc | serial | filter | blur_columns_of |
   colleague: The pass over the columns, in the library, is serial, unlike that over the rows.
   verdict: blur-none | openmp -DPARALLEL -DPASSES=60 | none | - | - |
   colleague: It is well parallelised.  */

#include <cstdio>
#include <memory>
#include "filters.h"
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifndef PASSES
#define PASSES 4
#endif

template <typename T> static T window(const T *at, int step) {
  T sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += at[k * step];
  return sum / (2 * RADIUS + 1);
}

template <typename T> static void blur_rows(const T *from, T *to) {
  parallel_for(int y = 0; y < HEIGHT; y++) for (int x = RADIUS; x < WIDTH - RADIUS; x++) to[y * WIDTH + x] =
      window(&from[y * WIDTH + x], 1);
}

#ifdef PARALLEL
template <typename T> static void blur_columns(const T *from, T *to) {
  parallel_for(int y = RADIUS; y < HEIGHT - RADIUS; y++) for (int x = 0; x < WIDTH; x++) to[y * WIDTH + x] =
      window(&from[y * WIDTH + x], WIDTH);
}
#else
/* guilty: columns { */
template <typename T> static inline void blur_columns(const T *from, T *to) {
  for (int x = 0; x < WIDTH; x++)
    for (int y = RADIUS; y < HEIGHT - RADIUS; y++)
      to[y * WIDTH + x] = window(&from[y * WIDTH + x], WIDTH);
}
/* guilty: columns } */
#endif

int main() {
  std::unique_ptr<float[]> picture(new float[WIDTH * HEIGHT]), between(new float[WIDTH * HEIGHT]);
  parallel_for(int y = 0; y < HEIGHT; y++) for (int i = y * WIDTH; i < (y + 1) * WIDTH; i++) picture[i] = between[i] =
      (i * 7919 % 1009) / 1009.0f;
  for (int pass = 0; pass < PASSES; pass++) {
    blur_rows(picture.get(), between.get());
#ifdef LIBRARY
    blur_columns_of(between.get(), picture.get()); /* guilty: filter */
#else
    blur_columns(between.get(), picture.get()); /* guilty: columns */
#endif
  }
  std::printf("%.6f\n", picture[WIDTH * HEIGHT / 2]);
  return 0;
}
