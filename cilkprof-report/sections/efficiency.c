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
    "slow it down.";
static const char not_counted_explanation[] =
    "  The processor's counters would divide it into instructions, instructions per cycle and frequency; this system "
    "provides none.\n";
static const char counted_explanation[] =
    "\n Instructions        \tit executes more instructions.\n"
    " Instructions per cycle \tits instructions take more cycles.\n"
    " Frequency           \tthere are fewer cycles in a second of processor time: the clock is slower, or the system "
    "has more of the time.\n";

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
    if (factor == FACTORS || is_efficiency_factor_shown(efficiencies, factor))
      print_efficiency_row(out, efficiencies, factor);
}

/* The columns of the table of functions: the part of the time, these factors, of which the last ones need counters, and
   the name.  Functions have no time without processors.  */
static const enum factor column_factors[] = {
    FACTOR_GLOBAL,  FACTOR_PARALLEL,    FACTOR_BALANCE,      FACTOR_SERIAL, FACTOR_SCHEDULING,
    FACTOR_WAITING, FACTOR_COMPUTATION, FACTOR_INSTRUCTIONS, FACTOR_IPC,    FACTOR_FREQUENCY};
enum {
  SHARE,
  FIRST_FACTOR,
  COUNTED_FACTORS = 3,
  FACTOR_COLUMNS = sizeof column_factors / sizeof *column_factors,
  COLUMNS = FIRST_FACTOR + FACTOR_COLUMNS + 1
};
static const struct layout_column columns[COLUMNS] = {
    {NULL, "% time", 6, 0},       {NULL, "global", 7, 0},      {NULL, "parallel", 8, 0},
    {"of that", "balance", 7, 0}, {"of that", "serial", 7, 0}, {"of that", "sched.", 7, 0},
    {"of that", "locks", 7, 0},   {NULL, "compute", 7, 0},     {"of that", "instr.", 7, 0},
    {"of that", "per cyc", 7, 0}, {"of that", "freq.", 7, 0},  {NULL, "function or loop", -1, 0},
};

/* Prints the row of a function in the table of efficiencies, with the first FACTORS_SHOWN factors.  */
static void print_efficiency_function(FILE *out, const struct layout *layout, const struct efficiency_function *of,
                                      size_t factors_shown) {
  struct line line = {.out = out};
  layout_fixed_cell(layout, &line, SHARE, 100 * of->share);
  for (size_t i = 0; i < factors_shown; i++) {
    char text[NUMBER_ROOM + 2] = "- ";
    double value = of->of[column_factors[i]];
    if (value >= 0)
      snprintf(text, sizeof text, "%.2f%s", value < 1000 ? value : 1000, is_efficiency_low(value) ? "!" : " ");
    layout_string_cell(layout, &line, FIRST_FACTOR + i, text);
  }
  layout_name_cell(layout, &line, of->function->brief_name);
  line_flush(&line);
}

/* Prints the table of functions, or of loops, regions and tasks only, with those first that take most of the time.  */
static void print_efficiency_functions(FILE *out, const struct efficiencies *efficiencies,
                                       const struct options *options) {
  bool counted = is_efficiency_factor_shown(efficiencies, FACTOR_INSTRUCTIONS);
  size_t factors_shown = FACTOR_COLUMNS - (counted ? 0 : COUNTED_FACTORS);
  struct layout_column shown_columns[COLUMNS];
  memcpy(shown_columns, columns, sizeof columns);
  shown_columns[FIRST_FACTOR + factors_shown] = columns[COLUMNS - 1];
  struct layout layout =
      layout_fit_columns(shown_columns, FIRST_FACTOR + factors_shown + 1, options->terminal_width, LEAST_ROOM);
  size_t shown = 0;
  putc('\n', out);
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < efficiencies->function_count; i++) {
    const struct efficiency_function *of = &efficiencies->functions[i];
    if (100 * of->share >= LEAST_SHARE && (options->efficiency_by == EFFICIENCY_FUNCTIONS || of->is_region) &&
        (options->top == 0 || shown++ < options->top))
      print_efficiency_function(out, &layout, of, factors_shown);
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
  if (!options->brief) {
    bool counted = is_efficiency_factor_shown(&efficiencies, FACTOR_INSTRUCTIONS);
    char *text = format_string("%s%s", explanation, counted ? counted_explanation : not_counted_explanation);
    print_prose(out, text, options->terminal_width);
    free(text);
  }
  free(worst);
  free(efficiencies.columns);
  free(efficiencies.functions);
}
