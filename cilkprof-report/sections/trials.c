/* Measured speedups, compared with their bounds.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/layout.h"

static const char explanation[] =
    "\n A measured speedup is the shortest time on one processor divided by the shortest on P; efficiency is the "
    "speedup "
    "divided by P.  The bounds are from work / (work / P + 1.7 burdened span) to the smaller of P and the parallelism. "
    " "
    "Processor time is the median, over all processors together.  A speedup below the bounds has causes that work and "
    "span do not show.\n";

enum { PROCESSORS, RUNS, MINIMUM, MEDIAN, PROCESSOR_TIME, LOWER, UPPER, SPEEDUP, EFFICIENCY, STANDING, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [PROCESSORS] = {NULL, "processors", 10, 0},
    [RUNS] = {NULL, "runs", 5, 1},
    [MINIMUM] = {"seconds", "minimum", 9, 0},
    [MEDIAN] = {"seconds", "median", 9, 2},
    [PROCESSOR_TIME] = {"seconds", "processor", 9, 3},
    [LOWER] = {"bounds", "lower", 8, 0},
    [UPPER] = {"bounds", "upper", 8, 0},
    [SPEEDUP] = {"measured", "speedup", 8, 0},
    [EFFICIENCY] = {"measured", "efficiency", 10, 0},
    [STANDING] = {NULL, "bounds", -1, 0},
};
enum { LEAST_ROOM = 6 };

/* Adds a running time of the trials to the line, as the cell of column PLACE, or a dash if it is unknown.  */
static void print_trial_seconds(const struct layout *layout, struct line *line, size_t place, double seconds) {
  struct buffer text = {NULL, 0};
  layout_string_cell(layout, line, place, isnan(seconds) ? "-" : buffer_print(&text, "%.4f", seconds));
  free(text.text);
}

/* Prints the line of the trials on one number of processors: their times, the bounds of the speedup, and how the
   measured one compares.  */
static void print_trial_row(FILE *out, const struct layout *layout, const struct model *model,
                            const struct trial_row *row) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  struct line line = {.out = out};
  struct buffer text = {NULL, 0};
  layout_integer_cell(layout, &line, PROCESSORS, row->processors);
  layout_integer_cell(layout, &line, RUNS, row->runs);
  print_trial_seconds(layout, &line, MINIMUM, row->seconds);
  print_trial_seconds(layout, &line, MEDIAN, row->median_seconds);
  print_trial_seconds(layout, &line, PROCESSOR_TIME, row->median_cpu_seconds);
  layout_fixed_cell(layout, &line, LOWER, speedup_lower_bound(&limits, row->processors));
  layout_fixed_cell(layout, &line, UPPER, speedup_upper_bound(&limits, row->processors));
  layout_fixed_cell(layout, &line, SPEEDUP, row->speedup);
  layout_string_cell(layout, &line, EFFICIENCY, buffer_print(&text, "%.0f%%", 100 * row->speedup / row->processors));
  layout_name_cell(layout, &line,
                   row->busy             ? "busy"
                   : row->processors > 1 ? judged_trial_standing_name(judged_trial_standing(model, row))
                                         : "-");
  line_flush(&line);
  free(text.text);
}

/* Prints the table of measured speedups beside their bounds, for --trials, and the findings about them unless the
   verdict has these.  */
void print_trials(FILE *out, struct model *model, const struct options *options) {
  const struct trials *trials = &model->trials;
  if (model->totals.span == 0)
    fail(options->trials, "the profile has no span: there are no bounds to compare with");
  const struct layout layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  print_styled(out, options->color, STYLE_TITLE, "Measured speedup");
  fputs("\n\n", out);
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < trials->row_count; i++)
    print_trial_row(out, &layout, model, &trials->rows[i]);
  if (!options_want(options, JUDGES_TRIALS)) {
    struct verdict verdict = verdict_of_trials(model, options->processors);
    fputs(verdict.count > 0 ? "\n" : "", out);
    for (size_t i = 0; i < verdict.count; i++)
      print_verdict_finding(out, &verdict.findings[i], options);
  }
  if (!options->brief)
    print_prose(out, explanation, options->terminal_width);
}
