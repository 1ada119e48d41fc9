/* The verdict: findings that explain the numbers of a profile in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_VERDICT_H
#define CILKPROF_REPORT_VERDICT_H

#include <stdio.h>
#include "cilkprof-report/analysis/imbalance.h"
#include "cilkprof-report/model/model.h"

/* The thresholds of the papers.  */
enum {
  AMPLE = 10,          /* parallelism is ample if it is this many times the number of processors */
  ENOUGH = 5,          /* if it is this many times, no bottleneck costs more than a quarter of the speedup */
  SHORT_STRAND = 500,  /* instructions: in shorter strands the cost of spawning is noticeable */
  LARGE_SHARE = 10,    /* percent of the span that is worth a finding */
  FAR_BELOW = 2,       /* the grain is too fine if the burden divides the parallelism by more than this */
  MAX_BOTTLENECKS = 3, /* findings about bottlenecks */
  SHORT_RUN = 200,     /* burdens: a run with less work says little about a longer one */
};
#define NEARLY_SERIAL 1.1 /* parallelism up to which a call counts as serial */

enum tone { TONE_GOOD, TONE_NOTICE, TONE_BAD };
const char *finding_tone_name(enum tone tone); /* "good", "notice", "bad" */

/* What a finding says, for other programs: the rows of findings.def.  */
enum finding_code {
#define FINDING(name, code, subject) FINDING_##name,
#include "cilkprof-report/analysis/findings.def"
#undef FINDING
};
const char *finding_code_name(enum finding_code code); /* "grain" */

struct finding {
  enum finding_code code;
  enum tone tone;
  const char *subject;  /* a few words */
  const char *text;     /* sentences with numbers, source location and advice */
  const char *function; /* full name of the function, loop or lock that it is about; NULL: the whole program */
  const char *file;     /* source location of the call or loop; NULL: unknown */
  uint32_t line;
  double share;      /* how much of WHOLE it is about, at most 1; NaN: unknown */
  const char *whole; /* "span", "work", "elapsed", "burden", "run" */
  double without;    /* the largest possible speedup if it were parallel; NaN: unknown */
};

enum { MAX_FINDINGS = 16 };

struct verdict {
  struct model *model;
  unsigned processors;
  struct speedup_limits limits;
  struct imbalance imbalance;
  double parallelism, burdened_parallelism;
  double expected;                   /* the speedup on the processors, by emulation; NAN: not known */
  const struct function *to_coarsen; /* function or loop with too fine a grain, or NULL */
  bool system_bound;                 /* much of the work is system time: no advice on the grain of loops */
  bool busy;                         /* other programs had the processors for much of the time: times are rough */
  bool short_run;                    /* the work is below SHORT_RUN: no advice on what to parallelise */
  size_t count;
  struct finding findings[MAX_FINDINGS + 1]; /* the last one takes those that are too many */
};

/* Returns the findings about MODEL, in the order in which they should be read.  */
struct verdict find_verdict(struct model *model, const struct options *options);

/* Returns only the findings about measured speedups.  */
struct verdict verdict_of_trials(struct model *model, unsigned processors);

/* How a measured speedup compares with its bounds: "below", "within", "above".  */
enum standing { STANDING_BELOW, STANDING_WITHIN, STANDING_ABOVE };
enum standing judged_trial_standing(const struct model *model, const struct trial_row *row);
const char *judged_trial_standing_name(enum standing standing);

/* Prints FINDING on lines of its own.  */
struct options;
void print_verdict_finding(FILE *out, const struct finding *finding, const struct options *options);

/* Returns the source location of SITE without folders, as "qsort.c:20".  The text is allocated.  */
char *finding_site_place(const struct site *site);
/* Returns the source location in user code that leads to SITE.  If SITE itself is in a library, its own location
   follows.  The text is allocated.  */
char *finding_user_place(const struct model *model, const struct site *site);
/* Returns where the user's code calls the library that SITE stands in for, as "in tbb::parallel_for at loop.cc:20";
   NULL if it is in no such header.  */
char *finding_stand_in_place(const struct model *model, const struct site *site);
/* Returns what the loop or spawn at SITE is: "the cilk_for at loop.c:3", or "std::for_each at loop.cc:3".  The text is
   allocated.  */
char *finding_construct_text(const struct model *model, const struct site *site);
bool is_finding_site_of_library(const struct model *model, const struct site *site); /* such as std::for_each */
const char *finding_iterations_word(const struct site *site);                        /* "iterations", or "chunks" */

#endif
