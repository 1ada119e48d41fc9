/* The columns of the table of call sites: one list for the text and for the CSV.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_COLUMNS_H
#define CILKPROF_REPORT_COLUMNS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

enum column_kind {
  COLUMN_STRING,
  COLUMN_INTEGER,     /* a plain number */
  COLUMN_COST,        /* a number in the units of the profile */
  COLUMN_SPAN_SHARE,  /* that number in percent of the program's span */
  COLUMN_PARALLELISM, /* of the measure at OFFSET */
};

struct column {
  const char *name;            /* in the CSV; NULL: not there */
  int text_place;              /* among the columns of the text, from 1; 0: not there */
  const char *group, *heading; /* of the text, as in layout.h */
  int width;                   /* of the text; below 0: to the left; 0: as wide as its strings */
  int dispensable;             /* where the text is too wide: 1 goes first; 0: never */
  enum column_kind kind;
  size_t offset;                                /* of the number or measure in struct cilkprof_site */
  uint64_t (*integer)(const struct site *site); /* instead of OFFSET */
  const char *(*string)(const struct site *site, struct buffer *buffer); /* it lives as long as both do */
};

extern const struct column columns[];
extern const size_t column_count;

/* What kind of call it is.  */
const char *site_kind_name(const struct site *site);

uint64_t column_integer(const struct column *column, const struct site *site);

#endif
