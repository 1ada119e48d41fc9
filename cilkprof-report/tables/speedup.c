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

/* Returns the position of VALUE on an axis of the speedup plot that begins at LEAST, from 0 to 1.  Values beyond an end
   are moved there.  */
static double speedup_axis_position(const struct axes *axes, double value, double least) {
  value = fmin(fmax(value, least), axes->most);
  return axes->logarithmic ? log(value / least) / log(axes->most / least) : (value - least) / (axes->most - least);
}

/* Returns the horizontal coordinate of a number of processors in the speedup plot, in units of the SVG.  */
static double speedup_plot_x(const struct axes *axes, double processors) {
  return LEFT + (WIDTH - LEFT - RIGHT) * speedup_axis_position(axes, processors, axes->least_processors);
}

/* Returns the vertical coordinate of a speedup in the speedup plot, in units of the SVG, which grow downwards.  */
static double speedup_plot_y(const struct axes *axes, double speedup) {
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * speedup_axis_position(axes, speedup, axes->least_speedup);
}

/* Returns the axes of a speedup plot for MOST processors, logarithmic ones above MAX_LINEAR.  A logarithmic axis shows
   speedups below one, down to 1 / MOST, as far as the bounds and trials need it.  */
static struct axes make_speedup_axes(const struct speedup_limits *limits, unsigned most, const struct trials *trials) {
  if (most <= MAX_LINEAR)
    return (struct axes){.most = most};
  double least = speedup_lower_bound(limits, 1);
  for (size_t i = 0; i < trials->count; i++)
    if (!trials->trials[i].copy)
      least = fmin(least, trials->trials[i].speedup);
  least = exp2(floor(log2(fmax(least, 1.0 / most))));
  return (struct axes){most, 1, fmin(least, 1), true};
}

/* Returns the distance of ticks on a linear axis of the speedup plot that ends at MOST: 1, 2 or 5 times a power of ten,
   such that there are at most ten steps.  */
static double speedup_linear_step(double most) {
  double step = 1;
  for (int i = 0; most / step > 10; i++)
    step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

/* Returns the distance of ticks on an axis of the speedup plot that begins at LEAST: a difference, or a factor if the
   axis is logarithmic.  */
static double speedup_tick_step(const struct axes *axes, double least) {
  if (!axes->logarithmic)
    return speedup_linear_step(axes->most);
  double step = 2;
  while (log(axes->most / least) / log(step) > 10)
    step *= 2;
  return step;
}

/* Prints the vertical lines of the grid of the speedup plot, with numbers of processors below them.  */
static void print_speedup_grid_columns(FILE *out, const struct axes *axes) {
  double step = speedup_tick_step(axes, axes->least_processors);
  for (double at = axes->least_processors; at <= axes->most; at = axes->logarithmic ? at * step : at + step)
    fprintf(out,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
            "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n",
            speedup_plot_x(axes, at), speedup_plot_x(axes, at), TOP, HEIGHT - BOTTOM, speedup_plot_x(axes, at),
            HEIGHT - BOTTOM + 18, at);
}

/* Prints the horizontal lines of the grid of the speedup plot, with speedups to their left.  */
static void print_speedup_grid_rows(FILE *out, const struct axes *axes) {
  double step = speedup_tick_step(axes, axes->least_speedup);
  for (double at = axes->least_speedup; at <= axes->most; at = axes->logarithmic ? at * step : at + step)
    fprintf(out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.10g</text>\n",
            LEFT, WIDTH - RIGHT, speedup_plot_y(axes, at), speedup_plot_y(axes, at), LEFT - 8,
            speedup_plot_y(axes, at) + 4, at);
}

/* Prints the grid of the speedup plot and the names of its axes.  */
static void print_speedup_grid(FILE *out, const struct axes *axes) {
  const int middle = TOP + (HEIGHT - TOP - BOTTOM) / 2;
  print_speedup_grid_columns(out, axes);
  print_speedup_grid_rows(out, axes);
  fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">processors</text>\n",
          LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
  fprintf(
      out,
      "<text class=\"axis\" x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">speedup</text>\n",
      middle, middle);
}

enum { STEPS = 128 }; /* of curves */

/* Returns the number of processors at STEP of a curve in the speedup plot, from 1 at step 0 to the end of the axis at
   step STEPS.  */
static double speedup_curve_processors(const struct axes *axes, int step) {
  double part = (double)step / STEPS;
  return axes->logarithmic ? pow(axes->most, part) : 1 + (axes->most - 1) * part;
}

/* Prints the points of the lower bound of the speedup, as the data of an SVG path.  */
static void print_speedup_lower_curve(FILE *out, const struct axes *axes, const struct speedup_limits *limits) {
  for (int i = 0; i <= STEPS; i++) {
    double processors = speedup_curve_processors(axes, i);
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", speedup_plot_x(axes, processors),
            speedup_plot_y(axes, speedup_lower_bound(limits, processors)));
  }
}

/* Prints the area of expected speedups, along the lower bound and back along the upper one, and the lower bound as a
   line.  */
static void print_speedup_bounds(FILE *out, const struct axes *axes, const struct speedup_limits *limits) {
  fputs("<path class=\"expected\" d=\"", out);
  print_speedup_lower_curve(out, axes, limits);
  for (int i = STEPS; i >= 0; i--) {
    double processors = speedup_curve_processors(axes, i);
    fprintf(out, "L%.1f %.1f", speedup_plot_x(axes, processors),
            speedup_plot_y(axes, speedup_upper_bound(limits, processors)));
  }
  fputs("Z\"/>\n<path class=\"lower\" d=\"", out);
  print_speedup_lower_curve(out, axes, limits);
  fputs("\"/>\n", out);
}

