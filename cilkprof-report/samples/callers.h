/* Functions with those that called them: the tree of contexts from its other end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CALLERS_H
#define CILKPROF_REPORT_CALLERS_H

#include "cilkprof-report/samples/samples.h"

/* A function's own time, as far as it was called by the chain from PARENT on.  */
struct caller {
  uint32_t parent;                    /* what it called, an earlier one; NO_CONTEXT: it is the function itself */
  uint32_t first_child, next_sibling; /* those with most idleness first */
  struct function *function;
  const char *file; /* where it calls that; NULL: not known, or it is the function itself */
  uint32_t line;
  struct waste own;
};

struct callers {
  struct caller *callers;
  size_t count, room;
  uint32_t first; /* function */
};

struct callers callers_of(const struct samples *samples);

#endif
