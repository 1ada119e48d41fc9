/* Bottlenecks: the code that makes up the critical path.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BOTTLENECKS_H
#define CILKPROF_REPORT_BOTTLENECKS_H

#include "cilkprof-report/model/model.h"

enum bottleneck_kind {
  BOTTLENECK_CODE,   /* own code of a function whose callees are parallel */
  BOTTLENECK_LOOP,   /* own code of a cilk_for */
  BOTTLENECK_SERIAL, /* calls of a function without parallelism, including callees */
  BOTTLENECK_SERIAL_LOOP,
  BOTTLENECK_KINDS,
};

enum { MOST_PLACES = 3 };

struct bottleneck {
  enum bottleneck_kind kind;
  const struct function *function;
  struct cilkprof_measure held;           /* on the critical path */
  const struct site *places[MOST_PLACES]; /* its call sites, largest first */
  size_t place_count;                     /* number of call sites, which may be more than PLACES has */
  const struct site *part;                /* call with the largest share of HELD, or NULL */
  uint64_t part_span;
};

/* Returns the smallest span that is worth a finding.  */
uint64_t least_bottleneck_span(const struct model *model);

void add_bottleneck_place(struct bottleneck *bottleneck, const struct site *site);

/* Finds bottlenecks with at least LEAST of the span, at most COUNT, largest first.  Returns their number.  */
size_t find_bottlenecks(const struct model *model, uint64_t least, struct bottleneck *bottlenecks, size_t count);

#endif
