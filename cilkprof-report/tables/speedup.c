/* The speedup plot, as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/tables/speedup.h"

enum { WIDTH = SPEEDUP_WIDTH, HEIGHT = SPEEDUP_HEIGHT, LEFT = 72, RIGHT = 24, TOP = 16, BOTTOM = 44 };

/* The axes, which map processors and speedups to points of the picture.  Logarithmic axes have no zero: they begin with
   one processor and the smallest speedup.  */
struct axes {
  double most; /* end of both axes */
  double least_processors, least_speedup;
  bool logarithmic;
};

/* Returns the position of VALUE on an axis that begins at LEAST, from 0 to 1.  */
static double position_of(const struct axes *axes, double value, double least) {
  value = fmin(fmax(value, least), axes->most);
  return axes->logarithmic ? log(value / least) / log(axes->most / least) : (value - least) / (axes->most - least);
}

static double x_of(const struct axes *axes, double processors) {
  return LEFT + (WIDTH - LEFT - RIGHT) * position_of(axes, processors, axes->least_processors);
}

static double y_of(const struct axes *axes, double speedup) {
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * position_of(axes, speedup, axes->least_speedup);
}

/* Returns the axes for MOST processors.  A logarithmic axis shows speedups below one, down to 1 / MOST.  */
static struct axes axes_of(const struct cilkprof_totals *totals, unsigned most, const struct trials *trials) {
  if (most <= MOST_LINEAR)
    return (struct axes){.most = most};
  double least = speedup_lower(totals, 1);
  for (size_t i = 0; i < trials->count; i++)
    if (!trials->trials[i].copy)
      least = fmin(least, trials->trials[i].speedup);
  least = exp2(floor(log2(fmax(least, 1.0 / most))));
  return (struct axes){most, 1, fmin(least, 1), true};
}

/* Returns a step of 1, 2 or 5 times a power of ten, such that there are at most ten steps.  */
static double linear_step(double most) {
  double step = 1;
  for (int i = 0; most / step > 10; i++)
    step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

/* Returns the distance of ticks: a difference, or a factor on a logarithmic axis.  */
static double tick_step(const struct axes *axes, double least) {
  if (!axes->logarithmic)
    return linear_step(axes->most);
  double step = 2;
  while (log(axes->most / least) / log(step) > 10)
    step *= 2;
  return step;
}

/* Prints vertical lines of the grid, with numbers of processors.  */
static void print_columns(FILE *out, const struct axes *axes) {
  double step = tick_step(axes, axes->least_processors);
  for (double at = axes->least_processors; at <= axes->most; at = axes->logarithmic ? at * step : at + step)
    fprintf(out,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
            "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n",
            x_of(axes, at), x_of(axes, at), TOP, HEIGHT - BOTTOM, x_of(axes, at), HEIGHT - BOTTOM + 18, at);
}

/* Prints horizontal lines of the grid, with speedups.  */
static void print_rows(FILE *out, const struct axes *axes) {
  double step = tick_step(axes, axes->least_speedup);
  for (double at = axes->least_speedup; at <= axes->most; at = axes->logarithmic ? at * step : at + step)
    fprintf(out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.10g</text>\n",
            LEFT, WIDTH - RIGHT, y_of(axes, at), y_of(axes, at), LEFT - 8, y_of(axes, at) + 4, at);
}

static void print_grid(FILE *out, const struct axes *axes) {
  const int middle = TOP + (HEIGHT - TOP - BOTTOM) / 2;
  print_columns(out, axes);
  print_rows(out, axes);
  fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">processors</text>\n",
          LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
  fprintf(
      out,
      "<text class=\"axis\" x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">speedup</text>\n",
      middle, middle);
}

enum { STEPS = 128 }; /* of curves */

/* Returns the number of processors at a step of a curve, from 1 at step 0.  */
static double processors_at(const struct axes *axes, int step) {
  double part = (double)step / STEPS;
  return axes->logarithmic ? pow(axes->most, part) : 1 + (axes->most - 1) * part;
}

/* Prints the points of the lower bound.  */
static void print_lower(FILE *out, const struct axes *axes, const struct cilkprof_totals *totals) {
  for (int i = 0; i <= STEPS; i++) {
    double processors = processors_at(axes, i);
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", x_of(axes, processors),
            y_of(axes, speedup_lower(totals, processors)));
  }
}

/* Prints the area of expected speedups: along the lower bound, and back along the upper one.  */
static void print_bounds(FILE *out, const struct axes *axes, const struct cilkprof_totals *totals) {
  fputs("<path class=\"expected\" d=\"", out);
  print_lower(out, axes, totals);
  for (int i = STEPS; i >= 0; i--) {
    double processors = processors_at(axes, i);
    fprintf(out, "L%.1f %.1f", x_of(axes, processors), y_of(axes, speedup_upper(totals, processors)));
  }
  fputs("Z\"/>\n<path class=\"lower\" d=\"", out);
  print_lower(out, axes, totals);
  fputs("\"/>\n", out);
}

