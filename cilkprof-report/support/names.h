/* Interned strings, escaping and demangling.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_NAMES_H
#define CILKPROF_REPORT_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "cilkprof-report/support/table.h"

/* A set of interned strings: two names are equal if their pointers are.  Initially {0}.  */
struct names {
  struct table table;
  const char **strings;
  size_t count, room;
  char *block; /* where the next string goes */
  size_t left;
};
/* Returns the index of STRING in STRINGS, and adds it if it is not there.  */
size_t interned_name_number(struct names *names, const char *string);
/* Returns the interned copy of STRING, and adds it if there is none.  */
const char *interned_name_text(struct names *names, const char *string);
/* Returns the interned copy of STRING, or NULL if there is none.  Adds nothing.  */
const char *find_interned_name(struct names *names, const char *string);

/* escape.c: returns the string with control characters and bytes that are not UTF-8 replaced by \ooo, so that no name
   can move the cursor, break a line or reverse its direction.  Allocated.  */
char *escape(const char *string);
/* Prints TEXT into an SVG file, with markup characters escaped.  */
void print_escaped_markup_text(FILE *out, const char *text);
/* Returns whether the string is printable ASCII, which escape does not change.  Nearly all names are.  */
bool is_printable_ascii(const char *string);
/* Escapes SIZE bytes, except for the control characters in ADMITTED.  */
char *escape_bytes(const char *bytes, size_t size, const char *admitted);
/* The same for a line of a source, whose tabs become blanks up to the next tab stop.  Allocated.  */
char *escape_source_line(const char *bytes, size_t size, const char *admitted);

/* brief.c: a demangled name without parameters and other details that matter only to the compiler.  Template arguments
   are shown LEVEL levels deep, and omitted at level 0.  Allocated.  */
char *brief_name(const char *name, int level);

/* Returns the number of the mangling style that GNU tools call NAME.  Fails if there is none.  */
int demangle_style(const char *name);
/* Returns the name of the procedure of a module of Fortran that has this symbol, as "solver::sweep"; NULL if the symbol
   is none of these.  Allocated.  */
char *fortran_module_procedure_name(const char *symbol);
/* Returns the demangled symbol, with or without its parameters, escaped.  Allocated.  */
char *demangle(const char *symbol, int style, bool parameters);

#endif
