/* The area of the Mandelbrot set: rows of very unequal length.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { TURNS = 500 };
const long default_size = 400;
static long *inside; /* by row */

/* Allocates a count for each of SIZE rows.  */
static void make_room(long size) {
  inside = room(size, sizeof *inside);
}

/* Does nothing: the input is the coordinates of the points.  */
static void make_input(long size) {}

/* Returns whether the orbit of the point (X, Y) stays near 0 for TURNS turns: then the point counts as in the set.  */
static int stays(double x, double y) {
  double a = 0, b = 0;
  for (int i = 0; i < TURNS; i++) {
    double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
    if (a * a + b * b > 4)
      return 0;
  }
  return 1;
}

/* Returns how many points of row I of SIZE are in the set, from -2 to 0.5 and from -1.25 to 1.25.  Not inlined, so that
   it is the same code if the loop is parallel.  */
static __attribute__((noinline)) long row(long size, long i) {
  long count = 0;
  for (long j = 0; j < size; j++)
    count += stays(-2 + 2.5 * ((double)j + 0.5) / (double)size, 1.25 * ((double)(2 * i + 1 - size) / (double)size));
  return count;
}

/* Counts the points of the set in each of SIZE rows; each row is a task.  */
static void compute(long size) {
  PAR_SEC_BEGIN("rows");
  OPENMP(omp parallel for schedule(runtime))
  for (long i = 0; i < size; i++) {
    PAR_TASK_BEGIN("row");
    inside[i] = row(size, i);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
}

/* Returns whether the lower half mirrors the upper one, and the area is about 1.5066.  */
static int is_right(long size) {
  long sum = 0;
  for (long i = 0; i < size; i++) {
    sum += inside[i];
    if (inside[i] != inside[size - 1 - i])
      return 0;
  }
  return fabs((double)sum * 6.25 / (double)(size * size) - 1.5066) < 4.0 / (double)size;
}
