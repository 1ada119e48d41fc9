/* Stacks for the exports: calling contexts with work and span, or samples of a parallel run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_STACKS_H
#define CILKPROF_REPORT_STACKS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* A calling context with its exclusive values.  */
struct stack {
  uint32_t parent; /* an earlier stack; NO_CONTEXT: start of the program */
  const struct function *function;
  uint32_t line; /* of the call, in the function of PARENT */
  uint64_t values[WEIGHTS];
};

struct stacks {
  const struct functions *functions;
  const char *unit;     /* of costs */
  bool timed;           /* costs are times, not instructions */
  struct stack *stacks; /* parents come first */
  size_t count;
  enum weight weights[WEIGHTS]; /* the metrics that the stacks have */
  size_t weight_count;
  const char *path; /* of the program */
  const uint8_t *build_id;
  size_t build_id_size;
  const struct cilkprof_timeline *timeline; /* or NULL */
};

/* Makes the stacks that the options request.  */
struct stacks make_export_stacks(const struct model *model, const struct options *options);
/* Returns whether the stacks come from samples: the requested metric does, or the profile has only samples.  */
bool export_shows_samples(const struct model *model, const struct options *options);
/* Stores the indices from STACK to its outermost caller in *PATH, which has *ROOM elements and belongs to the caller.
   Returns how many there are.  */
size_t export_stack_path(const struct stacks *stacks, uint32_t stack, uint32_t **path, size_t *room);
/* Returns the name of the unit of a metric.  */
const char *export_stacks_unit(const struct stacks *stacks, enum weight weight);

#endif
