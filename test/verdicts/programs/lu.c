/* LU factorisation without pivoting, and a check of it that is in a library.
   SPDX-License-Identifier: MIT

   verdict: lu-check-static | cilk static=residual.c | serial | check | residual |
   colleague: residual(), in the library, multiplies L and U serially to check the result: that is the whole span.
   verdict: lu-check-shared | openmp shared=residual.c | serial | check | residual |
   colleague: residual(), in the library, multiplies L and U serially to check the result: that is the whole span.
   verdict: lu-check-debug | openmp -g static=residual.c | serial | check | residual |
   colleague: residual(), in the library, multiplies L and U serially to check the result: that is the whole span.  */

#include <stdio.h>
#include <stdlib.h>
#include "residual.h"
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(static)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif

static void fill(double *a, int n) {
  parallel_for(int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] =
      i == j ? n : ((i * 131 + j * 17) % 23) / 23.0;
}

static void factor(double *a, int n) {
  for (int k = 0; k < n; k++) {
    parallel_for(int i = k + 1; i < n; i++) {
      double by = a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= by * a[k * n + j];
    }
  }
}

int main(void) {
  int n = 360;
  double *a = malloc(sizeof *a * (size_t)(n * n)), *lu = malloc(sizeof *lu * (size_t)(n * n));
  if (a == NULL || lu == NULL)
    return 1;
  fill(a, n);
  fill(lu, n);
  factor(lu, n);
  double rest = residual(a, lu, n); /* guilty: check */
  printf("%s\n", rest < 1e-6 ? "factored" : "not factored");
  free(a);
  free(lu);
  return 0;
}
