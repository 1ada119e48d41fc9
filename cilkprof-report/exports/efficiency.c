/* The efficiency of parallel runs as CSV and JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/efficiency.h"
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/json-members.h"
#include "cilkprof-report/support/json.h"

/* Prints the factors OF as fields of CSV; those that are not known are empty.  */
static void print_csv_efficiency_factors(FILE *out, const double *of) {
  for (enum factor factor = 0; factor < FACTORS; factor++)
    if (of[factor] >= 0)
      fprintf(out, ",%.6f", of[factor]);
    else
      putc(',', out);
  fputs("\r\n", out);
}

/* Prints TEXT as a field of CSV, in quotes, which are doubled inside; an empty one if it is NULL.  */
void print_csv_text(FILE *out, const char *text) {
  putc('"', out);
  for (; text != NULL && *text != 0; text++) {
    if (*text == '"')
      putc('"', out);
    putc(*text, out);
  }
  putc('"', out);
}

/* Prints the rows of --csv=efficiency: the program with each number of workers, then its functions with the most.  */
void print_csv_efficiency(FILE *out, const struct samples *samples) {
  struct efficiencies efficiencies = find_efficiencies(samples);
  fputs("scope,name,file,line,workers,runs,elapsed_ns", out);
  for (enum factor factor = 0; factor < FACTORS; factor++)
    fprintf(out, ",%s", efficiency_factor_code(factor));
  fputs("\r\n", out);
  for (size_t i = 0; i < efficiencies.count; i++) {
    const struct cilkprof_sampling *sampling = &efficiencies.columns[i].samples->sampling;
    fprintf(out, "program,,,,%llu,%llu,%llu", (unsigned long long)sampling->workers, (unsigned long long)sampling->runs,
            (unsigned long long)sampling->elapsed_ns);
    print_csv_efficiency_factors(out, efficiencies.columns[i].of);
  }
  for (size_t i = 0; i < efficiencies.function_count; i++) {
    const struct efficiency_function *of = &efficiencies.functions[i];
    fputs(of->is_region ? "region," : "function,", out);
    print_csv_text(out, of->function->name);
    putc(',', out);
    print_csv_text(out, of->function->place.file);
    fprintf(out, ",%u,%llu,,", of->function->place.line, (unsigned long long)samples->sampling.workers);
    print_csv_efficiency_factors(out, of->of);
  }
  free(efficiencies.columns);
  free(efficiencies.functions);
}

/* Prints the factors OF as members of a JSON object that already has others; those that are not known are null.  */
static void print_json_factors(FILE *out, const double *of) {
  for (enum factor factor = 0; factor < FACTORS; factor++)
    if (of[factor] >= 0)
      fprintf(out, ",\"%s\":%.6f", efficiency_factor_code(factor), of[factor]);
    else
      fprintf(out, ",\"%s\":null", efficiency_factor_code(factor));
}

/* Prints the member "efficiency": the factors of the program with each number of workers, of its functions with the
   most, and the worst factor.  */
void print_json_efficiency(FILE *out, const struct samples *samples) {
  struct efficiencies efficiencies = find_efficiencies(samples);
  const struct efficiency_worst *worst = &efficiencies.worst;
  char *text = efficiency_worst_text(&efficiencies);
  fputs(",\n\"efficiency\":{\"program\":[", out);
  for (size_t i = 0; i < efficiencies.count; i++) {
    const struct cilkprof_sampling *sampling = &efficiencies.columns[i].samples->sampling;
    fprintf(out, "%s{\"workers\":%llu", i > 0 ? ",\n" : "\n", (unsigned long long)sampling->workers);
    print_json_number(out, "runs", sampling->runs);
    print_json_number(out, "elapsed_ns", sampling->elapsed_ns);
    print_json_factors(out, efficiencies.columns[i].of);
    putc('}', out);
  }
  fputs("],\"functions\":[", out);
  for (size_t i = 0; i < efficiencies.function_count; i++) {
    const struct efficiency_function *of = &efficiencies.functions[i];
    fprintf(out, "%s{\"region\":%s", i > 0 ? ",\n" : "\n", of->is_region ? "true" : "false");
    print_json_text(out, "name", of->function->name);
    print_json_text(out, "file", of->function->place.file);
    print_json_number(out, "line", of->function->place.line);
    print_json_factors(out, of->of);
    putc('}', out);
  }
  fprintf(out, "],\"worst\":{\"factor\":\"%s\",\"part\":%.6f", efficiency_factor_code(worst->factor), worst->part);
  print_json_text(out, "name", worst->function != NULL ? worst->function->name : NULL);
  print_json_text(out, "text", text);
  fputs("}}", out);
  free(text);
  free(efficiencies.columns);
  free(efficiencies.functions);
}
