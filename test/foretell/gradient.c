/* Conjugate gradients: an equation on a grid, each point of which is bound to its four neighbours.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { STEPS = 30 };
const long default_size = 400; /* lines, and points in each */
static double *solution, *residue, *direction, *product, *sums;

/* The vectors have a border of zeros.  */
static double *at(double *vector, long size, long line) {
  return vector + (line + 1) * (size + 2) + 1;
}

static double truth(long line, long i) {
  return (double)(line % 5) - (double)(i % 3);
}

/* The matrix at a place: 5 of it, less its neighbours.  */
static double around(const double *middle, long size, long i) {
  long width = size + 2;
  return 5 * middle[i] - middle[i - 1] - middle[i + 1] - middle[i - width] - middle[i + width];
}

static void make_room(long size) {
  solution = room((size + 2) * (size + 2), sizeof *solution);
  residue = room((size + 2) * (size + 2), sizeof *residue);
  direction = room((size + 2) * (size + 2), sizeof *direction);
  product = room((size + 2) * (size + 2), sizeof *product);
  sums = room(size, sizeof *sums);
}

static void make_input(long size) {
  for (long line = 0; line < size; line++)
    for (long i = 0; i < size; i++)
      at(solution, size, line)[i] = truth(line, i);
  for (long line = 0; line < size; line++)
    for (long i = 0; i < size; i++)
      at(residue, size, line)[i] = at(direction, size, line)[i] = around(at(solution, size, line), size, i);
  for (long line = 0; line < size; line++)
    for (long i = 0; i < size; i++)
      at(solution, size, line)[i] = 0;
}

/* Each returns a sum over its line.  */
static double multiply(long size, long line, double unused) {
  double *of = at(direction, size, line), *to = at(product, size, line), sum = 0;
  (void)unused;
  for (long i = 0; i < size; i++) {
    to[i] = around(of, size, i);
    sum += of[i] * to[i];
  }
  return sum;
}

static double advance(long size, long line, double factor) {
  double sum = 0;
  for (long i = 0; i < size; i++) {
    at(solution, size, line)[i] += factor * at(direction, size, line)[i];
    double left = at(residue, size, line)[i] -= factor * at(product, size, line)[i];
    sum += left * left;
  }
  return sum;
}

static double turn(long size, long line, double factor) {
  for (long i = 0; i < size; i++)
    at(direction, size, line)[i] = at(residue, size, line)[i] + factor * at(direction, size, line)[i];
  return 0;
}

static double measure(long size, long line, double unused) {
  double sum = 0;
  (void)unused;
  for (long i = 0; i < size; i++)
    sum += at(residue, size, line)[i] * at(residue, size, line)[i];
  return sum;
}

static double for_lines(double (*what)(long, long, double), long size, double factor) {
  PAR_SEC_BEGIN("lines");
  OPENMP(omp parallel for schedule(runtime))
  for (long line = 0; line < size; line++) {
    PAR_TASK_BEGIN("line");
    sums[line] = what(size, line, factor);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  double sum = 0;
  for (long line = 0; line < size; line++)
    sum += sums[line];
  return sum;
}

static void compute(long size) {
  double square = for_lines(measure, size, 0);
  for (int i = 0; i < STEPS; i++) {
    double factor = square / for_lines(multiply, size, 0), before = square;
    square = for_lines(advance, size, factor);
    for_lines(turn, size, square / before);
  }
}

static int is_right(long size) {
  for (long line = 0; line < size; line++)
    for (long i = 0; i < size; i++)
      if (fabs(at(solution, size, line)[i] - truth(line, i)) > 1e-6)
        return 0;
  return 1;
}
