/* Why functions were slower in a parallel run than they could be.  The samples of the run are compared with work and
   span, and with samples of a run with one worker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CAUSES_H
#define CILKPROF_REPORT_CAUSES_H

#include "cilkprof-report/samples/samples.h"

enum cause { CAUSE_NONE, CAUSE_PARALLELISM, CAUSE_GRAIN, CAUSE_INFLATION, CAUSE_LOCK, CAUSES };

/* The source of the times with one worker.  */
enum cause_reference {
  REFERENCE_NONE,
  REFERENCE_OTHER, /* there are times, but of a run with another input */
  REFERENCE_PROFILE,
  REFERENCE_SAMPLES
};

/* A function with the time of its own code, and of callees that have no row of their own.  */
struct cause_row {
  const char *name;                /* brief name */
  const struct function *function; /* with that name, in the samples or in the profile of work and span */
  const struct function *measured; /* in the profile of work and span, or NULL */
  struct waste own;
  double work;                  /* in ns per run */
  double reference;             /* the work with one worker, in ns per run; 0: unknown */
  double lost, lost_by[CAUSES]; /* lost time, in ns of all runs */
  enum cause cause;             /* the largest, if it is large enough; otherwise CAUSE_NONE */
};

/* How the code to blame for lost time lost it.  */
enum culprit_kind {
  CULPRIT_ALONE,  /* by itself: of idleness, it ran alone */
  CULPRIT_PIECES, /* it is a loop, region or task whose pieces were too few or unequal */
  CULPRIT_SPAWNS, /* it spawned too few or unequal functions */
  CULPRIT_KINDS
};

struct culprit {
  const struct function *function; /* NULL: there is none */
  enum culprit_kind kind;
  double lost; /* in ns of all runs */
};

struct causes {
  struct cause_row *rows; /* sorted by lost time, largest first */
  size_t count, room;
  enum cause_reference reference;
  double lost[CAUSES];                     /* lost time by cause, in ns of all runs */
  const struct cause_row *largest[CAUSES]; /* row that lost most by this cause, or NULL */
  struct culprit culprits[CAUSES];         /* code that lost most by this cause */
  double overhead;                         /* the part of the time lost by grain that is overhead */
  double blocked;                          /* time without work because the program slept or waited for the system */
  double inflation;                        /* by which the whole work exceeds that with one worker, if it is notable */
  const struct cause_row *most_inflated;   /* row with most of that, or NULL */
};

/* Finds the causes for each function.  MODEL must have samples.  */
struct causes find_causes(const struct model *model);
/* Returns whether MODEL tells the cause of each function: it has work and span or samples with one worker as well.  */
bool are_causes_known(const struct model *model);

/* Returns the time that CAUSE lost, in ns of all runs; that of CAUSE_LOCK with other waiting.  */
double cause_loss(const struct causes *causes, enum cause cause);
/* Returns the function to name for CAUSE, or NULL if it lost nothing.  */
const struct function *cause_culprit(const struct causes *causes, enum cause cause);
/* Returns the time of which lost time is a share: that of all processors, or the effort if that is unknown.  */
double cause_lost_time_whole(const struct samples *samples);

/* Returns work over span of the function's own code: how many processors it could use.  0: it is not on the span.  */
double cause_own_parallelism(const struct function *function);
/* Returns the work with several workers divided by that with one; 0: unknown.  */
double cause_row_inflation(const struct cause_row *row);

const char *cause_name(enum cause cause);

#endif
