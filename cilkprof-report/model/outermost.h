/* The cost of the calls of several call sites, without counting nested calls twice.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OUTERMOST_H
#define CILKPROF_REPORT_OUTERMOST_H

#include "cilkprof-report/model/model.h"

/* The cost of the outermost calls of a set of sites: the calls that are not nested in other calls of the set.  */
struct outermost {
  struct cilkprof_measure on_work, on_span;
};

/* Working memory for model_outermost_calls, which can be used for many sets.  */
struct nesting {
  const struct model *model;
  uint32_t *reached;            /* by function number: the last set whose calls reach the function */
  uint32_t set;                 /* number of the current set */
  const struct function **path; /* stack of functions whose calls are still to be followed */
  size_t path_length;
};

struct nesting make_model_nesting(const struct model *model);
void free_model_nesting(struct nesting *nesting);

/* Returns the cost of the outermost calls of COUNT sites.  It is exact unless a site's calls are nested in other calls
   of the set sometimes but not always: then the work is a lower bound, and spans are estimates.  */
struct outermost model_outermost_calls(struct nesting *nesting, const struct site *const *sites, size_t count);

/* Scales MEASURE so that VALUE, which is its work or span, becomes at most MOST.  Work and spans are scaled by the same
   factor, so that the parallelism stays as measured.  */
void limit_model_measure(struct cilkprof_measure *measure, uint64_t value, uint64_t most);

/* Computes ENTERED of every function: the cost of the outermost calls among all calls of the function.  */
void find_model_entered_cost(struct model *model);

#endif