/* Prints the line of linear speedup, and that of the span law.  */
static void print_laws(FILE *out, const struct axes *axes, double parallelism) {
  double first = axes->least_processors, width = WIDTH - LEFT - RIGHT, height = HEIGHT - TOP - BOTTOM;
  fprintf(out, "<line class=\"linear\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x_of(axes, first),
          y_of(axes, first), x_of(axes, axes->most), y_of(axes, axes->most));
  if (parallelism < axes->most)
    fprintf(out,
            "<line class=\"law\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"label law-label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">span law: %.2f</text>\n",
            LEFT, WIDTH - RIGHT, y_of(axes, parallelism), y_of(axes, parallelism), WIDTH - RIGHT - 6,
            y_of(axes, parallelism) - 7, parallelism);
  fprintf(out, "<text class=\"label linear-label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">linear</text>\n",
          LEFT + 0.93 * width, TOP + 0.045 * height);
}

static void print_trial(FILE *out, const struct axes *axes, const struct trial *trial) {
  fprintf(out,
          "<circle class=\"trial\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>measured: %.2f on %u "
          "processors</title></circle>\n",
          x_of(axes, trial->processors), y_of(axes, trial->speedup), trial->speedup, trial->processors);
}

/* Prints a curve for a schedule, and its name with LABEL at the end unless LABEL is NULL.  KIND is a further class.  */
static void print_schedule(FILE *out, const struct axes *axes, const struct forecasts *forecasts, size_t schedule,
                           const char *kind, const char *label) {
  const char *begin = "M", *name = forecasts->schedules[schedule].name;
  double x = 0, y = 0, last = 0;
  fprintf(out, "<path class=\"emulated%s\" d=\"", kind);
  for (size_t p = 0; p < forecasts->processor_count; p++) {
    double speedup = forecast_speedup(forecasts, forecast_at(forecasts, schedule, p));
    if (speedup <= 0 || forecasts->processors[p] > axes->most)
      continue;
    x = x_of(axes, forecasts->processors[p]);
    y = y_of(axes, speedup);
    last = speedup;
    fprintf(out, "%s%.1f %.1f", begin, x, y);
    begin = "L";
  }
  fprintf(out, "\"><title>emulated: %s%s, %.2f</title></path>\n", name, label != NULL ? label : "", last);
  if (label != NULL && last > 0)
    fprintf(out, "<text class=\"label emulated-label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s%s: %.2f</text>\n",
            x - 8, y - 8, name, label, last);
}

/* Prints curves for all schedules, among which greedy serves as an upper bound.  The best one is printed again with
   contention for memory.  */
static void print_emulated(FILE *out, const struct axes *axes, const struct model *model,
                           const struct options *options) {
  if (model->tree.node_count == 0)
    return;
  struct forecasts forecasts = model_forecasts(model, options, NULL);
  size_t best = forecasts_best(&forecasts, forecasts.processor_count - 1);
  for (size_t s = 0; s < forecasts.schedule_count; s++)
    print_schedule(out, axes, &forecasts, s, s == best ? " best" : "", s == best ? "" : NULL);
  if (forecasts.burdened == NULL)
    return;
  struct forecasts with = forecasts_with_memory(&forecasts);
  print_schedule(out, axes, &with, best, " memory", ", with memory");
}

struct cilkprof_totals speedup_totals(const struct model *model) {
  if (model->totals.span > 0 || model->tree.node_count == 0)
    return model->totals;
  const struct tree_node *root = tree_root(tree_of(&model->tree, "the tree"));
  return (struct cilkprof_totals){
      .work = (uint64_t)root->work, .span = (uint64_t)root->span, .burdened_span = (uint64_t)root->span};
}

unsigned speedup_processors(const struct model *model, const struct options *options) {
  enum { EMULATED = 64 };
  unsigned most = trials_processors(&model->trials, options->processors);
  return model->tree.node_count > 0 && options->processor_count == 0 && most < EMULATED ? EMULATED : most;
}

void print_speedup(FILE *out, const struct model *model, unsigned most, const struct options *options) {
  const struct trials *trials = &model->trials;
  const struct cilkprof_totals of = speedup_totals(model), *totals = &of;
  struct axes axes = axes_of(totals, most, trials);
  print_grid(out, &axes);
  print_bounds(out, &axes, totals);
  print_laws(out, &axes, (double)totals->work / (double)totals->span);
  double label_begin = processors_at(&axes, STEPS * 3 / 4); /* a label below the bound here is below the rest too */
  fprintf(out, "<text class=\"label lower-label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">lower bound</text>\n",
          WIDTH - RIGHT - 6, fmin(y_of(&axes, speedup_lower(totals, label_begin)) + 18, HEIGHT - BOTTOM - 6));
  print_emulated(out, &axes, model, options);
  for (size_t i = 0; i < trials->count; i++)
    if (!trials->trials[i].copy)
      print_trial(out, &axes, &trials->trials[i]);
}
