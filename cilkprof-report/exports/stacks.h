/* Calling contexts as other programs see them: of work and span, or of samples of a parallel run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_STACKS_H
#define CILKPROF_REPORT_STACKS_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* Without what is below it.  */
struct stack {
  uint32_t parent; /* an earlier one, NO_CONTEXT: the program's start */
  const struct function *function;
  uint32_t line; /* of the call, in the function of PARENT */
  uint64_t values[WEIGHTS];
};

struct stacks {
  const struct functions *functions;
  const char *unit;     /* of costs */
  bool timed;           /* costs are times, not instructions */
  struct stack *stacks; /* parents first */
  size_t count;
  enum weight weights[WEIGHTS]; /* that they have */
  size_t weight_count;
  const char *path; /* of the program */
  const uint8_t *build_id;
  size_t build_id_size;
  const struct cilkprof_timeline *timeline; /* or NULL */
};

/* Those that the options ask for.  */
struct stacks stacks_make(const struct model *model, const struct options *options);
/* Whether the weight that was asked for, or all, are those of samples.  */
bool shows_samples(const struct model *model, const struct options *options);
/* The numbers from STACK up to an outermost one, in *PATH, which has *ROOM and is the caller's; returns how many.  */
size_t stack_path(const struct stacks *stacks, uint32_t stack, uint32_t **path, size_t *room);
/* The name of the unit of a weight.  */
const char *stacks_unit(const struct stacks *stacks, enum weight weight);

#endif
