/* What holds the span.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BOTTLENECKS_H
#define CILKPROF_REPORT_BOTTLENECKS_H

#include "cilkprof-report/model/model.h"

enum bottleneck_kind {
  BOTTLENECK_CODE,   /* the code of a function that is parallel in what it calls */
  BOTTLENECK_LOOP,   /* that of a cilk_for */
  BOTTLENECK_SERIAL, /* calls of a function without parallelism, with all below them */
  BOTTLENECK_KINDS,
};

enum { MOST_PLACES = 3 };

struct bottleneck {
  enum bottleneck_kind kind;
  const struct function *function;
  struct cilkprof_measure held;           /* on the span */
  const struct site *places[MOST_PLACES]; /* where it is called: the largest come first */
  size_t place_count;                     /* how many there are, also more than are known here */
  const struct site *part;                /* what holds most of it below it, or NULL */
  uint64_t part_span;
};

/* What is worth a line.  */
uint64_t large_span(const struct model *model);

/* Those that hold at least LEAST of the span, at most COUNT, the largest first.  Returns how many there are.  */
size_t bottlenecks_find(const struct model *model, uint64_t least, struct bottleneck *bottlenecks, size_t count);

#endif
