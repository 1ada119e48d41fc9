/* Symspecs as in gprof: the functions and arcs that an option selects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMSPEC_H
#define CILKPROF_REPORT_SYMSPEC_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FILE:FUNCTION, FILE:LINE, FILE, FUNCTION or LINE, all parts of which must match; or a regular expression between
   slashes, which is searched in the brief name of the function.  */
struct symspec {
  const char *file, *function; /* NULL: any */
  const regex_t *pattern;      /* NULL: any */
  uint32_t line;               /* 0: any */
};

struct symspec symspec_parse(const char *text);
/* Returns whether matching needs the source locations of functions, not only their names.  */
bool symspec_needs_places(const struct symspec *spec);

/* A function, or a caller and its callee.  */
struct rule {
  const char *text;        /* from the command line */
  struct symspec from, to; /* TO is used only for arcs */
  bool arc;
};

struct rules {
  struct rule *rules;
  size_t count, room;
};

/* The functions or arcs that a part of the report shows: the included ones or, if none is included, all that are not
   excluded.  */
struct filter {
  struct rules included, excluded;
};

enum filter_kind {
  FILTER_FLAT,
  FILTER_GRAPH,
  FILTER_ARCS,
  FILTER_TIME,
  FILTER_SOURCE,
  FILTER_COUNTS,
  FILTER_SITES,
  FILTER_KINDS,
};

/* Returns whether TEXT is a regular expression between slashes.  */
bool is_symspec_pattern(const char *text);
void symspec_rules_add(struct rules *rules, const char *text);
/* Adds an arc.  Fails if TEXT is not FROM/TO.  */
void symspec_rules_add_arc(struct rules *rules, const char *text);

bool symspec_filters_need_places(const struct filter filters[FILTER_KINDS]);

#endif
