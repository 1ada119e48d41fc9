/* What takes longer with several workers than with one: a table of functions and one of lines, part of --waste.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
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

enum { SHARE, TIMES, ERROR, COPIES, CAUSE, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SHARE] = {NULL, "% longer", 8, 0}, [TIMES] = {NULL, "times", 6, 0},  [ERROR] = {NULL, "+-", 5, 0},
    [COPIES] = {NULL, "copies", 6, 0},  [CAUSE] = {NULL, "cause", -8, 0}, [NAME] = {NULL, "code", -1, 0},
};
enum { LEAST_ROOM = 20, MAX_LINES = 10 };

/* Prints ROWS, functions or lines, at most MOST of them; 0: all.  */
static void print_inflation_rows(FILE *out, const struct layout *layout, const struct inflation_rows *rows,
                                 size_t most) {
  for (size_t i = 0; i < rows->count && (most == 0 || i < most); i++) {
    const struct inflation_row *row = &rows->rows[i];
    struct line line = {.out = out};
    char *name = inflation_row_name(row);
    layout_fixed_cell(layout, &line, SHARE, 100 * row->lost / rows->lost);
    layout_fixed_cell(layout, &line, TIMES, row->times);
    layout_fixed_cell(layout, &line, ERROR, row->error);
    if (row->copied > 0)
      layout_fixed_cell(layout, &line, COPIES, row->copied);
    else
      layout_string_cell(layout, &line, COPIES, "-");
    layout_string_cell(layout, &line, CAUSE, row->cause == INFLATION_UNKNOWN ? "-" : inflation_cause_name(row->cause));
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
    struct layout layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
    putc('\n', out);
    print_styled(out, options->color, STYLE_TITLE, "What takes longer than with one worker");
    fputs("\n\n  ", out);
    print_prose_field(out, text, 2, options->terminal_width);
    putc('\n', out);
    layout_print_headings(out, &layout);
    print_inflation_rows(out, &layout, &inflation.functions, options->top);
    if (inflation.lines.count > 0)
      putc('\n', out);
    print_inflation_rows(out, &layout, &inflation.lines, options->top > 0 ? options->top : MAX_LINES);
    if (!options->brief)
      print_prose(out, explanation, options->terminal_width);
  }
  free(text);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
}
