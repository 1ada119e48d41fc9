/* The discrete Fourier transform of complex numbers, recursive with a radix of eight: after Cilk-5.  fft [N]
   SPDX-License-Identifier: MIT  */

#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

enum {
  RADIX = 8,
  SMALL = 32,             /* numbers that are transformed serially */
  COARSENING = 128,       /* columns that are combined, and roots that are computed, serially */
  REORDER_COARSENING = 16 /* columns that are reordered serially */
};

typedef struct {
  double re, im;
} number;

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

/* Operators, which are never calls.  */
#define OPERATOR __attribute__((always_inline)) static inline

OPERATOR number plus(number a, number b) {
  return (number){a.re + b.re, a.im + b.im};
}
OPERATOR number minus(number a, number b) {
  return (number){a.re - b.re, a.im - b.im};
}
OPERATOR number times(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Root k of `count` roots of one.  */
static number root(size_t k, size_t count) {
  double angle = -2 * M_PI * (double)k / (double)count;
  return (number){cos(angle), sin(angle)};
}

static number small_roots[SMALL];

/* The numbers X[0 .. n), in the order of their reversed indices, become their transform; n is at most SMALL.  */
OPERATOR void butterflies(number *X, size_t n) {
  for (size_t half = 1; half < n; half *= 2)
    for (size_t first = 0; first < n; first += 2 * half)
      for (size_t k = first; k < first + half; ++k) {
        number a = X[k], b = times(X[k + half], small_roots[(k - first) * (SMALL / 2 / half)]);
        X[k] = plus(a, b);
        X[k + half] = minus(a, b);
      }
}

/* The next index after i, in the order of reversed indices of n numbers.  */
OPERATOR size_t next_reversed(size_t i, size_t n) {
  size_t bit = n / 2;
  for (; i & bit; bit /= 2)
    i ^= bit;
  return i | bit;
}

/* Out of line so that the profile has a row for it.  */
__attribute__((noinline)) static void transform_small(number *out, const number *in, size_t n) {
  for (size_t i = 0, reversed = 0; i < n; ++i, reversed = next_reversed(reversed, n))
    out[i] = in[reversed];
  butterflies(out, n);
}

/* For the columns first .. last - 1: the r by m numbers `out` become the transposed m by r numbers `in`.  */
CILK_FUNCTION void reorder(number *out, const number *in, size_t r, size_t m, size_t first, size_t last) {
  if (last - first <= REORDER_COARSENING) {
    for (size_t k = first; k < last; ++k)
      for (size_t i = 0; i < r; ++i)
        out[i * m + k] = in[k * r + i];
  } else {
    size_t middle = first + (last - first) / 2;
    cilk_spawn reorder(out, in, r, m, first, middle);
    reorder(out, in, r, m, middle, last);
    cilk_sync;
  }
}

/* Makes one transform of r m numbers of r transforms of m numbers each; r is 2, 4 or 8.  */
CILK_FUNCTION void combine(number *out, const number *in, const number *roots, size_t step, size_t r, size_t m,
                           size_t first, size_t last) {
  if (last - first <= COARSENING) {
    for (size_t k = first; k < last; ++k) {
      number X[RADIX];
      for (size_t i = 0, reversed = 0; i < r; ++i, reversed = next_reversed(reversed, r))
        X[i] = times(in[reversed * m + k], roots[reversed * k * step]);
      butterflies(X, r);
      for (size_t i = 0; i < r; ++i)
        out[i * m + k] = X[i];
    }
  } else {
    size_t middle = first + (last - first) / 2;
    cilk_spawn combine(out, in, roots, step, r, m, first, middle);
    combine(out, in, roots, step, r, m, middle, last);
    cilk_sync;
  }
}

/* out[0 .. n) becomes the transform of in[0 .. n), which is overwritten.  There are step * n roots.  */
CILK_FUNCTION void fft(number *out, number *in, const number *roots, size_t step, size_t n) {
  if (n <= SMALL) {
    transform_small(out, in, n);
    return;
  }
  size_t r = n / SMALL < RADIX ? n / SMALL : RADIX, m = n / r;
  reorder(out, in, r, m, 0, m);
  for (size_t i = 0; i < n; i += m)
    cilk_spawn fft(in + i, out + i, roots, step * r, m);
  cilk_sync;
  combine(out, in, roots, step, r, m, 0, m);
}

CILK_FUNCTION void compute_roots(number *roots, size_t n, size_t first, size_t last) {
  if (last - first <= COARSENING) {
    for (size_t k = first; k < last; ++k)
      roots[k] = root(k, n);
  } else {
    size_t middle = first + (last - first) / 2;
    cilk_spawn compute_roots(roots, n, first, middle);
    compute_roots(roots, n, middle, last);
    cilk_sync;
  }
}

static number next_input(uint64_t *state) {
  uint64_t bits = next_random(state);
  return (number){(double)(int32_t)bits / 0x1p31, (double)(int32_t)(bits >> 32) / 0x1p31};
}

/* Compares the sum of the squares, and some numbers of the transform with the sums that define them.  */
static int is_right(const number *out, const number *roots, size_t n) {
  uint64_t state = RANDOM_SEED;
  double in_squares = 0, out_squares = 0;
  for (size_t i = 0; i < n; ++i) {
    number in = next_input(&state);
    in_squares += in.re * in.re + in.im * in.im;
    out_squares += out[i].re * out[i].re + out[i].im * out[i].im;
  }
  int right = fabs(out_squares / in_squares / (double)n - 1) < 1e-10;
  for (size_t test = 0; test < 2; ++test) {
    size_t k = (test * n / 2 + 3) & (n - 1);
    number sum = {0, 0};
    state = RANDOM_SEED;
    for (size_t i = 0; i < n; ++i)
      sum = plus(sum, times(next_input(&state), roots[i * k & (n - 1)]));
    right &= hypot(sum.re - out[k].re, sum.im - out[k].im) < 1e-12 * (double)n;
  }
  return right;
}

int main(int argc, char *argv[]) {
  long size = argc > 1 ? atol(argv[1]) : 1 << 21;
  size_t n = size > 0 && size <= 1 << 28 && (size & (size - 1)) == 0 ? (size_t)size : 0;
  number *in = n ? malloc(3 * n * sizeof *in) : NULL;
  if (!in) {
    fprintf(stderr, "usage: fft [N], N a power of two that fits into memory\n");
    return 2;
  }
  number *out = in + n, *roots = out + n;
  uint64_t state = RANDOM_SEED;
  for (size_t i = 0; i < n; ++i)
    in[i] = next_input(&state);
  for (size_t i = 0; i < SMALL; ++i)
    small_roots[i] = root(i, SMALL);
  compute_roots(roots, n, 0, n);

  fft(out, in, roots, 1, n);

  int right = is_right(out, roots, n);
  free(in);
  printf("transform of %zu numbers %s\n", n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
