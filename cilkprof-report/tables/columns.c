/* The columns of the table of call sites, in one list for text and CSV output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/support/numbers.h"

/* Strings and numbers of columns that are not in struct cilkprof_site.  */

/* Returns the source file of SITE, for the column "file".  */
static const char *site_file_cell(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site->file;
}

/* Returns the source line of SITE, or 0 if it is unknown, for the column "line".  */
static uint64_t site_line_cell(const struct site *site) {
  return site->line;
}

/* Returns the source column of SITE, for the column "column".  */
static uint64_t site_column_cell(const struct site *site) {
  return site->column;
}

/* Returns what SITE is in a word: "call", "spawn", "loop", "serial" or "entry".  */
const char *site_kind_label(const struct site *site) {
  static const char *const kinds[] = {
      [CILKPROF_SITE_CALL] = "call",     [CILKPROF_SITE_SPAWN] = "spawn",        [CILKPROF_SITE_LOOP] = "loop",
      [CILKPROF_SITE_OUTSIDE] = "entry", [CILKPROF_SITE_SERIAL_LOOP] = "serial",
  };
  return kinds[site->kind];
}

/* Returns the kind of SITE as a word, such as "spawn", for the column "kind".  */
static const char *site_kind_cell(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site_kind_label(site);
}

/* Returns the full name of the caller at SITE, for the column "caller".  Code without instrumentation is
   <spontaneous>.  */
static const char *site_caller_cell(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site->caller != NULL ? site->caller->name : "<spontaneous>";
}

/* Returns the full name of the callee at SITE, for the column "callee".  */
static const char *site_callee_cell(const struct site *site, struct buffer *buffer) {
  (void)buffer;
  return site->callee->name;
}

/* Returns the source location of SITE without folders, such as "fib.c:12", with SUFFIX, in BUFFER.  */
static const char *site_place_with_suffix(const struct site *site, const char *suffix, struct buffer *buffer) {
  char number[NUMBER_ROOM + sizeof ":"] = ":";
  number[site->line != 0 ? 1 + format_integer(number + 1, site->line) : 0] = 0;
  return buffer_join(buffer, base_name(site->file), number, suffix);
}

/* Returns the source location of SITE, for the column "place" of a text that has to fit a terminal.  For code of a
   library it is the line of the user that leads to it, with a mark.  */
static const char *site_brief_place_cell(const struct site *site, struct buffer *buffer) {
  return site->user != NULL ? site_place_with_suffix(site->user, "+", buffer)
                            : site_place_with_suffix(site, "", buffer);
}

/* Returns the source location of SITE, for the column "place" of the text.  For code of a library it is the line of the
   user that leads to it, and that of the library after it: "sort.cc:12 (stl_algo.h:1922)".  */
static const char *site_place_cell(const struct site *site, struct buffer *buffer) {
  if (site->user == NULL)
    return site_place_with_suffix(site, "", buffer);
  char *library = format_string(" (%s:%u)", base_name(site->file), (unsigned)site->line);
  const char *place = site_place_with_suffix(site->user, library, buffer);
  free(library);
  return place;
}

/* Returns the brief names of the two functions of SITE, as "caller -> callee", for the last column of the text.  */
static const char *site_call_cell(const struct site *site, struct buffer *buffer) {
  return buffer_join(buffer, site->caller != NULL ? site->caller->brief_name : "<spontaneous>", " -> ",
                     site->callee->brief_name);
}

/* Returns how many calls of SITE were only counted, for the column "counted".  */
static uint64_t site_counted_cell(const struct site *site) {
  return site->estimate != NULL ? site->estimate->counted : 0;
}

/* Returns how many calls of SITE were followed, for the column "followed".  */
static uint64_t site_followed_cell(const struct site *site) {
  return site->measured->on_work.local.count - site_counted_cell(site);
}

/* Returns how many of the counted calls of SITE were timed one by one, for the column "timed".  */
static uint64_t site_timed_cell(const struct site *site) {
  return site->estimate != NULL ? site->estimate->timed : 0;
}

/* Returns the standard error of the local work of SITE, for the column "on_work_local_error".  */
static uint64_t site_error_cell(const struct site *site) {
  return site->estimate != NULL ? site->estimate->error : 0;
}

#define OFFSET(member) offsetof(struct cilkprof_site, member)
/* A number that only the CSV and JSON show.  */
#define NUMBER(field, member, column_kind)                                                                             \
  { .name = field, .kind = column_kind, .offset = OFFSET(member) }
