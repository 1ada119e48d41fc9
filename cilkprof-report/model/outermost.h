/* What the calls of several sites cost together, with nothing counted twice.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OUTERMOST_H
#define CILKPROF_REPORT_OUTERMOST_H

#include "cilkprof-report/model/model.h"

/* The outermost calls of a set of sites: those that lie below no other one of the set.  */
struct outermost {
  struct cilkprof_measure on_work, on_span;
};

/* What is needed to find them, for one set after another.  */
struct nesting {
  const struct model *model;
  uint32_t *reached; /* by function number: the last set whose calls lead to the function */
  uint32_t set;
  const struct function **path; /* functions whose calls are still to be followed */
  size_t path_length;
};

struct nesting nesting_make(const struct model *model);
void nesting_free(struct nesting *nesting);

/* Exact, unless calls lie below others of the set sometimes, but not always: then at least what is certain, and spans
   are estimates.  */
struct outermost outermost_of(struct nesting *nesting, const struct site *const *sites, size_t count);

/* Makes VALUE of the measure, its work or span, no more than MOST, and what else it costs less by the same factor: so
   the parallelism stays as it was measured.  */
void limit_measure(struct cilkprof_measure *measure, uint64_t value, uint64_t most);

/* The same of the call sites that lead to a function, for all functions.  */
void find_entered(struct model *model);

#endif
