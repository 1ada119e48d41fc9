/* The speedup plot as text, for terminals.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/speedup.h"

enum { COLUMNS = 60, ROWS = 16 };

/* The characters of the plot, and its scales: PROCESSORS at the right edge and SPEEDUP at the top.  */
struct text_plot {
  char cells[ROWS][COLUMNS + 1];
  unsigned processors;
  double speedup;
  bool logarithmic; /* both scales, because there are many processors */
};

/* Returns where VALUE is between 1 and MOST on the scale of PLOT, as a fraction from 0 to 1.  */
static double text_plot_part(const struct text_plot *plot, double value, double most) {
  if (most <= 1)
    return 0;
  return plot->logarithmic ? log(fmax(value, 1)) / log(most) : (value - 1) / (most - 1);
}

/* Returns the row of SPEEDUP, the top one if it is larger.  */
static unsigned text_plot_row(const struct text_plot *plot, double speedup) {
  double part = fmin(fmax(text_plot_part(plot, speedup, plot->speedup), 0), 1);
  return ROWS - 1 - (unsigned)lround(part * (ROWS - 1));
}

/* Returns the number of processors of COLUMN.  */
static double text_plot_processors(const struct text_plot *plot, unsigned column) {
  double part = (double)column / (COLUMNS - 1);
  return plot->logarithmic ? pow(plot->processors, part) : 1 + part * (plot->processors - 1);
}

/* Draws the range between the bounds of the speedup, and then the measured speedups over it.  */
static void draw_text_plot(struct text_plot *plot, const struct speedup_limits *limits, const struct trials *trials) {
  for (unsigned column = 0; column < COLUMNS; column++) {
    double processors = text_plot_processors(plot, column);
    unsigned low = text_plot_row(plot, speedup_lower_bound(limits, processors));
    unsigned high = text_plot_row(plot, speedup_upper_bound(limits, processors));
    for (unsigned row = high; row <= low; row++)
      plot->cells[row][column] = row == high ? '-' : ':';
  }
  for (size_t i = 0; i < trials->row_count; i++) {
    const struct trial_row *row = &trials->rows[i];
    double part = text_plot_part(plot, row->processors, plot->processors);
    if (part <= 1)
      plot->cells[text_plot_row(plot, row->speedup)][lround(part * (COLUMNS - 1))] = '*';
  }
}

/* Returns the largest speedup that the plot shows: the largest bound, or a measured one above that.  */
static double text_plot_top(const struct speedup_limits *limits, const struct trials *trials, unsigned most) {
  double top = fmax(speedup_upper_bound(limits, most), 2);
  for (size_t i = 0; i < trials->row_count; i++)
    top = fmax(top, trials->rows[i].speedup);
  return top;
}

/* Prints the speedup plot for up to MOST processors as text.  */
void print_plot_text(FILE *out, const struct model *model, unsigned most, const struct options *options) {
  struct speedup_limits limits = speedup_plot_limits(model);
  struct text_plot plot = {
      .processors = most, .speedup = text_plot_top(&limits, &model->trials, most), .logarithmic = most > MAX_LINEAR};
  for (unsigned row = 0; row < ROWS; row++)
    memset(plot.cells[row], ' ', COLUMNS);
  draw_text_plot(&plot, &limits, &model->trials);
  print_styled(out, options->color, STYLE_TITLE, "Speedup on 1 to %u processors", most);
  fputs("\n\n", out);
  for (unsigned row = 0; row < ROWS; row++) {
    double part = 1 - (double)row / (ROWS - 1);
    double speedup = plot.logarithmic ? pow(plot.speedup, part) : 1 + part * (plot.speedup - 1);
    size_t length = COLUMNS;
    while (length > 0 && plot.cells[row][length - 1] == ' ')
      length--;
    fprintf(out, "%8.2f |%.*s\n", speedup, (int)length, plot.cells[row]);
  }
  fprintf(out, "%8s +", "");
  for (unsigned column = 0; column < COLUMNS; column++)
    putc('-', out);
  fprintf(out, "\n%8s  1%*u\n\n", "", COLUMNS - 1, most);
  fprintf(out, "  - upper bound   : between the bounds%s\n", model->trials.row_count > 0 ? "   * measured" : "");
}
