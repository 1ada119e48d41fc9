/* What a user names: a function as the report prints it, or a place FILE:LINE; all call sites with that callee, or
   there.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_NAMED_H
#define CILKPROF_NAMED_H

#include "libcilkprof/engine/engine.h"

struct cilkprof_named {
  const char *name; /* a function, or a file */
  uint64_t line;    /* of the file; 0: it is a function */
  int is_loop;      /* only the loops of that line */
};

/* TEXT is FUNCTION, FILE:LINE or cilk_for FILE:LINE; it is changed, and what is returned points into it.  */
HIDDEN struct cilkprof_named __cilkprof_name(char *text);

/* A site with this description, whose callee is described there, is one of those.  */
HIDDEN int __cilkprof_is_named(const struct cilkprof_named *named, const void *description,
                               const void *callee_description);

/* printed.c: so many bytes of TEXT are what the report prints of NAME, a function's whole name.  */
HIDDEN int __cilkprof_is_printed(const char *text, size_t length, const char *name);

/* The first MARK of TEXT, or its end: not one between brackets, nor one that is part of an operator's name.  */
HIDDEN char *__cilkprof_find_mark(char *text, char mark);

/* Takes the first name of a list off it, without the blanks around it; NULL: there is none left.  */
HIDDEN char *__cilkprof_next_name(char **list);

#endif
