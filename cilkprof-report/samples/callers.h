/* Functions with their callers: the tree of calling contexts, inverted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CALLERS_H
#define CILKPROF_REPORT_CALLERS_H

#include "cilkprof-report/samples/samples.h"

/* A node of the inverted tree: a function, or a caller in a chain of callers above it.  It has the function's own time
   when it was called through this chain.  */
struct caller {
  uint32_t parent;                    /* its callee, an earlier node; NO_CONTEXT: the node is the function itself */
  uint32_t first_child, next_sibling; /* sorted by idleness, largest first */
  struct function *function;
  const char *file; /* file of the call; NULL: unknown, or the node is the function itself */
  uint32_t line;
  struct waste own;
};

struct callers {
  struct caller *callers;
  size_t count, room;
  uint32_t first; /* first function */
};

/* Returns the inverted tree of all contexts that have time of their own.  */
struct callers find_sample_callers(const struct samples *samples);

#endif
