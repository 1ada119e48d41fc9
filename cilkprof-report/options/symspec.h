/* Which functions and arcs an option means: gprof's symspecs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMSPEC_H
#define CILKPROF_REPORT_SYMSPEC_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FILE:FUNCTION, FILE:LINE, FILE, FUNCTION or LINE: what is given must match.  Or a regular expression between slashes,
   for a part of the function's brief name.  */
struct symspec {
  const char *file, *function; /* NULL: any */
  const regex_t *pattern;      /* likewise */
  uint32_t line;               /* 0: any */
};

struct symspec symspec_parse(const char *text);
/* Whether the names of functions are not enough.  */
bool symspec_needs_places(const struct symspec *spec);

/* A function, or a caller and its callee.  */
struct rule {
  const char *text;        /* as it was given */
  struct symspec from, to; /* TO only of arcs */
  bool arc;
};

struct rules {
  struct rule *rules;
  size_t count, room;
};

/* What a part of the report shows: what is included; when nothing is, all that is not excluded.  */
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

/* Whether TEXT is /PATTERN/.  */
bool is_pattern(const char *text);
void rules_add(struct rules *rules, const char *text);
/* TEXT is FROM/TO.  Fails when it is not.  */
void rules_add_arc(struct rules *rules, const char *text);

bool filters_need_places(const struct filter filters[FILTER_KINDS]);

#endif
