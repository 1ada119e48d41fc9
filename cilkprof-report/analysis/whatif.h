/* What-if: how work and span of the program change if a part of it is made faster.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WHATIF_H
#define CILKPROF_REPORT_WHATIF_H

#include <stdio.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/annotations.h"

/* A source location that may be made faster.  */
struct candidate {
  char *name; /* FILE:LINE, or FILE:LINE:COLUMN for one of several calls of the line */
  struct annotation line;
  const struct function *unseen; /* makes up most of the line, but has no counted instructions; or NULL */
};

/* Finds lines of user code that are worth a what-if question, at most COUNT: first those that the verdict names, then
   those with the largest share of the span.  Library calls are part of the line that leads to them.  Returns the number
   of lines.  */
size_t find_whatif_suggestions(struct model *model, struct candidate *candidates, size_t count);

/* Returns the sum of all call sites of CANDIDATE, a function or a source location.  */
struct annotation sum_whatif_suggestion_sites(const struct model *model, const char *candidate);

/* Returns a library function that CANDIDATE calls; NULL if not all its calls are to functions without
   instrumentation.  */
const struct function *whatif_suggestion_library(const struct model *model, const char *candidate);

/* whatif-commands.c: prints the commands that compile the program, run it for these CANDIDATES, and report the
   result.  */
void print_advised_whatif_commands(FILE *out, const struct model *model, const struct options *options,
                                   const struct candidate *candidates, size_t count);

/* Returns an upper bound of the speedup on PROCESSORS if the program had this WORK and SPAN, relative to the present
   program on one processor.  */
double whatif_speedup(const struct model *model, double work, double span, unsigned processors);

/* The program with a faster candidate.  */
struct judged_whatif_variant {
  double work, span;
};
struct judged_whatif_variant judged_whatif_variant(const struct cilkprof_whatif *whatif);
/* Converts VALUE, the work or span of WHATIF, to the unit of other costs, and rounds it.  */
uint64_t judged_whatif_cost(const struct cilkprof_whatif *whatif, uint64_t value);

/* Returns by how many percent TO is less than FROM.  */
double judged_whatif_percent_less(double from, double to);

/* Returns a finding that says whether the program gains from a candidate that costs nothing.  */
struct finding judge_whatif(const struct model *model, const struct cilkprof_whatif *whatif, unsigned processors);

/* Prints WORD quoted for the shell.  Control characters other than tabs and newlines are escaped, so that a terminal
   does not obey them.  */
void print_advised_command_word(FILE *out, const char *word);

#endif
