/* Names of functions and source locations as tables show them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LABELS_H
#define CILKPROF_REPORT_LABELS_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/support/numbers.h"
#include "cilkprof-report/support/support.h"

/* Prints a source location: the file without its folders, unless --print-path is given, and LINE unless it is 0.  */
void line_place_label(struct line *out, const char *file, uint32_t line, const struct options *options);

/* Prints the name of FUNCTION, with its source location if OPTIONS ask for it.  */
void line_function_label(struct line *line, const struct function *function, const struct options *options);

/* Returns the callee of SITE and the source location of the call, in BUFFER.  */
const char *callee_label(struct buffer *buffer, const struct site *site, const struct options *options);

/* Returns the function of CONTEXT, of a parallel run, and the source location of its call.  */
struct sample_context;
const char *sample_context_label(struct buffer *buffer, const struct sample_context *context,
                                 const struct options *options);

/* Prints the source location of the calls of ARC, if arcs are distinguished by line.  */
void line_call_label(struct line *line, const struct arc *arc, const struct options *options);

/* Returns the number of calls with a known caller; gprof counts no others.  */
uint64_t labelled_calls_by_known_callers(const struct function *function);

/* Returns whether FUNCTION has a row in the flat profile and an entry in the call graph.  */
bool function_has_table_row(const struct function *function, const struct options *options);

/* Prints SHARE, in percent of the span, of calls with the measure ON_SPAN.  A large share is coloured.  */
void line_span_share_cell(struct line *line, double share, const struct cilkprof_measure *on_span,
                          const struct options *options);
/* Prints the share of the span that SITE has.  */
void line_site_share_cell(struct line *line, const struct site *site, const struct model *model,
                          const struct options *options);

/* Prints SHARE, a percentage, as a bar.  */
enum { SHARE_BAR_WIDTH = 8 };
void line_share_bar(struct line *line, double share);

/* Prints that ROWS more rows of a table are not shown, unless ROWS is 0.  */
void print_omitted_table_rows(FILE *out, size_t rows);

/* Returns whether SITE has a row in the table of call sites.  */
bool site_has_table_row(const struct site *site, const struct options *options);

#endif