#define MEASURE(field, member)                                                                                         \
  NUMBER(field "_count", member.count, COLUMN_INTEGER), NUMBER(field "_work", member.work, COLUMN_COST),               \
      NUMBER(field "_span", member.span, COLUMN_COST),                                                                 \
      NUMBER(field "_burdened_span", member.burdened_span, COLUMN_COST)
/* A column that only the text shows.  */
#define TEXT(place, above, below, columns_wide, column_kind, ...)                                                      \
  { .text_place = place, .group = above, .heading = below, .width = columns_wide, .kind = column_kind, __VA_ARGS__ }

const struct column columns[] = {
    {.name = "file", .kind = COLUMN_STRING, .string = site_file_cell},
    {.name = "line", .kind = COLUMN_INTEGER, .integer = site_line_cell},
    {.name = "column", .kind = COLUMN_INTEGER, .integer = site_column_cell},
    {.name = "kind", .kind = COLUMN_STRING, .string = site_kind_cell},
    {.name = "caller", .kind = COLUMN_STRING, .string = site_caller_cell},
    {.name = "callee", .kind = COLUMN_STRING, .string = site_callee_cell},
    MEASURE("on_work_top_call_site", on_work.top_call_site),
    MEASURE("on_work_top_caller", on_work.top_caller),
    MEASURE("on_work_local", on_work.local),
    MEASURE("on_span_top_call_site", on_span.top_call_site),
    MEASURE("on_span_top_caller", on_span.top_caller),
    MEASURE("on_span_local", on_span.local),
    {.name = "counted", .kind = COLUMN_INTEGER, .integer = site_counted_cell},
    {.name = "followed", .kind = COLUMN_INTEGER, .integer = site_followed_cell},
    {.name = "timed", .kind = COLUMN_INTEGER, .integer = site_timed_cell},
    {.name = "on_work_local_error", .kind = COLUMN_COST, .integer = site_error_cell},
    TEXT(1, NULL, "% span", 6, COLUMN_SPAN_SHARE, .offset = OFFSET(on_span.local.span)),
    TEXT(2, NULL, "", -SHARE_BAR_WIDTH, COLUMN_SPAN_BAR),
    TEXT(3, "on span", "local span", 10, COLUMN_COST, .offset = OFFSET(on_span.local.span), .local = true),
    TEXT(4, "on span", "local work", 10, COLUMN_COST, .offset = OFFSET(on_span.local.work), .local = true,
         .dispensable = 3),
    TEXT(5, "on span", "work", 8, COLUMN_COST, .offset = OFFSET(on_span.top_call_site.work), .dispensable = 1),
    TEXT(6, "on span", "span", 8, COLUMN_COST, .offset = OFFSET(on_span.top_call_site.span), .dispensable = 4),
    TEXT(7, "on span", "parallel", 8, COLUMN_PARALLELISM, .offset = OFFSET(on_span.top_call_site)),
    TEXT(8, "on work", "work", 8, COLUMN_COST, .offset = OFFSET(on_work.top_call_site.work), .dispensable = 5),
    TEXT(9, "on work", "span", 8, COLUMN_COST, .offset = OFFSET(on_work.top_call_site.span), .dispensable = 2),
    TEXT(10, "on work", "parallel", 8, COLUMN_PARALLELISM, .offset = OFFSET(on_work.top_call_site), .dispensable = 6),
    TEXT(11, NULL, "count", 10, COLUMN_INTEGER, .offset = OFFSET(on_work.local.count), .dispensable = 7),
    TEXT(12, NULL, "kind", -6, COLUMN_STRING, .string = site_kind_cell),
    TEXT(13, NULL, "place", 0, COLUMN_STRING, .string = site_place_cell, .brief_string = site_brief_place_cell),
    TEXT(14, NULL, "caller -> callee", -1, COLUMN_STRING, .string = site_call_cell),
};
const size_t column_count = sizeof columns / sizeof *columns;

bool is_site_column_unknown(const struct column *column, const struct site *site) {
  return site->sampled && column->kind == COLUMN_INTEGER && column->integer == NULL;
}

uint64_t site_column_integer(const struct column *column, const struct site *site) {
  if (column->integer != NULL)
    return column->integer(site);
  return *(const uint64_t *)((const char *)site->measured + column->offset);
}
