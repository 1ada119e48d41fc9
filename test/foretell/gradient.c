/* Conjugate gradients: an equation on a grid, each point of which is bound to its four neighbours.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { STEPS = 30 };
const long default_size = 400; /* lines, and points in each */
static double *solution, *residue, *direction, *product, *sums;

/* Returns the first point of LINE in VECTOR, which has a border of zeros.  */
static double *at(double *vector, long size, long line) {
  return vector + (line + 1) * (size + 2) + 1;
}

/* Returns the true solution at place I of LINE.  */
static double truth(long line, long i) {
  return (double)(line % 5) - (double)(i % 3);
}

/* Returns the product of the matrix and the vector at a point: five times the point, less its neighbours.  */
static double around(const double *middle, long size, long i) {
  long width = size + 2;
  return 5 * middle[i] - middle[i - 1] - middle[i + 1] - middle[i - width] - middle[i + width];
}

/* Allocates four vectors for a grid of SIZE lines with SIZE points, and a sum for each line.  */
static void make_room(long size) {
  solution = room((size + 2) * (size + 2), sizeof *solution);
  residue = room((size + 2) * (size + 2), sizeof *residue);
  direction = room((size + 2) * (size + 2), sizeof *direction);
  product = room((size + 2) * (size + 2), sizeof *product);
  sums = room(size, sizeof *sums);
}

/* Makes an equation whose solution is known.  Its right side, the product of the matrix and the solution, becomes the
   first residue and direction; then the solution is set to 0.  */
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

/* Stores the product of the matrix and the direction on LINE.  Returns what LINE adds to the scalar product of the
   direction and this product.  */
static double multiply(long size, long line, double unused) {
  double *of = at(direction, size, line), *to = at(product, size, line), sum = 0;
  (void)unused;
  for (long i = 0; i < size; i++) {
    to[i] = around(of, size, i);
    sum += of[i] * to[i];
  }
  return sum;
}

/* Adds FACTOR times the direction to the solution on LINE, and updates the residue.  Returns the sum of its squares
   there.  */
static double advance(long size, long line, double factor) {
  double sum = 0;
  for (long i = 0; i < size; i++) {
    at(solution, size, line)[i] += factor * at(direction, size, line)[i];
    double left = at(residue, size, line)[i] -= factor * at(product, size, line)[i];
    sum += left * left;
  }
  return sum;
}

/* Sets the direction on LINE to the residue plus FACTOR times the direction so far.  Returns 0.  */
static double next_direction(long size, long line, double factor) {
  for (long i = 0; i < size; i++)
    at(direction, size, line)[i] = at(residue, size, line)[i] + factor * at(direction, size, line)[i];
  return 0;
}

/* Returns the sum of the squares of the residue on LINE.  */
static double measure(long size, long line, double unused) {
  double sum = 0;
  (void)unused;
  for (long i = 0; i < size; i++)
    sum += at(residue, size, line)[i] * at(residue, size, line)[i];
  return sum;
}

/* Calls WHAT for each of SIZE lines with FACTOR, each call in a task of its own.  Returns the sum of what they
   return.  */
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

/* Solves the equation by STEPS steps of the method.  */
static void compute(long size) {
  double square = for_lines(measure, size, 0);
  for (int i = 0; i < STEPS; i++) {
    double factor = square / for_lines(multiply, size, 0), before = square;
    square = for_lines(advance, size, factor);
    for_lines(next_direction, size, square / before);
  }
}

/* Returns whether the solution found is the true one, up to rounding.  */
static int is_right(long size) {
  for (long line = 0; line < size; line++)
    for (long i = 0; i < size; i++)
      if (fabs(at(solution, size, line)[i] - truth(line, i)) > 1e-6)
        return 0;
  return 1;
}
