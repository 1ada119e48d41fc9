/* The sum of the samples of several runs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SUM_SAMPLES_H
#define CILKPROF_REPORT_SUM_SAMPLES_H

#include "cilkprof-report/support/table.h"
#include "fmt/profile.h"

/* Starts as {0}.  */
struct sample_sum {
  struct cilkprof_sampling sampling;
  struct cilkprof_stack *stacks; /* parents first */
  size_t count, room, profiles;
  struct table table;
  struct cilkprof_timeline timeline; /* of one run: those of several say nothing together */
};

/* Whether samples of both runs may be added up: they had as many processors and workers.  */
bool is_same_machine(const struct cilkprof_sampling *one, const struct cilkprof_sampling *other);

/* Adds those of a profile, if it has some, whose object number i is OBJECTS[i] of the sum.  Fails when they cannot be
   added up.  */
void samples_add(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *objects,
                 const char *path);

/* What a sum of two is.  */
void sampling_add(struct cilkprof_sampling *sum, const struct cilkprof_sampling *sampling);

#endif
