/* The causes of a slow parallel run, from the samples of each function, its work and span, and its samples with one
   worker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/causes.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/layout.h"

static const char explanation[] =
    "\n % span     \thow much of the span the function's own code takes, in the profile of work and span,\n parallel   "
    "\tand its parallelism: how many processors could work on it on average.\n % of effort\tof the samples: its own "
    "costs, with inlined and library code, as shares of the total effort.\n times      \tits work in the parallel run, "
    "relative to one worker.\n cause      \tof most of its waste, if that is a tenth of its effort.  parallelism: "
    "processors are idle, because too few can work on it.  grain: overhead, or idle processors although more could "
    "work on it.  inflation: it takes more processor time on several processors than on one.  lock: contention.\n";

enum { SPAN, PARALLEL, WORK, IDLENESS, OVERHEAD, WAITING, TIMES, CAUSE, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SPAN] = {"work and span", "% span", 6, 0},
    [PARALLEL] = {"work and span", "parallel", 8, 2},
    [WORK] = {"% of the effort", "work", 6, 3},
    [IDLENESS] = {"% of the effort", "idle", 6, 0},
    [OVERHEAD] = {"% of the effort", "over", 6, 0},
    [WAITING] = {"% of the effort", "wait", 6, 0},
    [TIMES] = {NULL, "times", 5, 0},
    [CAUSE] = {NULL, "cause", -11, 0},
    [NAME] = {NULL, "function or loop", -1, 0},
};
enum { LEAST_ROOM = 20 };

/* Adds RATIO to the line as the cell of a column in the table of causes, or a dash if it is 0, which means unknown.  */
static void print_cause_ratio(const struct layout *layout, struct line *line, size_t column, double ratio) {
  char text[NUMBER_ROOM];
  text[ratio > 0 ? format_fixed(text, ratio < 100 ? 2 : 0, ratio) : 0] = 0;
  layout_string_cell(layout, line, column, ratio > 0 ? text : "-");
}

/* Prints the line of a function in the table of causes: its span and waste, and why it was slow.  */
static void print_cause_row(FILE *out, const struct layout *layout, const struct model *model,
                            const struct cause_row *row) {
  struct line line = {.out = out};
  uint64_t effort = sample_waste_effort(&model->samples->total);
  const struct function *measured = row->measured;
  if (measured != NULL)
    layout_fixed_cell(layout, &line, SPAN, model_percent_of_whole(measured->self_on_span, model->totals.span));
  else
    layout_string_cell(layout, &line, SPAN, "-");
  print_cause_ratio(layout, &line, PARALLEL, measured != NULL ? cause_own_parallelism(measured) : 0);
  for (enum waste_kind kind = 0; kind < WASTE_KINDS; kind++)
    layout_fixed_cell(layout, &line, WORK + kind, model_percent_of_whole(row->own.of[kind], effort));
  print_cause_ratio(layout, &line, TIMES, cause_row_inflation(row));
  layout_string_cell(layout, &line, CAUSE, cause_name(row->cause));
  layout_name_cell(layout, &line, row->name);
  line_flush(&line);
}

/* Returns whether the table of causes hides ROW: its share of the span, if that is known, and its share of the effort
   are small.  */
static bool is_cause_row_hidden(const struct model *model, const struct cause_row *row) {
  double span = row->measured != NULL ? model_percent_of_whole(row->measured->self_on_span, model->totals.span) : 0;
  double effort = model_percent_of_whole(sample_waste_effort(&row->own), sample_waste_effort(&model->samples->total));
  return span < LEAST_WASTE_SHARE && effort < LEAST_WASTE_SHARE;
}

/* Prints where the times with one worker, with which the parallel run is compared, come from.  */
static void print_cause_reference(FILE *out, const struct causes *causes, unsigned width) {
  static const char *const texts[] = {
      [REFERENCE_NONE] = "Work inflation is unknown without a run on one worker: add samples of one (cilkprof waste -j "
                         "1 -o one.samples).",
      [REFERENCE_OTHER] = "The 1-worker run had another input: its arguments or its work differ.  Times are not "
                          "compared; run both with the same input.",
      [REFERENCE_PROFILE] = "The work of one worker is taken from the profile of work and span, which is approximate; "
                            "for better numbers add samples of one worker.",
      [REFERENCE_SAMPLES] = "The work of one worker is taken from its samples.",
  };
  fputs("  ", out);
  print_prose_field(out, texts[causes->reference], 2, width);
}

/* Prints why the parallel run was slow, function by function, as part of the waste section.  The profiles must have
   samples as well as work and span.  */
void print_waste_causes(FILE *out, const struct model *model, const struct causes *causes,
                        const struct options *options) {
  struct layout layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  size_t shown = 0;
  putc('\n', out);
  print_styled(out, options->color, STYLE_TITLE, "Why it was slower than possible");
  fputs("\n\n", out);
  print_cause_reference(out, causes, options->terminal_width);
  putc('\n', out);
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < causes->count; i++)
    if (!is_cause_row_hidden(model, &causes->rows[i]) && (options->top == 0 || shown++ < options->top))
      print_cause_row(out, &layout, model, &causes->rows[i]);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  explain_omitted_table_columns(out, &layout, options->terminal_width);
}
