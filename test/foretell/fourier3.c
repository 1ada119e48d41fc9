/* A Fourier transform in three dimensions: all lines along one axis, then along the next.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { MOST = 1 << 10 };
const long default_size = 64; /* of each side; a power of two */
static double complex *cube, *roots;
static const long wave[3] = {1, 5, 2};

/* Allocates a cube with sides of SIZE and the roots of unity, and computes the roots.  Exits with status 2 unless SIZE
   is a power of two that is not too large.  */
static void make_room(long size) {
  if (size > MOST || (size & (size - 1)) != 0)
    exit(2);
  cube = room(size * size * size, sizeof *cube);
  roots = room(size, sizeof *roots);
  for (long i = 0; i < size; i++)
    roots[i] = cexp(-2 * pi * I * (double)i / (double)size);
}

/* Fills the cube with a single wave.  */
static void make_input(long size) {
  for (long x = 0; x < size; x++)
    for (long y = 0; y < size; y++)
      for (long z = 0; z < size; z++)
        cube[(x * size + y) * size + z] = conj(roots[(wave[0] * x + wave[1] * y + wave[2] * z) % size]);
}

/* Puts the SIZE places of LINE into the order of their reversed bits.  */
static void reverse(double complex *line, long size) {
  for (long i = 1, j = 0; i < size; i++) {
    long bit = size / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      double complex kept = line[i];
      line[i] = line[j];
      line[j] = kept;
    }
  }
}

/* Replaces LINE, of SIZE places, by its Fourier transform.  */
static void transform(double complex *line, long size) {
  reverse(line, size);
  for (long half = 1; half < size; half *= 2)
    for (long block = 0; block < size; block += 2 * half)
      for (long i = 0; i < half; i++) {
        double complex even = line[block + i], odd = line[block + half + i] * roots[i * (size / (2 * half))];
        line[block + i] = even + odd;
        line[block + half + i] = even - odd;
      }
}

/* Transforms the SIZE lines of the plane that begins at FIRST.  Lines are BETWEEN apart, and places in a line STRIDE,
   so a line is copied to where its places are adjacent, and back.  */
static void plane(double complex *first, long size, long between, long stride) {
  double complex line[MOST];
  for (long l = 0; l < size; l++) {
    for (long i = 0; i < size; i++)
      line[i] = first[l * between + i * stride];
    transform(line, size);
    for (long i = 0; i < size; i++)
      first[l * between + i * stride] = line[i];
  }
}

/* Transforms all lines of the cube along each axis in turn; a task has the lines of one plane.  */
static void compute(long size) {
  const long strides[3] = {1, size, size * size};
  for (int axis = 0; axis < 3; axis++) {
    long across = strides[axis == 2 ? 1 : 2], between = strides[axis == 0 ? 1 : 0];
    PAR_SEC_BEGIN("planes");
    OPENMP(omp parallel for schedule(runtime))
    for (long i = 0; i < size; i++) {
      PAR_TASK_BEGIN("plane");
      plane(cube + i * across, size, between, strides[axis]);
      PAR_TASK_END();
    }
    PAR_SEC_END(0);
  }
}

/* Returns whether the transform is 0 everywhere but at the wave of the input.  */
static int is_right(long size) {
  long all = size * size * size, there = (wave[0] * size + wave[1]) * size + wave[2];
  for (long i = 0; i < all; i++)
    if (cabs(cube[i] / (double)all - (i == there)) > 1e-9)
      return 0;
  return 1;
}
