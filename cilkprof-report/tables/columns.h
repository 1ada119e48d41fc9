/* The columns of the table of call sites, in one list for text and CSV output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_COLUMNS_H
#define CILKPROF_REPORT_COLUMNS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

enum column_kind {
  COLUMN_STRING,
  COLUMN_INTEGER,     /* a plain number */
  COLUMN_COST,        /* a number in the units of the profile */
  COLUMN_SPAN_SHARE,  /* a cost in percent of the span of the program */
  COLUMN_SPAN_BAR,    /* that percentage as a bar, on terminals */
  COLUMN_PARALLELISM, /* parallelism of the measure at OFFSET */
};

struct column {
  const char *name;            /* name in the CSV; NULL: not in the CSV */
  int text_place;              /* position in the text, from 1; 0: not in the text */
  const char *group, *heading; /* text only, as in layout.h */
  int width;                   /* text only; below 0: aligned to the left; 0: as wide as its strings */
  int dispensable;             /* if the text is too wide, 1 is left out first; 0: never */
  enum column_kind kind;
  bool local;                                   /* text only: a cost of the callee itself, which may be an estimate */
  size_t offset;                                /* of the number or measure in struct cilkprof_site */
  uint64_t (*integer)(const struct site *site); /* returns the number; NULL: use OFFSET */
  const char *(*string)(const struct site *site, struct buffer *buffer);       /* valid as long as both arguments */
  const char *(*brief_string)(const struct site *site, struct buffer *buffer); /* if the text has to fit; NULL: none */
};

extern const struct column columns[];
extern const size_t column_count;

/* Returns "call", "spawn", "loop", "serial" or "entry".  */
const char *site_kind_label(const struct site *site);

/* Returns whether the number of SITE in COLUMN is not known: how often a function without events was called.  */
bool is_site_column_unknown(const struct column *column, const struct site *site);
/* Returns the number of SITE in an integer or cost COLUMN.  */
uint64_t site_column_integer(const struct column *column, const struct site *site);

#endif
