/* A fast Fourier transform, recursive: even and odd places, and what they are together.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { SERIAL = 1 << 11 }; /* shorter ones are not divided among tasks */
const long default_size = 1 << 18;
static double complex *input, *output, *roots;
static const long waves[2] = {3, 17};

/* Allocates the input, the output and the roots of unity, for SIZE places, a power of two, and computes the roots.  */
static void make_room(long size) {
  input = room(size, sizeof *input);
  output = room(size, sizeof *output);
  roots = room(size, sizeof *roots);
  for (long i = 0; i < size; i++)
    roots[i] = cexp(-2 * pi * I * (double)i / (double)size);
}

/* Sets the input to the sum of two waves, of which the second is twice as high.  */
static void make_input(long size) {
  for (long i = 0; i < size; i++)
    input[i] = conj(roots[waves[0] * i % size]) + 2 * conj(roots[waves[1] * i % size]);
}

/* Combines the transforms of the even and of the odd places, COUNT numbers each, which lie one after the other at HALF,
   to that of all, in their place.  The roots of unity that it needs are STRIDE apart.  */
static void combine(double complex *half, long count, long stride) {
  for (long i = 0; i < count; i++) {
    double complex even = half[i], odd = half[count + i] * roots[i * stride];
    half[i] = even + odd;
    half[count + i] = even - odd;
  }
}

/* Puts the transform of COUNT places, which lie STRIDE apart from FROM on, into TO.  */
static void transform(const double complex *from, double complex *to, long count, long stride) {
  long half = count / 2;
  if (count == 1) {
    *to = *from;
    return;
  }
  if (count <= SERIAL) {
    transform(from, to, half, 2 * stride);
    transform(from + stride, to + half, half, 2 * stride);
  } else {
    PAR_SEC_BEGIN("halves");
    PAR_TASK_BEGIN("even");
    SPAWN transform(from, to, half, 2 * stride);
    PAR_TASK_END();
    PAR_TASK_BEGIN("odd");
    transform(from + stride, to + half, half, 2 * stride);
    PAR_TASK_END();
    SYNC;
    PAR_SEC_END(0);
  }
  combine(to, half, stride);
}

/* Transforms the input of SIZE places into the output.  */
static void compute(long size) {
  transform(input, output, size, 1);
}

/* Returns whether the output has the two waves of the input at their heights, and nothing else.  */
static int is_right(long size) {
  for (long i = 0; i < size; i++) {
    double wanted = i == waves[0] ? 1 : i == waves[1] ? 2 : 0;
    if (cabs(output[i] / (double)size - wanted) > 1e-9)
      return 0;
  }
  return 1;
}
