/* Names of functions and places as the tables show them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LABELS_H
#define CILKPROF_REPORT_LABELS_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/support/numbers.h"
#include "cilkprof-report/support/support.h"

/* A file by its last name, or by all of it with --print-path, and a line unless it is 0.  */
void line_place(struct line *out, const char *file, uint32_t line, const struct options *options);

/* The name, with its file and line where these were asked for.  */
void line_function_name(struct line *line, const struct function *function, const struct options *options);

/* The callee of a site and where it is called.  */
const char *callee_text(struct buffer *buffer, const struct site *site, const struct options *options);

/* The same of a context of a parallel run.  */
struct sample_context;
const char *sample_text(struct buffer *buffer, const struct sample_context *context, const struct options *options);

/* Where the calls of an arc are made, when lines are told apart.  */
void line_call_place(struct line *line, const struct arc *arc, const struct options *options);

/* Calls by code that has a name: gprof knows no others.  */
uint64_t known_calls(const struct function *function);

/* Whether a function has a row in the flat profile and an entry in the call graph.  */
bool function_is_listed(const struct function *function, const struct options *options);

/* A share of the span that calls with the measure ON_SPAN hold, in percent; what is worth a look has a colour.  */
void line_percent_of_span(struct line *line, double share, const struct cilkprof_measure *on_span,
                          const struct options *options);
/* How much of the span a call site holds.  */
void line_share(struct line *line, const struct site *site, const struct model *model, const struct options *options);

/* How many rows of a table are not shown, if there are some.  */
void print_more_rows(FILE *out, size_t rows);

/* Whether a call site has a row.  */
bool site_is_listed(const struct site *site, const struct options *options);

#endif
