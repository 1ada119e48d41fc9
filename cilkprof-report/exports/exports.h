/* The report for other programs: one file each, printed in the place of the sections.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EXPORTS_H
#define CILKPROF_REPORT_EXPORTS_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

struct format {
  const char *name;
  void (*print)(FILE *out, struct model *model, const struct options *options);
  unsigned weights;    /* 1 << WEIGHT_...: those that can be asked for */
  bool needs_contexts; /* it shows stacks */
  bool needs_places;   /* it shows where functions are defined, or needs their addresses */
  bool is_binary;
};

/* The format that the options name, or NULL; what it needs is asked for.  Fails when there is none of that name, or the
   options contradict each other.  */
const struct format *export_select(struct options *options);
/* Fails when it cannot be had of these profiles.  FORMAT may be NULL.  */
void export_check_model(const struct format *format, const struct model *model, const struct options *options);

/* A cost in nanoseconds, or in instructions where these were counted; and the name of that unit.  */
uint64_t plain_cost(const struct model *model, uint64_t cost);
const char *plain_unit(const struct model *model);

/* For every function by its number the one that other programs know: a loop is part of the function that it is in, and
   so are the calls that it makes.  Allocated.  */
const struct function **known_functions(const struct model *model);

/* A string of JSON.  What is not text is escaped as everywhere in the report.  */
void print_json_string(FILE *out, const char *string);
void print_json_timeline(FILE *out, const struct cilkprof_timeline *line); /* as a member, behind others */

void print_csv(FILE *out, struct model *model, const struct options *options);
void print_json(FILE *out, struct model *model, const struct options *options);
void print_callgrind(FILE *out, struct model *model, const struct options *options);
/* Of parallel runs: the former as a part of print_json, the other in the place of print_callgrind.  */
void print_json_samples(FILE *out, const struct model *model);
void print_callgrind_samples(FILE *out, const struct samples *samples, enum weight weight);
void print_gmon(FILE *out, struct model *model, const struct options *options);
void print_collapsed(FILE *out, struct model *model, const struct options *options);
void print_speedscope(FILE *out, struct model *model, const struct options *options);
void print_pprof(FILE *out, struct model *model, const struct options *options);

#endif
