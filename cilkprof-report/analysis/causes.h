/* Why functions were slower in a parallel run than they could be: its samples beside work and span, and beside a run of
   one worker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CAUSES_H
#define CILKPROF_REPORT_CAUSES_H

#include "cilkprof-report/samples/samples.h"

enum cause { CAUSE_NONE, CAUSE_PARALLELISM, CAUSE_GRAIN, CAUSE_BANDWIDTH, CAUSE_LOCK, CAUSES };

/* What a work that one worker does is known from.  */
enum cause_reference { REFERENCE_NONE, REFERENCE_PROFILE, REFERENCE_SAMPLES };

/* A function with its own time, and that of what it called and nothing is known of.  */
struct cause_row {
  const char *name;                /* brief */
  const struct function *measured; /* of the work/span profile; NULL: there is none */
  struct waste own;
  double work;                  /* of one run, in ns */
  double reference;             /* what one worker takes for it; 0: not known */
  double lost, lost_by[CAUSES]; /* of all runs, in ns */
  enum cause cause;             /* of most of that, where it is much */
};

struct causes {
  struct cause_row *rows; /* those that lost most first */
  size_t count, room;
  enum cause_reference reference;
  double lost[CAUSES];                     /* by cause, in ns of all runs */
  const struct cause_row *largest[CAUSES]; /* or NULL */
};

/* MODEL has samples, and work and span or samples with one worker beside them.  */
struct causes causes_find(const struct model *model);
bool causes_are_known(const struct model *model);

/* Work over span of a function's own code: how many could have been at it.  0: it is not on the span.  */
double own_parallelism(const struct function *function);
/* How many times as much work it is on several processors as on one; 0: not known.  */
double row_inflation(const struct cause_row *row);

const char *cause_name(enum cause cause);

#endif
