/* The sum of the samples of several runs.  Stacks with the same path are added up.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/model/sum-samples.h"
#include "cilkprof-report/support/support.h"

bool is_same_machine(const struct cilkprof_sampling *one, const struct cilkprof_sampling *other) {
  return one->processors == other->processors && one->workers == other->workers && one->sampled == other->sampled;
}

static void raise_to(uint64_t *largest, uint64_t value) {
  *largest = value > *largest ? value : *largest;
}

void sampling_add(struct cilkprof_sampling *sum, const struct cilkprof_sampling *sampling) {
  raise_to(&sum->clock, sampling->clock);
  raise_to(&sum->threads, sampling->threads);
  raise_to(&sum->hz, sampling->hz);
  add_saturating(&sum->runs, sampling->runs);
  add_saturating(&sum->elapsed_ns, sampling->elapsed_ns);
  add_saturating(&sum->cpu_ns, sampling->cpu_ns);
  add_saturating(&sum->samples, sampling->samples);
  add_saturating(&sum->idle_samples, sampling->idle_samples);
  add_saturating(&sum->lost_samples, sampling->lost_samples);
}

/* Callback of table_find: returns whether two stacks have the same parent and the same frame.  */
static bool is_stack(const void *array, size_t place, const void *key) {
  const struct cilkprof_stack *a = (const struct cilkprof_stack *)array + place, *b = key;
  return a->parent == b->parent && a->object == b->object && a->kind == b->kind && a->address == b->address;
}

/* Adds STACK, or its values if the sum has the stack already.  Returns its number in the sum.  */
static uint32_t add_stack(struct sample_sum *sum, const struct cilkprof_stack *stack, const char *path) {
  uint64_t hash = hash_add(hash_add(0, (uint64_t)stack->parent << 32 | stack->object), stack->address);
  size_t place = table_find(&sum->table, hash_add(hash, stack->kind), is_stack, sum->stacks, stack, sum->count);
  if (place == sum->count) {
    if (place == CILKPROF_NO_CONTEXT)
      fail(path, "it has too many call paths to be added");
    sum->stacks = grow(sum->stacks, sum->count, &sum->room, sizeof *sum->stacks);
    sum->stacks[sum->count++] = *stack;
    return (uint32_t)place;
  }
  struct cilkprof_stack *known = &sum->stacks[place];
  add_saturating(&known->samples, stack->samples);
  add_saturating(&known->work_ns, stack->work_ns);
  add_saturating(&known->idleness_ns, stack->idleness_ns);
  add_saturating(&known->waiting_ns, stack->waiting_ns);
  return (uint32_t)place;
}

void samples_add(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *objects,
                 const char *path) {
  const struct cilkprof_sampling *sampling = &profile->sampling;
  if (!profile->has_sampling)
    return;
  if (sum->profiles > 0 && !is_same_machine(&sum->sampling, sampling))
    fail(
        path,
        "it ran with %llu workers on %llu processors, those before it with %llu on %llu: their samples cannot be added "
        "up; report it by itself",
        (unsigned long long)sampling->workers, (unsigned long long)sampling->processors,
        (unsigned long long)sum->sampling.workers, (unsigned long long)sum->sampling.processors);
  if (sum->profiles == 0)
    sum->sampling = *sampling;
  else
    sampling_add(&sum->sampling, sampling);
  sum->timeline = sum->profiles++ == 0 ? profile->timeline : (struct cilkprof_timeline){0};
  uint32_t *places = allocate(profile->stack_count, sizeof *places);
  for (size_t i = 0; i < profile->stack_count; i++) {
    struct cilkprof_stack stack = profile->stacks[i];
    stack.parent = stack.parent == CILKPROF_NO_CONTEXT ? CILKPROF_NO_CONTEXT : places[stack.parent];
    stack.object = stack.object == CILKPROF_NO_OBJECT ? CILKPROF_NO_OBJECT : objects[stack.object];
    places[i] = add_stack(sum, &stack, path);
  }
  free(places);
}