/* Prints the line of linear speedup and, if it lies in the plot, that of the span law: no speedup exceeds
   PARALLELISM.  */
static void print_speedup_laws(FILE *out, const struct axes *axes, double parallelism) {
  double first = axes->least_processors, width = WIDTH - LEFT - RIGHT, height = HEIGHT - TOP - BOTTOM;
  fprintf(out, "<line class=\"linear\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
          speedup_plot_x(axes, first), speedup_plot_y(axes, first), speedup_plot_x(axes, axes->most),
          speedup_plot_y(axes, axes->most));
  if (parallelism < axes->most)
    fprintf(out,
            "<line class=\"law\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"label law-label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">span law: %.2f</text>\n",
            LEFT, WIDTH - RIGHT, speedup_plot_y(axes, parallelism), speedup_plot_y(axes, parallelism),
            WIDTH - RIGHT - 6, speedup_plot_y(axes, parallelism) - 7, parallelism);
  fprintf(out, "<text class=\"label linear-label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">linear</text>\n",
          LEFT + 0.93 * width, TOP + 0.045 * height);
}

/* Prints a point of the speedup plot for the measured speedup of TRIAL.  */
static void print_speedup_trial(FILE *out, const struct axes *axes, const struct trial *trial) {
  fprintf(out,
          "<circle class=\"trial\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>measured: %.2f on %u "
          "processors</title></circle>\n",
          speedup_plot_x(axes, trial->processors), speedup_plot_y(axes, trial->speedup), trial->speedup,
          trial->processors);
}

/* Prints the curve of emulated speedups under a schedule, and its name with LABEL at the end unless LABEL is NULL.
   KIND is a further class of the curve.  */
static void print_speedup_schedule(FILE *out, const struct axes *axes, const struct forecasts *forecasts,
                                   size_t schedule, const char *kind, const char *label) {
  const char *begin = "M", *name = forecasts->schedules[schedule].name;
  double x = 0, y = 0, last = 0;
  fprintf(out, "<path class=\"emulated%s\" d=\"", kind);
  for (size_t p = 0; p < forecasts->processor_count; p++) {
    double speedup = forecast_speedup(forecasts, forecast_at(forecasts, schedule, p));
    if (speedup <= 0 || forecasts->processors[p] > axes->most)
      continue;
    x = speedup_plot_x(axes, forecasts->processors[p]);
    y = speedup_plot_y(axes, speedup);
    last = speedup;
    fprintf(out, "%s%.1f %.1f", begin, x, y);
    begin = "L";
  }
  fprintf(out, "\"><title>emulated: %s%s, %.2f</title></path>\n", name, label != NULL ? label : "", last);
  if (label != NULL && last > 0)
    fprintf(out, "<text class=\"label emulated-label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s%s: %.2f</text>\n",
            x - 8, y - 8, name, label, last);
}

/* Prints curves of emulated speedups for all schedules, if the profile has a tree; greedy among them is an upper bound.
   The best one is printed again with contention for memory, if that is known.  */
static void print_speedup_emulated(FILE *out, const struct axes *axes, const struct model *model,
                                   const struct options *options) {
  if (model->tree.node_count == 0)
    return;
  struct forecasts forecasts = forecasts_of_analysed_model(model, options, NULL);
  size_t best = best_forecast_schedule(&forecasts, forecasts.processor_count - 1);
  for (size_t s = 0; s < forecasts.schedule_count; s++)
    print_speedup_schedule(out, axes, &forecasts, s, s == best ? " best" : "", s == best ? "" : NULL);
  if (forecasts.burdened == NULL)
    return;
  struct forecasts with = forecasts_with_memory(&forecasts);
  print_speedup_schedule(out, axes, &with, best, " memory", ", with memory");
}

/* Returns the limits of the speedup that the plot shows: those of the program, or of its tree if it was only
   annotated.  */
struct speedup_limits speedup_plot_limits(const struct model *model) {
  if (model->totals.span > 0 || model->tree.node_count == 0)
    return speedup_bounds_of_model(model);
  const struct tree_node *root = emulated_tree_root(make_emulated_tree(&model->tree, "the tree"));
  return speedup_bounds_of_totals(&(struct cilkprof_totals){
      .work = (uint64_t)root->work, .span = (uint64_t)root->span, .burdened_span = (uint64_t)root->span});
}

unsigned speedup_plot_processors(const struct model *model, const struct options *options) {
  enum { EMULATED = 64 };
  unsigned most = model_trials_plot_processors(&model->trials, options->processors);
  return model->tree.node_count > 0 && options->processor_count == 0 && most < EMULATED ? EMULATED : most;
}

void print_speedup_plot(FILE *out, const struct model *model, unsigned most, const struct options *options) {
  const struct trials *trials = &model->trials;
  const struct speedup_limits of = speedup_plot_limits(model), *limits = &of;
  struct axes axes = make_speedup_axes(limits, most, trials);
  print_speedup_grid(out, &axes);
  print_speedup_bounds(out, &axes, limits);
  print_speedup_laws(out, &axes, (double)limits->totals.work / (double)limits->totals.span);
  double label_begin =
      speedup_curve_processors(&axes, STEPS * 3 / 4); /* a label below the bound here is below the rest too */
  fprintf(out, "<text class=\"label lower-label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">lower bound</text>\n",
          WIDTH - RIGHT - 6,
          fmin(speedup_plot_y(&axes, speedup_lower_bound(limits, label_begin)) + 18, HEIGHT - BOTTOM - 6));
  print_speedup_emulated(out, &axes, model, options);
  for (size_t i = 0; i < trials->count; i++)
    if (!trials->trials[i].copy)
      print_speedup_trial(out, &axes, &trials->trials[i]);
}
