/* The efficiency of parallel runs: a table with a column for each number of workers, and one of functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/efficiency.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/layout.h"

enum { LABELS = 26, LEAST_ROOM = 20, LEAST_SHARE = 1 };

static const char explanation[] =
    "\n Each factor is 1 if nothing is lost, and ! marks those below 0.8; those that are indented multiply to the one "
    "above them.\n"
    " Load balance        \tprocessors are idle while others run pieces of parallel code.\n"
    " Serial parts        \tprocessors are idle while code runs that is not parallel.\n"
    " Scheduling          \tthe runtime creates and distributes tasks.\n"
    " Waiting for locks   \tthreads wait for locks that others hold.\n"
    " Processor available \tthe rest of the time threads are blocked, or other programs have the processors.\n"
    " Computation scaling \tthe work with one worker divided by this one's: it falls if memory, caches or shared lines "
    "slow it down.  Hardware counters would divide it into instructions, cycles and frequency; they are not "
    "recorded.\n";

/* Prints the row of FACTOR, or of the speedup if that is FACTORS, in the table of factors.  Low factors are marked, and
   what is not known is a dash.  */
static void print_efficiency_row(FILE *out, const struct efficiencies *efficiencies, enum factor factor) {
  struct buffer buffer = {0};
  int depth = factor < FACTORS ? 2 * efficiency_factor_depth(factor) : 0, gap = 0;
  fprintf(out, "  %*s%-*s", depth, "", LABELS - depth, factor < FACTORS ? efficiency_factor_name(factor) : "Speedup");
  for (size_t i = 0; i < efficiencies->count; i++) {
    const struct efficiency *column = &efficiencies->columns[i];
    double value = factor < FACTORS ? column->of[factor] : column->speedup;
    bool marked = factor < FACTORS && is_efficiency_low(value);
    const char *text = value < 0 ? "-" : buffer_print(&buffer, "%.2f", value);
    fprintf(out, "%*s%s", gap + 7, text, marked ? " !" : "");
    gap = marked ? 0 : 2;
  }
  putc('\n', out);
  free(buffer.text);
}

/* Prints the table of factors of the whole program, with a column for each number of workers.  */
static void print_efficiency_columns(FILE *out, const struct efficiencies *efficiencies) {
  fprintf(out, "  %-*s", LABELS, "workers");
  for (size_t i = 0; i < efficiencies->count; i++)
    fprintf(out, "%*llu", i > 0 ? 9 : 7, (unsigned long long)efficiencies->columns[i].samples->sampling.workers);
  putc('\n', out);
  for (enum factor factor = 0; factor <= FACTORS; factor++)
    print_efficiency_row(out, efficiencies, factor);
}

enum { SHARE, FIRST_FACTOR, LAST_FACTOR = FIRST_FACTOR + FACTORS - 2, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SHARE] = {NULL, "% time", 6, 0},
    [FIRST_FACTOR] = {NULL, "global", 7, 0},
    [FIRST_FACTOR + 1] = {NULL, "parallel", 8, 0},
    [FIRST_FACTOR + 2] = {"of that", "balance", 7, 0},
    [FIRST_FACTOR + 3] = {"of that", "serial", 7, 0},
    [FIRST_FACTOR + 4] = {"of that", "sched.", 7, 0},
    [FIRST_FACTOR + 5] = {"of that", "locks", 7, 0},
    [LAST_FACTOR] = {NULL, "compute", 7, 0},
    [NAME] = {NULL, "function or loop", -1, 0},
};

/* Returns the factor that COLUMN of the table of functions shows.  Functions have no time without processors.  */
static enum factor efficiency_column_factor(size_t column) {
  return column == LAST_FACTOR ? FACTOR_COMPUTATION : (enum factor)(column - FIRST_FACTOR);
}

/* Prints the row of a function in the table of efficiencies.  */
static void print_efficiency_function(FILE *out, const struct layout *layout, const struct efficiency_function *of) {
  struct line line = {.out = out};
  layout_fixed_cell(layout, &line, SHARE, 100 * of->share);
  for (size_t column = FIRST_FACTOR; column <= LAST_FACTOR; column++) {
    char text[NUMBER_ROOM + 2] = "- ";
    double value = of->of[efficiency_column_factor(column)];
    if (value >= 0)
      snprintf(text, sizeof text, "%.2f%s", value < 1000 ? value : 1000, is_efficiency_low(value) ? "!" : " ");
    layout_string_cell(layout, &line, column, text);
  }
  layout_name_cell(layout, &line, of->function->brief_name);
  line_flush(&line);
}

/* Prints the table of functions, or of loops, regions and tasks only, with those first that take most of the time.  */
static void print_efficiency_functions(FILE *out, const struct efficiencies *efficiencies,
                                       const struct options *options) {
  struct layout layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  size_t shown = 0;
  putc('\n', out);
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < efficiencies->function_count; i++) {
    const struct efficiency_function *of = &efficiencies->functions[i];
    if (100 * of->share >= LEAST_SHARE && (options->efficiency_by == EFFICIENCY_FUNCTIONS || of->is_region) &&
        (options->top == 0 || shown++ < options->top))
      print_efficiency_function(out, &layout, of);
  }
}

/* Prints the section of --efficiency: the factors of the whole program with each number of workers, the worst of them
   in words, and those of functions if these are asked for.  */
void print_efficiency(FILE *out, struct model *model, const struct options *options) {
  struct efficiencies efficiencies = find_efficiencies(model->samples);
  char *worst = efficiency_worst_text(&efficiencies);
  print_styled(out, options->color, STYLE_TITLE, "Efficiency of the parallel runs");
  fputs("\n\n", out);
  if (worst != NULL) {
    fputs("  ", out);
    print_prose_field(out, worst, 2, options->terminal_width);
    putc('\n', out);
  }
  print_efficiency_columns(out, &efficiencies);
  if (efficiencies.columns[0].of[FACTOR_COMPUTATION] < 0) {
    fputs("\n  ", out);
    print_prose_field(out,
                      "Computation scaling is not known without a run on one worker and the same input: cilkprof run "
                      "--trials --samples.",
                      2, options->terminal_width);
  }
  if (options->efficiency_by != EFFICIENCY_PROGRAM)
    print_efficiency_functions(out, &efficiencies, options);
  if (!options->brief)
    print_prose(out, explanation, options->terminal_width);
  free(worst);
  free(efficiencies.columns);
  free(efficiencies.functions);
}
