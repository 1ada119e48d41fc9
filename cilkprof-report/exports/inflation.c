/* What takes longer with several workers than with one, as CSV and JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/inflation.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/json-members.h"

/* Returns the source file of ROW, or NULL if it is not known.  */
static const char *exported_inflation_file(const struct inflation_row *row) {
  return row->function != NULL ? row->function->place.file : row->file;
}

/* Returns the source line of ROW; of a function, that of its definition.  */
static uint32_t exported_inflation_line(const struct inflation_row *row) {
  return row->function != NULL ? row->function->place.line : row->line;
}

/* Prints COUNTER of the runs with one worker and of those with several, as two more fields of CSV; empty: not
   counted.  */
static void print_csv_inflation_counter(FILE *out, const struct inflation_row *row, enum counter counter) {
  const struct inflation_time *times[] = {&row->one, &row->several};
  for (size_t i = 0; i < 2; i++)
    if (is_inflation_counted(times[i], counter))
      fprintf(out, ",%.0f", times[i]->counted[counter]);
    else
      putc(',', out);
}

/* Prints the rows of --csv=inflation that are functions, or lines.  */
static void print_csv_inflation_rows(FILE *out, const struct inflation_rows *rows) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct inflation_row *row = &rows->rows[i];
    fputs(row->function != NULL ? "function," : "line,", out);
    print_csv_text(out, row->function != NULL ? row->function->name : NULL);
    putc(',', out);
    print_csv_text(out, exported_inflation_file(row));
    fprintf(out, ",%u,%.6f,%.6f,", exported_inflation_line(row), row->times, row->error);
    if (row->copied > 0)
      fprintf(out, "%.6f", row->copied);
    fprintf(out, ",%.0f,%.0f,%.0f,%s", row->one.ns, row->several.ns, row->lost, inflation_cause_name(row->cause));
    print_csv_inflation_counter(out, row, COUNTER_MISSES);
    print_csv_inflation_counter(out, row, COUNTER_HITM);
    fputs("\r\n", out);
  }
}

/* Prints the rows of --csv=inflation: functions, then lines.  */
void print_csv_inflation(FILE *out, const struct samples *samples) {
  struct inflation inflation = find_inflation(samples);
  fputs("scope,name,file,line,times,error,copies,one_ns,several_ns,lost_ns,cause,one_misses,"
        "several_misses,one_hitm,several_hitm\r\n",
        out);
  print_csv_inflation_rows(out, &inflation.functions);
  print_csv_inflation_rows(out, &inflation.lines);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
}

/* Prints COUNTER, with the name NAME, as two more members of ROW: those of runs with one worker and with several; null:
   not counted.  */
static void print_json_inflation_counter(FILE *out, const struct inflation_row *row, const char *name,
                                         enum counter counter) {
  static const char *const runs[] = {"one", "several"};
  const struct inflation_time *times[] = {&row->one, &row->several};
  for (size_t i = 0; i < 2; i++)
    if (is_inflation_counted(times[i], counter))
      fprintf(out, ",\"%s_%s\":%.0f", runs[i], name, times[i]->counted[counter]);
    else
      fprintf(out, ",\"%s_%s\":null", runs[i], name);
}

/* Prints ROWS as a JSON array, the value of the member NAME.  */
static void print_json_inflation_rows(FILE *out, const char *name, const struct inflation_rows *rows) {
  fprintf(out, "\"%s\":[", name);
  for (size_t i = 0; i < rows->count; i++) {
    const struct inflation_row *row = &rows->rows[i];
    fprintf(out, "%s{\"times\":%.6f,\"error\":%.6f,\"cause\":\"%s\"", i > 0 ? ",\n" : "\n", row->times, row->error,
            inflation_cause_name(row->cause));
    if (row->copied > 0)
      fprintf(out, ",\"copies\":%.6f", row->copied);
    else
      fputs(",\"copies\":null", out);
    print_json_text(out, "name", row->function != NULL ? row->function->name : NULL);
    print_json_text(out, "file", exported_inflation_file(row));
    print_json_number(out, "line", exported_inflation_line(row));
    print_json_number(out, "lost_ns", (uint64_t)row->lost);
    print_json_inflation_counter(out, row, "misses", COUNTER_MISSES);
    print_json_inflation_counter(out, row, "hitm", COUNTER_HITM);
    putc('}', out);
  }
  putc(']', out);
}

/* Prints the member "inflation": the functions and lines that take longer than with one worker, and the largest in
   words.  */
void print_json_inflation(FILE *out, const struct samples *samples) {
  struct inflation inflation = find_inflation(samples);
  char *text = inflation_text(&inflation, samples);
  fputs(",\n\"inflation\":{", out);
  print_json_inflation_rows(out, "functions", &inflation.functions);
  putc(',', out);
  print_json_inflation_rows(out, "lines", &inflation.lines);
  print_json_text(out, "text", text);
  putc('}', out);
  free(text);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
}
