/* Fits Psi and Phi to the measurements of the benchmark.
   SPDX-License-Identifier: GPL-3.0-or-later

   There are few points, and other processes may have disturbed some of them.  So only two forms are fitted, by relative
   errors; contended_memory_traffic corrects values that are not possible.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/support/support.h"

#define CONTENDED        0.9  /* a thread with less than this part of its traffic alone has contention */
#define STEEPEST         -2   /* least exponent of Phi: anything steeper is noise */
#define LEAST_DIFFERENCE 1e-9 /* relative spread of points that determines a slope */

/* Sums for a straight line through weighted points.  */
struct line_fit {
  double weights, x, y, xx, xy;
};

/* Adds the point (X, Y) with this WEIGHT to the sums from which a straight line is fitted to measurements of
   memory.  */
static void add_contention_fit_point(struct line_fit *line, double x, double y, double weight) {
  line->weights += weight;
  line->x += weight * x;
  line->y += weight * y;
  line->xx += weight * x * x;
  line->xy += weight * x * y;
}

/* Returns the slope of the straight line that fits the measurements of memory in LINE, limited to LEAST and MOST.  If
   the points do not determine it, it is DEFAULT_SLOPE.  */
static double contention_fit_slope(const struct line_fit *line, double least, double most, double default_slope) {
  double spread = line->xx * line->weights - line->x * line->x;
  double slope = default_slope;
  if (spread > LEAST_DIFFERENCE * line->xx * line->weights)
    slope = (line->xy * line->weights - line->x * line->y) / spread;
  return fmin(fmax(slope, least), most);
}

/* Returns the value at 0 of the straight line with this SLOPE that fits the measurements of memory in LINE.  */
static double contention_fit_offset(const struct line_fit *line, double slope) {
  return (line->y - slope * line->x) / line->weights;
}

/* Returns the memory traffic of one thread alone at LEVEL; 0: it was not measured.  */
static double uncontended_memory_traffic(const struct memory_point *points, size_t count, unsigned level) {
  for (size_t i = 0; i < count; i++)
    if (points[i].threads == 1 && points[i].level == level)
      return points[i].traffic;
  return 0;
}

/* Returns whether each thread had clearly less memory traffic in the measurement POINT than one thread alone.  */
static bool is_contended_memory_point(const struct memory_point *points, size_t count,
                                      const struct memory_point *point) {
  return point->threads > 1 && point->traffic < CONTENDED * uncontended_memory_traffic(points, count, point->level);
}

/* Stores in CONTENDED the smallest memory traffic of one thread alone at which THREADS have contention; INFINITY: none.
   Returns the next smaller one that was measured, from which on points belong to the curve.  */
static double contention_curve_begin(const struct memory_point *points, size_t count, unsigned threads,
                                     double *contended) {
  double begin = 0;
  *contended = INFINITY;
  for (size_t i = 0; i < count; i++)
    if (points[i].threads == threads && is_contended_memory_point(points, count, &points[i]))
      *contended = fmin(*contended, uncontended_memory_traffic(points, count, points[i].level));
  for (size_t i = 0; i < count; i++) {
    double alone = uncontended_memory_traffic(points, count, points[i].level);
    if (points[i].threads == threads && alone < *contended)
      begin = fmax(begin, alone);
  }
  return begin;
}

/* Fits one form of Psi, linear or LOGARITHMIC, to the memory traffic of THREADS, and computes its squared relative
   ERROR.  */
static struct traffic_fit fit_memory_traffic_form(const struct memory_point *points, size_t count, unsigned threads,
                                                  double begin, bool logarithmic, double *error) {
  struct line_fit line = {0};
  struct traffic_fit fit = {.threads = threads, .logarithmic = logarithmic};
  for (int pass = 0; pass < 2; pass++) {
    *error = 0;
    for (size_t i = 0; i < count; i++) {
      double alone = uncontended_memory_traffic(points, count, points[i].level), total = points[i].traffic * threads;
      double x = logarithmic ? log(alone) : alone;
      if (points[i].threads != threads || alone < begin || !(alone > 0) || !(total > 0))
        continue;
      if (pass == 0)
        add_contention_fit_point(&line, x, total, 1 / (total * total));
      else
        *error += pow((fit.slope * x + fit.offset - total) / total, 2);
    }
    if (pass == 0 && line.weights > 0) {
      fit.slope = contention_fit_slope(&line, 0, INFINITY, 0);
      fit.offset = contention_fit_offset(&line, fit.slope);
    }
  }
  return fit;
}

/* Fits Psi, the memory traffic of THREADS together, in the form with the smaller error.  Without contention it is
   linear.  CONTENDED becomes the traffic at which contention begins.  */
static struct traffic_fit fit_contended_memory_traffic(const struct memory_point *points, size_t count,
                                                       unsigned threads, double *contended) {
  double begin = contention_curve_begin(points, count, threads, contended), linear_error, log_error;
  if (isinf(*contended))
    return (struct traffic_fit){.threads = threads, .slope = threads};
  struct traffic_fit linear = fit_memory_traffic_form(points, count, threads, begin, false, &linear_error);
  struct traffic_fit logarithmic = fit_memory_traffic_form(points, count, threads, begin, true, &log_error);
  return log_error < linear_error ? logarithmic : linear;
}

/* Fits Phi, the wait of a miss as a function of memory traffic.  A miss waits longer if misses are rarer: then fewer of
   them are under way at the same time.  */
static void fit_memory_miss_wait(struct memory_machine *machine, const struct memory_point *points, size_t count) {
  struct line_fit line = {0};
  for (size_t i = 0; i < count; i++)
    if (points[i].traffic > 0 && points[i].wait > 0)
      add_contention_fit_point(&line, log(points[i].traffic), log(points[i].wait), 1);
  if (line.weights == 0)
    return;
  machine->exponent = contention_fit_slope(&line, STEEPEST, 0, -1);
  machine->wait = exp(contention_fit_offset(&line, machine->exponent));
}

/* Fits the model of contention for memory (Phi and Psi) to measurements, which are sorted by threads.  LINE is the
   number of bytes that a miss transfers.  */
struct memory_machine fit_memory_contention(const struct memory_point *points, size_t count, double line) {
  struct memory_machine machine = {.line = line, .least = INFINITY};
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned threads = points[i].threads;
    bool known = threads <= 1;
    most = threads == 1 ? fmax(most, points[i].traffic) : most;
    for (size_t j = 0; j < machine.fit_count; j++)
      known |= machine.fits[j].threads >= threads; /* points are sorted by threads */
    if (known || machine.fit_count == MAX_FITS)
      continue;
    double contended;
    machine.fits[machine.fit_count++] = fit_contended_memory_traffic(points, count, threads, &contended);
    machine.least = fmin(machine.least, contended);
  }
  machine.least = fmin(machine.least, most);
  fit_memory_miss_wait(&machine, points, count);
  return machine;
}
