/* Measured speedups, compared with their bounds.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n A measured speedup is the shortest time on one processor divided by the shortest on P; efficiency is the\n "
    "speedup divided by P.  The bounds are from work / (work / P + 1.7 burdened span) to the smaller of P and the\n "
    "parallelism.  Processor time is the median, over all processors together.  A speedup below the bounds has "
    "causes\n that work and span do not show.\n";

/* Prints a running time of the trials in its column, or a dash if it is unknown.  */
static void print_trial_seconds(FILE *out, double seconds) {
  if (isnan(seconds))
    fprintf(out, " %9s", "-");
  else
    fprintf(out, " %9.4f", seconds);
}

/* Prints the line of the trials on one number of processors: their times, the bounds of the speedup, and how the
   measured one compares.  */
static void print_trial_row(FILE *out, const struct model *model, const struct trial_row *row) {
  fprintf(out, "%10u %5zu", row->processors, row->runs);
  print_trial_seconds(out, row->seconds);
  print_trial_seconds(out, row->median_seconds);
  print_trial_seconds(out, row->median_cpu_seconds);
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  fprintf(out, " %8.2f %8.2f %8.2f %9.0f%%  %s\n", speedup_lower_bound(&limits, row->processors),
          speedup_upper_bound(&limits, row->processors), row->speedup, 100 * row->speedup / row->processors,
          row->busy             ? "busy"
          : row->processors > 1 ? judged_trial_standing_name(judged_trial_standing(model, row))
                                : "-");
}

/* Prints the table of measured speedups beside their bounds, for --trials, and the findings about them unless the
   verdict has these.  */
void print_trials(FILE *out, struct model *model, const struct options *options) {
  const struct trials *trials = &model->trials;
  if (model->totals.span == 0)
    fail(options->trials, "the profile has no span: there are no bounds to compare with");
  print_styled(out, options->color, STYLE_TITLE, "Measured speedup");
  fputs("\n\n"
        "                 ---------- seconds ---------- ---- bounds ----- ----- measured ----\n"
        "processors  runs   minimum    median processor    lower    upper  speedup efficiency  bounds\n",
        out);
  for (size_t i = 0; i < trials->row_count; i++)
    print_trial_row(out, model, &trials->rows[i]);
  if (!options_want(options, JUDGES_TRIALS)) {
    struct verdict verdict = verdict_of_trials(model, options->processors);
    fputs(verdict.count > 0 ? "\n" : "", out);
    for (size_t i = 0; i < verdict.count; i++)
      print_verdict_finding(out, &verdict.findings[i], options);
  }
  if (!options->brief)
    fputs(explanation, out);
}
