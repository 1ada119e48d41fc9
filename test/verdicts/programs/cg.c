/* Conjugate gradients for a Laplacian on a grid.
   SPDX-License-Identifier: MIT

   verdict: cg-dot-omp | openmp -DSERIAL_DOT | serial | dot | dot |
   colleague: The dot products are serial loops between parallel loops; dot() is inlined into solve().
   verdict: cg-dot | cilk -g -DSERIAL_DOT | serial | dot | dot |
   colleague: The dot products are serial loops between parallel loops; dot() is inlined into solve().
   verdict: cg-update | cilk -DSERIAL_UPDATE | serial | update | update |
   colleague: The vectors are updated by serial loops in update(), which is inlined.
   verdict: cg-none | openmp | none | - | - |
   colleague: It is well parallelised.  */

#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(static)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef SERIAL_DOT
enum { SIDE = 400, CELLS = SIDE * SIDE, STEPS = 80 };
#else
enum { SIDE = 900, CELLS = SIDE * SIDE, STEPS = 16 };
#endif

static double residual[CELLS], direction[CELLS], image[CELLS], answer[CELLS], partial[SIDE];

static void multiply(const double *x, double *y) {
  parallel_for(int row = 0; row < SIDE; row++) for (int column = 0; column < SIDE; column++) {
    int i = row * SIDE + column;
    double sum = 4 * x[i];
    sum -= row > 0 ? x[i - SIDE] : 0;
    sum -= row < SIDE - 1 ? x[i + SIDE] : 0;
    sum -= column > 0 ? x[i - 1] : 0;
    sum -= column < SIDE - 1 ? x[i + 1] : 0;
    y[i] = sum;
  }
}

#ifdef SERIAL_DOT
/* guilty: dot { */
static inline double dot(const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < CELLS; i++)
    sum += x[i] * y[i];
  return sum;
}
/* guilty: dot } */
#else
static double dot(const double *x, const double *y) {
  parallel_for(int row = 0; row < SIDE; row++) {
    double sum = 0;
    for (int i = row * SIDE; i < (row + 1) * SIDE; i++)
      sum += x[i] * y[i];
    partial[row] = sum;
  }
  double sum = 0;
  for (int row = 0; row < SIDE; row++)
    sum += partial[row];
  return sum;
}
#endif

#ifdef SERIAL_UPDATE
/* guilty: update { */
static inline void update(double *to, const double *from, double by, double keep) {
  for (int i = 0; i < CELLS; i++)
    to[i] = keep * to[i] + by * from[i];
}
/* guilty: update } */
#else
static inline void update(double *to, const double *from, double by, double keep) {
  parallel_for(int row = 0; row < SIDE; row++) for (int i = row * SIDE; i < (row + 1) * SIDE; i++) to[i] =
      keep * to[i] + by * from[i];
}
#endif

static void solve(void) {
  double rho = dot(residual, residual); /* guilty: dot */
  for (int step = 0; step < STEPS && rho > 1e-20; step++) {
    multiply(direction, image);
    double alpha = rho / dot(direction, image); /* guilty: dot */
    update(answer, direction, alpha, 1);        /* guilty: update */
    update(residual, image, -alpha, 1);         /* guilty: update */
    double next = dot(residual, residual);      /* guilty: dot */
    update(direction, residual, 1, next / rho); /* guilty: update */
    rho = next;
  }
}

int main(void) {
  parallel_for(int i = 0; i < CELLS; i++) residual[i] = direction[i] = (i % 97) / 97.0;
  solve();
  printf("%.6f\n", answer[CELLS / 2]);
  return 0;
}
