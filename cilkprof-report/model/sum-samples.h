/* The sum of the samples of several runs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SUM_SAMPLES_H
#define CILKPROF_REPORT_SUM_SAMPLES_H

#include "cilkprof-report/support/table.h"
#include "fmt/profile.h"

/* The sum of all samples so far.  Initially {0}.  */
struct sample_sum {
  struct cilkprof_sampling sampling;
  struct cilkprof_stack *stacks; /* parents first */
  size_t count, room, profiles;
  struct table table;
  struct cilkprof_counters *counters; /* of each stack; without cycles if it has none */
  struct cilkprof_stack_span *spans;  /* of each stack; without samples if it is not on the span */
  size_t counter_room, span_room;
  struct cilkprof_timeline timeline;    /* only if there is one run: timelines of several cannot be added up */
  struct cilkprof_transitions *threads; /* likewise */
  size_t thread_count;
};

/* Returns whether samples of both runs may be added up: the runs had as many processors and workers, and the same
   parallel language.  */
bool model_sampling_is_addable(const struct cilkprof_sampling *one, const struct cilkprof_sampling *other);

/* Adds the samples of PROFILE, if it has any.  OBJECTS[i] is the number in the sum of its object number i.  PATH is the
   file of the profile, for messages.  Fails if the samples cannot be added up; but where there are samples of parallel
   runs, those of serial ones are left out.  */
void add_model_samples(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *objects,
                       const char *path);

/* Adds the counts and times of SAMPLING to SUM.  */
void add_model_sampling(struct cilkprof_sampling *sum, const struct cilkprof_sampling *sampling);

#endif
