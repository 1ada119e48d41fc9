/* Percentiles of simulated waiting times.
   SPDX-License-Identifier: MIT

   verdict: percentiles-sort | cilk | serial | sort | - |
   colleague: std::sort of all results in main is serial, after the parallel simulation.
   verdict: percentiles-sort-omp | openmp -g | serial | sort | - |
   colleague: std::sort of all results in main is serial, after the parallel simulation.
   verdict: percentiles-qsort | openmp -DQSORT | serial | sort | - |
   colleague: qsort() of all results in main is serial, after the parallel simulation.
   verdict: percentiles-accumulate | cilk -DMOMENTS | serial | moments | moment |
   colleague: The moments are computed by std::accumulate, serially; use a reducer.  */

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 1024)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif

static double simulate(unsigned seed) {
  double wait = 0;
  for (int customer = 0; customer < 8; customer++) {
    seed = seed * 1664525u + 1013904223u;
    wait = std::max(0.0, wait + (seed >> 8) / 16777216.0 - 0.4);
  }
  return wait;
}

#ifdef QSORT
static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}
#endif

#ifdef MOMENTS
/* guilty: moments { */
static double moment(const double *begin, const double *end, double mean, int power) {
  return std::accumulate(begin, end, 0.0, [=](double sum, double x) { return sum + std::pow(x - mean, power); });
}
/* guilty: moments } */
#endif

int main() {
  const int runs = 300000;
  std::unique_ptr<double[]> waits(new double[runs]);
  parallel_for(int run = 0; run < runs; run++) waits[run] = simulate(run * 2654435761u);
#ifdef MOMENTS
  double mean = moment(&waits[0], &waits[runs], 0, 1) / runs;                   /* guilty: moments */
  for (int power = 2; power < 5; power++)                                       /* guilty: moments */
    std::printf("%.6f\n", moment(&waits[0], &waits[runs], mean, power) / runs); /* guilty: moments */
#elif defined QSORT
  qsort(&waits[0], runs, sizeof waits[0], compare); /* guilty: sort */
#else
  std::sort(&waits[0], &waits[runs]); /* guilty: sort */
#endif
  for (int percent = 50; percent < 100; percent += 10)
    std::printf("%d%%: %.6f\n", percent, waits[runs / 100 * percent]);
  return 0;
}
