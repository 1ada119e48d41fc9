/* The efficiency of parallel runs, and what takes longer than with one worker, as JSON for the page.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/efficiency.h"
#include "cilkprof-report/analysis/inflation.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/support/json.h"

/* Prints the values of FACTOR, or the speedups if that is FACTORS, as an array; null is not known.  */
static void print_html_efficiency_values(FILE *out, const struct efficiencies *efficiencies, enum factor factor) {
  for (size_t i = 0; i < efficiencies->count; i++) {
    const struct efficiency *column = &efficiencies->columns[i];
    double value = factor < FACTORS ? column->of[factor] : column->speedup;
    fputs(i > 0 ? "," : "[", out);
    if (value >= 0)
      fprintf(out, "%.6f", value);
    else
      fputs("null", out);
  }
  putc(']', out);
}

/* Prints the member "efficiency" of the page's data on a parallel run: the numbers of workers, and a row for each
   factor: its name, its depth and its values.  The last row is the speedup.  */
void html_print_efficiency(FILE *out, const struct samples *samples) {
  struct efficiencies efficiencies = find_efficiencies(samples);
  char *worst = efficiency_worst_text(&efficiencies);
  fputs(",\n\"efficiency\":{\"workers\":[", out);
  for (size_t i = 0; i < efficiencies.count; i++)
    fprintf(out, "%s%llu", i > 0 ? "," : "", (unsigned long long)efficiencies.columns[i].samples->sampling.workers);
  fputs("],\"worst\":", out);
  print_json_string(out, worst != NULL ? worst : "");
  fputs(",\"rows\":[", out);
  for (enum factor factor = 0; factor <= FACTORS; factor++) {
    bool is_factor = factor < FACTORS;
    if (is_factor && !is_efficiency_factor_shown(&efficiencies, factor))
      continue;
    fprintf(out, "%s[\"%s\",%d,", factor > 0 ? ",\n" : "\n", is_factor ? efficiency_factor_name(factor) : "Speedup",
            is_factor ? efficiency_factor_depth(factor) : -1);
    print_html_efficiency_values(out, &efficiencies, factor);
    putc(']', out);
  }
  fputs("]}", out);
  free(worst);
  free(efficiencies.columns);
  free(efficiencies.functions);
}

/* Prints VALUE after a comma; null if it is below 0.  */
static void print_html_known_value(FILE *out, double value) {
  if (value >= 0)
    fprintf(out, ",%.4f", value);
  else
    fputs(",null", out);
}

/* Prints ROWS, functions or lines, as elements of an array: for each its part of the lost time, how many times as long
   it takes, the error of that, the same of copies, or null, the cause, the name, and the misses and loads of modified
   lines for every thousand instructions, or null.  BEFORE is the text before the first.  */
static void print_html_inflation_rows(FILE *out, const struct inflation_rows *rows, const char *before) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct inflation_row *row = &rows->rows[i];
    char *name = inflation_row_name(row);
    fprintf(out, "%s[%.4f,%.4f,%.4f", i > 0 ? ",\n" : before, row->lost / rows->lost, row->times, row->error);
    print_html_known_value(out, row->copied > 0 ? row->copied : -1);
    fprintf(out, ",\"%s\",", inflation_cause_name(row->cause));
    print_json_string(out, name);
    print_html_known_value(out, inflation_count_rate(&row->several, COUNTER_MISSES));
    print_html_known_value(out, inflation_count_rate(&row->several, COUNTER_HITM));
    putc(']', out);
    free(name);
  }
}

/* Prints the member "inflation" of the page's data on a parallel run: the largest in words, and rows of functions and
   lines.  */
void html_print_inflation(FILE *out, const struct samples *samples) {
  struct inflation inflation = find_inflation(samples);
  char *text = inflation_text(&inflation, samples);
  fputs(",\n\"inflation\":{\"text\":", out);
  print_json_string(out, text != NULL ? text : "");
  fputs(",\"rows\":[", out);
  print_html_inflation_rows(out, &inflation.functions, "\n");
  print_html_inflation_rows(out, &inflation.lines, inflation.functions.count > 0 ? ",\n" : "\n");
  fputs("]}", out);
  free(text);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
}
