/* The speedup plot as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/support/support.h"

enum { WIDTH = 640, HEIGHT = 400, LEFT = 48, RIGHT = 24, TOP = 16, BOTTOM = 44 };

/* From processors and speedups to points of the picture.  */
struct axes {
  double most; /* of both */
};

static double x_of(const struct axes *axes, double processors) {
  return LEFT + (WIDTH - LEFT - RIGHT) * processors / axes->most;
}

static double y_of(const struct axes *axes, double speedup) {
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fmin(speedup, axes->most) / axes->most;
}

/* A step of 1, 2 or 5 times a power of ten, so that there are at most ten.  */
static double tick(double most) {
  double step = 1;
  for (int i = 0; most / step > 10; i++)
    step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

static void print_grid(FILE *out, const struct axes *axes) {
  double step = tick(axes->most);
  for (int i = 0; i * step <= axes->most; i++) {
    double at = i * step, x = x_of(axes, at), y = y_of(axes, at);
    fprintf(out,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
            x, x, TOP, HEIGHT - BOTTOM, LEFT, WIDTH - RIGHT, y, y);
    fprintf(out,
            "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>"
            "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
            x, HEIGHT - BOTTOM + 18, at, LEFT - 8, y + 4, at);
  }
  fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">processors</text>\n",
          LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
  fprintf(
      out,
      "<text class=\"axis\" x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">speedup</text>\n",
      TOP + (HEIGHT - TOP - BOTTOM) / 2, TOP + (HEIGHT - TOP - BOTTOM) / 2);
}

enum { STEPS = 128 };

static double processors_at(const struct axes *axes, int step) {
  return 1 + (axes->most - 1) * step / STEPS;
}

/* What can be expected: along the lower bound, and back along the upper one.  */
static void print_bounds(FILE *out, const struct axes *axes, const struct cilkprof_totals *totals) {
  fputs("<path class=\"expected\" d=\"", out);
  for (int i = 0; i <= STEPS; i++) {
    double processors = processors_at(axes, i);
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", x_of(axes, processors),
            y_of(axes, speedup_lower(totals, processors)));
  }
  for (int i = STEPS; i >= 0; i--) {
    double processors = processors_at(axes, i);
    fprintf(out, "L%.1f %.1f", x_of(axes, processors), y_of(axes, speedup_upper(totals, processors)));
  }
  fputs("Z\"/>\n<path class=\"lower\" d=\"", out);
  for (int i = 0; i <= STEPS; i++) {
    double processors = processors_at(axes, i);
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", x_of(axes, processors),
            y_of(axes, speedup_lower(totals, processors)));
  }
  fputs("\"/>\n", out);
}

static void print_laws(FILE *out, const struct axes *axes, double parallelism) {
  fprintf(out, "<line class=\"linear\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x_of(axes, 0),
          y_of(axes, 0), x_of(axes, axes->most), y_of(axes, axes->most));
  if (parallelism < axes->most)
    fprintf(out,
            "<line class=\"law\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"label law-label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">span law: %.2f</text>\n",
            LEFT, WIDTH - RIGHT, y_of(axes, parallelism), y_of(axes, parallelism), WIDTH - RIGHT - 6,
            y_of(axes, parallelism) - 7, parallelism);
  fprintf(out, "<text class=\"label linear-label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">linear</text>\n",
          x_of(axes, axes->most * 0.93), y_of(axes, axes->most * 0.955));
}

void html_print_plot(FILE *out, const struct model *model, unsigned processors, const struct trials *trials) {
  const struct cilkprof_totals *totals = &model->totals;
  struct axes axes = {trials_processors(trials, processors)};
  if (totals->span == 0)
    return;
  fprintf(out,
          "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"plot-title\">"
          "<title id=\"plot-title\">Bounds of the speedup on up to %.0f processors</title>\n",
          WIDTH, HEIGHT, axes.most);
  print_grid(out, &axes);
  print_bounds(out, &axes, totals);
  print_laws(out, &axes, (double)totals->work / (double)totals->span);
  fprintf(out, "<text class=\"label lower-label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">lower bound</text>\n",
          WIDTH - RIGHT - 6, y_of(&axes, speedup_lower(totals, axes.most)) + 20);
  for (size_t i = 0; i < trials->count; i++)
    fprintf(out,
            "<circle class=\"trial\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>measured: %.2f on %u "
            "processors</title></circle>\n",
            x_of(&axes, trials->trials[i].processors), y_of(&axes, trials->trials[i].speedup),
            trials->trials[i].speedup, trials->trials[i].processors);
  fputs("</svg>", out);
}
