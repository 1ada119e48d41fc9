/* The efficiency of parallel runs, as JSON for the page.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/efficiency.h"
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
