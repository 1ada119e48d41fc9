/* The columns of the table of call sites, in one list for text and CSV output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/support/numbers.h"

/* Strings and numbers of columns that are not in struct cilkprof_site.  */

static const char *file_of(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site->file;
}

static uint64_t line_of(const struct site *site) {
  return site->line;
}

static uint64_t column_of(const struct site *site) {
  return site->column;
}

const char *site_kind_name(const struct site *site) {
  static const char *const kinds[] = {
      [CILKPROF_SITE_CALL] = "call",
      [CILKPROF_SITE_SPAWN] = "spawn",
      [CILKPROF_SITE_LOOP] = "loop",
      [CILKPROF_SITE_OUTSIDE] = "entry",
  };
  return kinds[site->kind];
}

static const char *kind_of(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site_kind_name(site);
}

static const char *caller_of(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site->caller != NULL ? site->caller->name : "<spontaneous>";
}

static const char *callee_of(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site->callee->name;
}

static const char *place_of(const struct site *site, struct buffer *buffer) {
  char number[NUMBER_ROOM];
  if (site->line == 0)
    return base_name(site->file);
  number[format_integer(number, site->line)] = 0;
  return buffer_join(buffer, base_name(site->file), ":", number);
}

static const char *call_of(const struct site *site, struct buffer *buffer) {
  return buffer_join(buffer, site->caller != NULL ? site->caller->brief_name : "<spontaneous>", " -> ",
                     site->callee->brief_name);
}

#define OFFSET(member) offsetof(struct cilkprof_site, member)
/* A number that only the CSV shows.  */
#define NUMBER(field, member)                                                                                          \
  { .name = field, .kind = COLUMN_INTEGER, .offset = OFFSET(member) }
#define MEASURE(field, member)                                                                                         \
  NUMBER(field "_count", member.count), NUMBER(field "_work", member.work), NUMBER(field "_span", member.span),        \
      NUMBER(field "_burdened_span", member.burdened_span)
/* A column that only the text shows.  */
#define TEXT(place, above, below, columns_wide, column_kind, ...)                                                      \
  { .text_place = place, .group = above, .heading = below, .width = columns_wide, .kind = column_kind, __VA_ARGS__ }

const struct column columns[] = {
    {.name = "file", .kind = COLUMN_STRING, .string = file_of},
    {.name = "line", .kind = COLUMN_INTEGER, .integer = line_of},
    {.name = "column", .kind = COLUMN_INTEGER, .integer = column_of},
    {.name = "kind", .kind = COLUMN_STRING, .string = kind_of},
    {.name = "caller", .kind = COLUMN_STRING, .string = caller_of},
    {.name = "callee", .kind = COLUMN_STRING, .string = callee_of},
    MEASURE("on_work_top_call_site", on_work.top_call_site),
    MEASURE("on_work_top_caller", on_work.top_caller),
    MEASURE("on_work_local", on_work.local),
    MEASURE("on_span_top_call_site", on_span.top_call_site),
    MEASURE("on_span_top_caller", on_span.top_caller),
    MEASURE("on_span_local", on_span.local),
    TEXT(1, NULL, "% span", 6, COLUMN_SPAN_SHARE, .offset = OFFSET(on_span.local.span)),
    TEXT(2, "on span", "local span", 10, COLUMN_COST, .offset = OFFSET(on_span.local.span)),
    TEXT(3, "on span", "local work", 10, COLUMN_COST, .offset = OFFSET(on_span.local.work), .dispensable = 3),
    TEXT(4, "on span", "work", 8, COLUMN_COST, .offset = OFFSET(on_span.top_call_site.work), .dispensable = 1),
    TEXT(5, "on span", "span", 8, COLUMN_COST, .offset = OFFSET(on_span.top_call_site.span), .dispensable = 4),
    TEXT(6, "on span", "parallel", 8, COLUMN_PARALLELISM, .offset = OFFSET(on_span.top_call_site)),
    TEXT(7, "on work", "work", 8, COLUMN_COST, .offset = OFFSET(on_work.top_call_site.work), .dispensable = 5),
    TEXT(8, "on work", "span", 8, COLUMN_COST, .offset = OFFSET(on_work.top_call_site.span), .dispensable = 2),
    TEXT(9, "on work", "parallel", 8, COLUMN_PARALLELISM, .offset = OFFSET(on_work.top_call_site), .dispensable = 6),
    TEXT(10, NULL, "count", 10, COLUMN_INTEGER, .offset = OFFSET(on_work.local.count), .dispensable = 7),
    TEXT(11, NULL, "kind", -5, COLUMN_STRING, .string = kind_of),
    TEXT(12, NULL, "place", 0, COLUMN_STRING, .string = place_of),
    TEXT(13, NULL, "caller -> callee", -1, COLUMN_STRING, .string = call_of),
};
const size_t column_count = sizeof columns / sizeof *columns;

uint64_t column_integer(const struct column *column, const struct site *site) {
  if (column->integer != NULL)
    return column->integer(site);
  return *(const uint64_t *)((const char *)site->measured + column->offset);
}
