/* The fast Fourier transform, with a permutation by reversed bits first.
   SPDX-License-Identifier: MIT

   verdict: fft-reversal | cilk | serial | reversal | reverse_bits |
   colleague: The permutation by reversed bits is a serial loop, inlined into main, before the parallel passes.
   verdict: fft-reversal-omp | openmp -g | serial | reversal | reverse_bits |
   colleague: The permutation by reversed bits is a serial loop, inlined into main, before the parallel passes.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { BITS = 18, LENGTH = 1 << BITS, BLOCK = 1 << 12 };

struct number {
  double re, im;
};
static struct number data[LENGTH], roots[LENGTH / 2];

/* guilty: reversal { */
static void reverse_bits(struct number *a) {
  for (unsigned i = 0; i < LENGTH; i++) {
    unsigned reversed = 0;
    for (int bit = 0; bit < BITS; bit++)
      reversed |= (i >> bit & 1) << (BITS - 1 - bit);
    if (reversed > i) {
      struct number kept = a[i];
      a[i] = a[reversed];
      a[reversed] = kept;
    }
  }
}
/* guilty: reversal } */

/* Combines pairs at a distance of HALF, those with numbers from FIRST on.  */
static void combine(int first, int half) {
  for (int pair = first; pair < first + BLOCK / 2; pair++) {
    int low = pair / half * 2 * half + pair % half, high = low + half;
    struct number root = roots[pair % half * (LENGTH / 2 / half)], a = data[low], b = data[high];
    struct number turned = {b.re * root.re - b.im * root.im, b.re * root.im + b.im * root.re};
    data[low] = (struct number){a.re + turned.re, a.im + turned.im};
    data[high] = (struct number){a.re - turned.re, a.im - turned.im};
  }
}

int main(void) {
  parallel_for(int i = 0; i < LENGTH; i++) data[i] = (struct number){(i % 100) * 0.01, 0};
  parallel_for(int i = 0; i < LENGTH / 2; i++) roots[i] =
      (struct number){cos(2 * M_PI * i / LENGTH), -sin(2 * M_PI * i / LENGTH)};
  reverse_bits(data); /* guilty: reversal */
  for (int half = 1; half < LENGTH; half *= 2) {
    parallel_for(int first = 0; first < LENGTH / 2; first += BLOCK / 2) combine(first, half);
  }
  printf("%.4f %.4f\n", data[1].re, data[LENGTH / 100].im);
  return 0;
}
