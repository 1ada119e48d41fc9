/* Compares two builds of a program, call site by call site.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DIFF_H
#define CILKPROF_REPORT_DIFF_H

#include "cilkprof-report/model/model.h"

/* Profiled runs of one build.  */
struct runs {
  const struct model *models;
  size_t count;
};

enum { OLD, NEW, SIDES };

/* Values of a call site that are compared.  */
enum value { OWN_SPAN, OWN_WORK, WORK, SPAN, VALUES };

/* One value in all runs of a build.  */
struct series {
  double sum, squares, least, most;
};

/* A call site in both builds.  */
struct change {
  const char *caller, *callee, *file; /* the same in both builds */
  const char *shown_caller, *shown_callee;
  uint32_t line[SIDES];
  bool present[SIDES];
  uint64_t run[VALUES]; /* values of the run that is being read */
  struct series values[SIDES][VALUES];
  double weight; /* change of the own span or own work as a part of the program's, whichever is larger */
};

struct diff {
  struct runs runs[SIDES];
  struct change *changes; /* sorted by weight, largest first */
  size_t count, room;
  struct table table;
  struct names names;
};

/* Fills in the changes between the runs of DIFF.  Call sites are matched by functions and line; those that remain, by
   functions only.  */
void make_diff(struct diff *diff);

/* Adds VALUE, that of one run, to SERIES.  FIRST: it is the first run of the build.  */
void add_diff_value(struct series *series, double value, bool first);
double diff_series_mean(const struct series *series, size_t runs);
/* Returns whether both builds have several runs, so that the errors of differences are known.  */
bool is_diff_of_several_runs(const struct diff *diff);
/* Returns the standard error of the quotient of the means, new / old; both must be known and not be 0.  */
double diff_quotient_error(const struct diff *diff, const struct series *old, const struct series *new);
/* Returns whether the difference of OLD and NEW may be chance.  False unless both builds have several runs.  */
bool is_diff_noise(const struct diff *diff, const struct series *old, const struct series *new);

/* Work that code took longer because several workers ran it.  */
struct diff_inflation {
  uint64_t workers;          /* of the new runs; 0: they cannot be compared with the old ones in this respect */
  double grown;              /* by how much the own work of call sites grew in all, as a part of the old work */
  const struct change *most; /* where it grew most; NULL: it did not */
};

/* diff-inflation.c: returns the work inflation from the old runs of DIFF, on one worker, to the new ones.  */
struct diff_inflation find_diff_inflation(const struct diff *diff);
/* Returns by how much VALUE of CHANGE grew in the mean.  */
double diff_growth(const struct diff *diff, const struct change *change, enum value value);

#endif
