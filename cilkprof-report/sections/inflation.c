/* What takes longer with several workers than with one: a table of functions and one of lines, part of --waste.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/inflation.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/layout.h"

static const char explanation[] =
    "\n % longer\tits part of all the time that is lost so.\n times   \tits work and waiting, relative to one worker, "
    "on "
    "the same call paths.\n +-      \tthe error of that, two standard deviations of sampling.\n copies  \tthe same of "
    "copies of the program that ran at once, if they were sampled.\n cause   \tlock: it waits for locks.  memory: "
    "copies, which share no data, are slower as well.  sharing: they are not, so threads share data or lines of the "
    "cache, or spin.\n";

static const char counted_explanation[] = " misses  \tmisses of the last level of the cache, for every 1000 "
                                          "instructions, with several workers.\n HITM    \tloads "
                                          "of lines of the cache that another processor had modified, likewise.\n";

/* The columns; those of counters are left out if nothing was counted.  */
enum { SHARE, TIMES, ERROR, COPIES, MISSES, HITM, CAUSE, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SHARE] = {NULL, "% longer", 8, 0}, [TIMES] = {NULL, "times", 6, 0},   [ERROR] = {NULL, "+-", 5, 0},
    [COPIES] = {NULL, "copies", 6, 0},  [MISSES] = {NULL, "misses", 7, 0}, [HITM] = {NULL, "HITM", 7, 0},
    [CAUSE] = {NULL, "cause", -8, 0},   [NAME] = {NULL, "code", -1, 0},
};
enum { LEAST_ROOM = 20, MAX_LINES = 10 };

/* Prints VALUE in COLUMN of LINE, or a dash if it is below 0.  */
static void print_inflation_value(const struct layout *layout, struct line *line, size_t column, double value) {
  if (value >= 0)
    layout_fixed_cell(layout, line, column, value);
  else
    layout_string_cell(layout, line, column, "-");
}

/* Prints ROWS, functions or lines, at most MOST of them; 0: all.  COUNTED: with the columns of counters.  */
static void print_inflation_rows(FILE *out, const struct layout *layout, const struct inflation_rows *rows, size_t most,
                                 bool counted) {
  for (size_t i = 0; i < rows->count && (most == 0 || i < most); i++) {
    const struct inflation_row *row = &rows->rows[i];
    struct line line = {.out = out};
    char *name = inflation_row_name(row);
    layout_fixed_cell(layout, &line, SHARE, 100 * row->lost / rows->lost);
    layout_fixed_cell(layout, &line, TIMES, row->times);
    layout_fixed_cell(layout, &line, ERROR, row->error);
    print_inflation_value(layout, &line, COPIES, row->copied > 0 ? row->copied : -1);
    if (counted) {
      print_inflation_value(layout, &line, MISSES, inflation_count_rate(&row->several, COUNTER_MISSES));
      print_inflation_value(layout, &line, HITM, inflation_count_rate(&row->several, COUNTER_HITM));
    }
    layout_string_cell(layout, &line, counted ? CAUSE : MISSES,
                       row->cause == INFLATION_UNKNOWN ? "-" : inflation_cause_name(row->cause));
    layout_name_cell(layout, &line, name);
    line_flush(&line);
    free(name);
  }
}

/* Prints what takes longer with several workers than with one, as part of the waste section; nothing if nothing
   does.  */
void print_waste_inflation(FILE *out, const struct model *model, const struct options *options) {
  struct inflation inflation = find_inflation(model->samples);
  char *text = inflation_text(&inflation, model->samples);
  if (text != NULL) {
    bool counted = are_inflation_rows_counted(&inflation.functions, COUNTER_CYCLES) ||
                   are_inflation_rows_counted(&inflation.lines, COUNTER_CYCLES);
    struct layout_column shown[COLUMNS];
    memcpy(shown, columns, sizeof columns);
    if (!counted)
      memmove(&shown[MISSES], &columns[CAUSE], (COLUMNS - CAUSE) * sizeof *columns);
    struct layout layout =
        layout_fit_columns(shown, counted ? COLUMNS : COLUMNS - 2, options->terminal_width, LEAST_ROOM);
    putc('\n', out);
    print_styled(out, options->color, STYLE_TITLE, "What takes longer than with one worker");
    fputs("\n\n  ", out);
    print_prose_field(out, text, 2, options->terminal_width);
    putc('\n', out);
    layout_print_headings(out, &layout);
    print_inflation_rows(out, &layout, &inflation.functions, options->top, counted);
    if (inflation.lines.count > 0)
      putc('\n', out);
    print_inflation_rows(out, &layout, &inflation.lines, options->top > 0 ? options->top : MAX_LINES, counted);
    if (!options->brief) {
      print_prose(out, explanation, options->terminal_width);
      if (counted)
        print_prose(out, counted_explanation, options->terminal_width);
    }
  }
  free(text);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
}
