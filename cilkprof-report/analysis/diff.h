/* What changed between two builds of a program, site by site.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DIFF_H
#define CILKPROF_REPORT_DIFF_H

#include "cilkprof-report/model/model.h"

/* The runs of one build.  */
struct runs {
  const struct model *models;
  size_t count;
};

enum { OLD, NEW, SIDES };

/* What is compared of a site.  */
enum value { OWN_SPAN, OWN_WORK, WORK, SPAN, VALUES };

/* A value over the runs of a build.  */
struct series {
  double sum, least, most;
};

struct change {
  const char *caller, *callee, *file; /* which are the same in both */
  const char *shown_caller, *shown_callee;
  uint32_t line[SIDES];
  bool present[SIDES];
  uint64_t run[VALUES]; /* of the run that is being read */
  struct series values[SIDES][VALUES];
  double weight; /* the larger change of own span and own work, as a part of the program's */
};

struct diff {
  struct runs runs[SIDES];
  struct change *changes; /* the heaviest first */
  size_t count, room;
  struct table table;
  struct names names;
};

/* Matches the sites by function and line, then those that are left by function.  */
void diff_make(struct diff *diff);

double series_mean(const struct series *series, size_t runs);
/* Whether two series differ by no more than their runs do among themselves.  */
bool is_noise(const struct diff *diff, const struct series *old, const struct series *new);

#endif
