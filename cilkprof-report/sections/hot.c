/* The functions and lines in which a run spent its time, and how much of it is on the span.  From samples: also
   functions that are inlined, and those of libraries that nobody compiled with -fcilkprof.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/layout.h"

static const char explanation[] =
    "\n % span  \tthe function's or line's own share of the span, without the functions that it calls; events of "
    "cilkprof "
    "that are inlined there are included.  +- is the error of the share, two standard deviations.\n % work  \tits own "
    "share of the work.\n samples  \tthe number of samples there.\n";

enum { SHARE, ERROR, WORK, SAMPLES, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SHARE] = {NULL, "% span", 7, 0},    [ERROR] = {NULL, "+-", 5, 0},   [WORK] = {NULL, "% work", 7, 0},
    [SAMPLES] = {NULL, "samples", 8, 0}, [NAME] = {NULL, "name", -1, 0},
};
enum { LEAST_ROOM = 24 };
#define LEAST_SHARE 0.5

/* A row of one of the tables.  */
struct hot {
  const char *name;
  const struct waste *own;
  uint64_t samples;
};

/* Callback of qsort: compares two rows by their share of the span, then of the work, largest first.  */
static int compare_rows(const void *left, const void *right) {
  const struct hot *a = left, *b = right;
  if (a->own->on_span != b->own->on_span)
    return a->own->on_span > b->own->on_span ? -1 : 1;
  uint64_t one = a->own->of[WASTE_WORK], other = b->own->of[WASTE_WORK];
  return one != other ? one > other ? -1 : 1 : a < b ? -1 : a > b;
}

/* Returns the error of a share of PERCENT, where COUNT samples make up the whole: that of two more samples on either
   side, because none or all of a few prove little.  */
static double error_of_share(double percent, uint64_t count) {
  double all = (double)count + 4, share = (percent / 100 * (double)count + 2) / all;
  return 200 * sqrt(share * (1 - share) / all);
}

/* Prints ROW.  TOTAL is the sum of all rows.  */
static void print_row(FILE *out, const struct layout *layout, const struct hot *row, const struct waste *total) {
  struct line line = {.out = out};
  double share = model_percent_of_whole(row->own->on_span, total->on_span);
  layout_fixed_cell(layout, &line, SHARE, share);
  layout_fixed_cell(layout, &line, ERROR, error_of_share(share, total->span_samples));
  layout_fixed_cell(layout, &line, WORK, model_percent_of_whole(row->own->of[WASTE_WORK], total->of[WASTE_WORK]));
  layout_string_cell(layout, &line, SAMPLES, model_grouped_number(row->samples).text);
  layout_name_cell(layout, &line, row->name);
  line_flush(&line);
}

/* Prints a table of COUNT ROWS, sorted, without small ones, under the heading NAME.  */
static void print_rows(FILE *out, struct hot *rows, size_t count, const char *name, const struct samples *strands,
                       const struct options *options) {
  struct layout_column shown[COLUMNS];
  memcpy(shown, columns, sizeof columns);
  shown[NAME].heading = name;
  struct layout layout = layout_fit_columns(shown, COLUMNS, options->terminal_width, LEAST_ROOM);
  if (count > 0)
    qsort(rows, count, sizeof *rows, compare_rows);
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < count && (options->top == 0 || i < options->top); i++)
    if (model_percent_of_whole(rows[i].own->on_span, strands->total.on_span) >= LEAST_SHARE ||
        model_percent_of_whole(rows[i].own->of[WASTE_WORK], strands->total.of[WASTE_WORK]) >= LEAST_SHARE)
      print_row(out, &layout, &rows[i], &strands->total);
}

/* Prints the functions.  */
static void print_functions(FILE *out, const struct samples *strands, const struct options *options) {
  struct hot *rows = allocate(strands->function_count, sizeof *rows);
  for (size_t i = 0; i < strands->function_count; i++) {
    const struct sample_function *of = strands->by_waste[i];
    rows[i] = (struct hot){of->function->brief_name, &of->own, of->own_samples};
  }
  print_rows(out, rows, strands->function_count, "function", strands, options);
  free(rows);
}

/* Prints the lines.  */
static void print_lines(FILE *out, const struct samples *strands, const struct options *options) {
  struct hot *rows = allocate(strands->line_count, sizeof *rows);
  char **names = allocate(strands->line_count, sizeof *names);
  for (size_t i = 0; i < strands->line_count; i++) {
    const struct sample_line *line = &strands->lines[i];
    char *file = escape(base_name(line->file));
    names[i] = format_string("%s:%u", file, line->line);
    rows[i] = (struct hot){names[i], &line->own, line->samples};
    free(file);
  }
  print_rows(out, rows, strands->line_count, "line", strands, options);
  for (size_t i = 0; i < strands->line_count; i++)
    free(names[i]);
  free(names);
  free(rows);
}

/* Prints the section of --hot: where the time of a profiled run and of its span went, by functions and by lines.  */
void print_hot(FILE *out, struct model *model, const struct options *options) {
  const struct samples *strands = model->strands;
  print_styled(out, options->color, STYLE_TITLE, "Where the time went");
  fprintf(out, "\n\n  %s samples, %s of them on the span; each stands for %s.\n\n",
          model_grouped_number(strands->sampling.samples).text, model_grouped_number(strands->total.span_samples).text,
          model_quantity_ns((double)strands->sampling.cpu_ns / (double)strands->sampling.samples, 3, " ").text);
  print_functions(out, strands, options);
  putc('\n', out);
  print_lines(out, strands, options);
  if (!options->brief)
    print_prose(out, explanation, options->terminal_width);
}
