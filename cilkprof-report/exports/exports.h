/* Exports: the report in file formats of other programs, printed instead of the sections.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EXPORTS_H
#define CILKPROF_REPORT_EXPORTS_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

struct format {
  const char *name;
  void (*print)(FILE *out, struct model *model, const struct options *options);
  unsigned weights; /* bit set of 1 << WEIGHT_...: the metrics that the format can show; 0: it shows all measurements */
  bool needs_contexts; /* the format shows stacks */
  bool needs_places;   /* the format shows source locations of functions, or needs their addresses */
  bool is_binary;
};

/* Returns the format that the options name, or NULL, and requests in the options what the format needs.  Fails if the
   format is unknown or the options contradict each other.  */
const struct format *export_select(struct options *options);
/* Fails if the profiles lack the data that the format shows.  FORMAT may be NULL.  */
void export_check_model(const struct format *format, const struct model *model, const struct options *options);

/* plain.c: return a cost in nanoseconds, or in instructions if these were counted, and the name of that unit.  */
uint64_t exported_cost(const struct model *model, uint64_t cost);
const char *exported_cost_unit(const struct model *model);

/* Returns an array that maps each function number to the function that other programs know: a loop and its calls belong
   to the function that contains the loop.  Allocated.  */
const struct function **exported_functions(const struct model *model);

void print_csv(FILE *out, struct model *model, const struct options *options);
void print_json(FILE *out, struct model *model, const struct options *options);
void print_callgrind(FILE *out, struct model *model, const struct options *options);
/* Samples of parallel runs: print_json includes the former, print_callgrind delegates to the latter.  */
void print_json_samples(FILE *out, const struct model *model);
/* Prints the members "bounds" and "loops" of print_json.  LISTED maps the numbers of sites in the model to their
   indices in the JSON export, or SIZE_MAX.  */
void print_json_bounds(FILE *out, const struct model *model, const struct options *options, const size_t *listed);
/* efficiency.c: rows of --csv=efficiency, and a member of print_json_samples.  */
struct samples;
void print_csv_efficiency(FILE *out, const struct samples *samples);
void print_json_efficiency(FILE *out, const struct samples *samples);
void print_csv_text(FILE *out, const char *text); /* as a field of CSV, in quotes */
/* inflation.c: likewise.  */
void print_csv_inflation(FILE *out, const struct samples *samples);
void print_json_inflation(FILE *out, const struct samples *samples);
void print_callgrind_samples(FILE *out, const struct samples *samples, enum weight weight);
void print_gmon(FILE *out, struct model *model, const struct options *options);
void print_collapsed(FILE *out, struct model *model, const struct options *options);
void print_flamegraph(FILE *out, struct model *model, const struct options *options);
void print_speedscope(FILE *out, struct model *model, const struct options *options);
void print_perfetto(FILE *out, struct model *model, const struct options *options);
void print_pprof(FILE *out, struct model *model, const struct options *options);
/* The verdict in other forms.  */
void print_sarif(FILE *out, struct model *model, const struct options *options);
void print_github(FILE *out, struct model *model, const struct options *options);
void print_markdown(FILE *out, struct model *model, const struct options *options);

#endif
