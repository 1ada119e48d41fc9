/* Strings as the report keeps and prints them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_NAMES_H
#define CILKPROF_REPORT_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include "cilkprof-report/support/table.h"

/* A set of strings, each kept once: two names are equal when their pointers are.  Starts as {0}.  */
struct names {
  struct table table;
  const char **strings;
  size_t count, room;
  char *block; /* where the next string goes */
  size_t left;
};
size_t name_number(struct names *names, const char *string); /* its place among STRINGS */
const char *name_of(struct names *names, const char *string);
const char *name_find(struct names *names, const char *string); /* NULL when it is not there */

/* The string with what is not text as \ooo, so that no name can move the cursor, break a line or turn it around:
   control characters, and bytes that are not UTF-8.  Allocated.  */
char *escape(const char *string);
/* Whether escape would change nothing: nearly all names are printable ASCII.  */
bool is_plain(const char *string);
/* The same for any bytes; the control characters in ADMITTED stay.  */
char *escape_bytes(const char *bytes, size_t size, const char *admitted);

/* A demangled name without parameters and what else only the compiler cares for.  Template arguments are left out, or
   shown so many levels deep.  Allocated.  */
char *brief_name(const char *name, int level);

/* The number of a style of symbols that the GNU tools name so.  Fails when there is none.  */
int demangle_style(const char *name);
/* A symbol as its programmer wrote it, with or without its parameters, escaped.  Allocated.  */
char *demangle(const char *symbol, int style, bool parameters);

#endif
