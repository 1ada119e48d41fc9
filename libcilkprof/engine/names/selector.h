/* Selectors: how users name call sites, by a function as the report prints it, or by a source location FILE:LINE or
   FILE:LINE:COLUMN.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SELECTOR_H
#define CILKPROF_SELECTOR_H

#include "libcilkprof/engine/engine.h"

/* Selects all call sites that call this function, or all at this line or column.  */
struct cilkprof_selector {
  const char *name; /* a function, or a file */
  uint64_t line;    /* of the file; 0: it is a function */
  uint64_t column;  /* of the line; 0: all */
  int is_loop;      /* only the loops of that line */
};

HIDDEN struct cilkprof_selector __cilkprof_parse_selector(char *text);

HIDDEN int __cilkprof_selects(const struct cilkprof_selector *selector, const void *slot, const void *callee_slot);

/* match_name.c: whether the first LENGTH bytes of TEXT are what the report may print for NAME, the full name of a
   function.  */
HIDDEN int __cilkprof_match_name(const char *text, size_t length, const char *name);

/* Returns the first MARK in TEXT, or its end; marks between brackets or in the name of an operator do not count.  */
HIDDEN char *__cilkprof_find_selector_mark(char *text, char mark);

HIDDEN char *__cilkprof_next_selector(char **list);

#endif
