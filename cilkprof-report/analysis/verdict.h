/* What the numbers of a profile mean, in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_VERDICT_H
#define CILKPROF_REPORT_VERDICT_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"

/* The thresholds of the papers.  */
enum {
  AMPLE = 10,           /* so many times the processors is enough parallelism */
  SHORT_STRAND = 500,   /* instructions: below it the cost of spawning is noticeable */
  LARGE_SHARE = 10,     /* percent of the span that are worth a line */
  FAR_BELOW = 2,        /* the burdened parallelism is so many times smaller than the plain one */
  MOST_BOTTLENECKS = 3, /* lines about those that hold the span */
  SHORT_RUN = 200,      /* burdens: with less work a run says little about a longer one */
};
#define NEARLY_SERIAL 1.1 /* parallelism up to which a call counts as serial */

enum tone { TONE_GOOD, TONE_NOTICE, TONE_BAD };
const char *tone_name(enum tone tone); /* "good", "notice", "bad" */

struct finding {
  enum tone tone;
  const char *subject; /* a few words */
  const char *text;    /* sentences with the numbers, the place and what to try */
};

enum { MOST_FINDINGS = 16 };

struct verdict {
  struct model *model;
  unsigned processors;
  double parallelism, burdened_parallelism;
  const struct function *to_coarsen; /* what has too fine a grain, or NULL */
  bool system_bound;                 /* much of the work is the system's: no advice on the grain of loops */
  bool short_run;                    /* no advice on what is parallelised */
  size_t count;
  struct finding findings[MOST_FINDINGS];
};

/* The findings in the order in which they should be read.  */
struct verdict verdict_find(struct model *model, unsigned processors);

/* Only what is about measured speedups.  */
struct verdict verdict_of_trials(struct model *model, unsigned processors);

/* Where a measured speedup lies beside its bounds; "below", "within", "above".  */
enum standing { STANDING_BELOW, STANDING_WITHIN, STANDING_ABOVE };
enum standing trial_standing(const struct model *model, const struct trial_row *row);
const char *standing_name(enum standing standing);

/* Work / (work / P + 1.7 burdened span), and the smaller of P and the parallelism.  */
double speedup_lower(const struct cilkprof_totals *totals, double processors);
double speedup_upper(const struct cilkprof_totals *totals, double processors);

/* Prints a finding, in lines of their own.  */
struct options;
void print_finding(FILE *out, const struct finding *finding, const struct options *options);

/* A call site by its file's last name and line, as "qsort.c:20".  Allocated.  */
char *site_place(const struct site *site);
/* The same of the user's code; where the site is in a library, behind it.  Allocated.  */
char *user_place(const struct model *model, const struct site *site);

#endif
