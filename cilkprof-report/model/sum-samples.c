/* The sum of the samples of several runs.  Stacks with the same path are added up.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/model/sum-samples.h"
#include "cilkprof-report/support/support.h"

bool model_sampling_is_addable(const struct cilkprof_sampling *one, const struct cilkprof_sampling *other) {
  return one->processors == other->processors && one->workers == other->workers && one->sampled == other->sampled;
}

/* Sets *LARGEST to VALUE if VALUE is larger.  */
static void raise_model_sampling_value(uint64_t *largest, uint64_t value) {
  *largest = value > *largest ? value : *largest;
}

/* Adds the counts and times of SAMPLING to SUM.  The clock, the number of threads and the sampling frequency of SUM
   become the largest of both.  */
void add_model_sampling(struct cilkprof_sampling *sum, const struct cilkprof_sampling *sampling) {
  raise_model_sampling_value(&sum->clock, sampling->clock);
  raise_model_sampling_value(&sum->threads, sampling->threads);
  raise_model_sampling_value(&sum->hz, sampling->hz);
  model_add_saturating(&sum->runs, sampling->runs);
  model_add_saturating(&sum->elapsed_ns, sampling->elapsed_ns);
  model_add_saturating(&sum->cpu_ns, sampling->cpu_ns);
  model_add_saturating(&sum->samples, sampling->samples);
  model_add_saturating(&sum->idle_samples, sampling->idle_samples);
  model_add_saturating(&sum->lost_samples, sampling->lost_samples);
  model_add_saturating(&sum->delayed_ns, sampling->delayed_ns); /* one that is unknown makes the sum unknown */
}

/* Callback of hash_table_find: returns whether two sampled stacks have the same parent and the same frame.  */
static bool is_same_model_stack(const void *array, size_t place, const void *key) {
  const struct cilkprof_stack *a = (const struct cilkprof_stack *)array + place, *b = key;
  return a->parent == b->parent && a->object == b->object && a->kind == b->kind && a->address == b->address;
}

/* Adds the sampled STACK to SUM, or its values if the sum has the stack already.  Returns its number in the sum.  Fails
   if there are too many, with a message about the profile PATH.  */
static uint32_t add_model_stack(struct sample_sum *sum, const struct cilkprof_stack *stack, const char *path) {
  uint64_t hash = hash_add(hash_add(0, (uint64_t)stack->parent << 32 | stack->object), stack->address);
  size_t place =
      hash_table_find(&sum->table, hash_add(hash, stack->kind), is_same_model_stack, sum->stacks, stack, sum->count);
  if (place == sum->count) {
    if (place == CILKPROF_NO_CONTEXT)
      fail(path, "it has too many call paths to be added");
    sum->stacks = grow_array(sum->stacks, sum->count, &sum->room, sizeof *sum->stacks);
    sum->stacks[sum->count++] = *stack;
    return (uint32_t)place;
  }
  struct cilkprof_stack *known = &sum->stacks[place];
  model_add_saturating(&known->samples, stack->samples);
  model_add_saturating(&known->work_ns, stack->work_ns);
  model_add_saturating(&known->idleness_ns, stack->idleness_ns);
  model_add_saturating(&known->waiting_ns, stack->waiting_ns);
  return (uint32_t)place;
}

void add_model_samples(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *objects,
                       const char *path) {
  const struct cilkprof_sampling *sampling = &profile->sampling;
  if (!profile->has_sampling)
    return;
  if (sum->profiles > 0 && !model_sampling_is_addable(&sum->sampling, sampling))
    fail(path,
         "it ran with %llu workers on %llu processors, the previous ones with %llu on %llu: their samples cannot be "
         "added up; report it by itself",
         (unsigned long long)sampling->workers, (unsigned long long)sampling->processors,
         (unsigned long long)sum->sampling.workers, (unsigned long long)sum->sampling.processors);
  if (sum->profiles == 0)
    sum->sampling = *sampling;
  else
    add_model_sampling(&sum->sampling, sampling);
  sum->timeline = sum->profiles++ == 0 ? profile->timeline : (struct cilkprof_timeline){0};
  uint32_t *places = allocate(profile->stack_count, sizeof *places);
  for (size_t i = 0; i < profile->stack_count; i++) {
    struct cilkprof_stack stack = profile->stacks[i];
    stack.parent = stack.parent == CILKPROF_NO_CONTEXT ? CILKPROF_NO_CONTEXT : places[stack.parent];
    stack.object = stack.object == CILKPROF_NO_OBJECT ? CILKPROF_NO_OBJECT : objects[stack.object];
    places[i] = add_model_stack(sum, &stack, path);
  }
  free(places);
}
