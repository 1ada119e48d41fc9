/* What-if: what becomes of the program when a part of it is made faster.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WHATIF_H
#define CILKPROF_REPORT_WHATIF_H

#include <stdio.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/annotations.h"

/* A candidate may be as it is named here, FILE:LINE.  */
struct candidate {
  char *name;
  struct annotation line;
  const struct function
      *unseen; /* that is most of it and of which a run that counts instructions sees nothing; or NULL */
};

/* The lines of the user's code that are worth asking for, at most COUNT: those that the verdict names, then those that
   hold most of the span.  What is below a line in libraries is part of it.  Returns how many.  */
size_t whatif_candidates(struct model *model, struct candidate *candidates, size_t count);

/* The call sites of what a candidate names, by a function or FILE:LINE.  */
struct annotation whatif_sites(const struct model *model, const char *candidate);

/* The library function that all calls of a candidate go to; NULL: they do not.  */
const struct function *whatif_library(const struct model *model, const char *candidate);

/* whatif-commands.c: what compiles the program for these candidates, runs it, and reports it.  */
void print_whatif_commands(FILE *out, const struct model *model, const struct options *options,
                           const struct candidate *candidates, size_t count);

/* The speedup over the program as it is on one processor that so many cannot exceed when it has this work and span.  */
double whatif_speedup(const struct model *model, double work, double span, unsigned processors);

/* The program as it would be.  */
struct whatif_variant {
  double work, span;
};
struct whatif_variant whatif_variant(const struct cilkprof_whatif *whatif);
/* Its work or span, as it is VALUE in the profile, rounded to the unit of the others.  */
uint64_t whatif_cost(const struct cilkprof_whatif *whatif, uint64_t value);

/* By how much it falls, in percent.  */
double percent_less(double from, double to);

/* Whether a candidate that costs nothing is worth the work.  */
struct finding whatif_judge(const struct model *model, const struct cilkprof_whatif *whatif, unsigned processors);

/* As a word of the shell.  A terminal is told nothing by it.  */
void print_quoted(FILE *out, const char *word);

#endif
