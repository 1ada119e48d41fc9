/* The sum of the samples of several runs.  Stacks with the same path are added up.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/input.h"
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
    sum->counters = grow_array(sum->counters, sum->count, &sum->counter_room, sizeof *sum->counters);
    sum->counters[sum->count] = (struct cilkprof_counters){.stack = place};
    sum->spans = grow_array(sum->spans, sum->count, &sum->span_room, sizeof *sum->spans);
    sum->spans[sum->count] = (struct cilkprof_stack_span){.stack = place};
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

/* Adds what the processor counted in the stacks of PROFILE to SUM.  PLACES[i] is the number in the sum of its stack
   number i.  */
static void add_model_counters(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *places) {
  for (size_t i = 0; i < profile->counters_count; i++) {
    const struct cilkprof_counters *from = &profile->counters[i];
    struct cilkprof_counters *to = &sum->counters[places[from->stack]];
    model_add_saturating(&to->instructions, from->instructions);
    model_add_saturating(&to->cycles, from->cycles);
    model_add_saturating(&to->misses, from->misses); /* one that is not counted makes the sum not counted */
    model_add_saturating(&to->hitm, from->hitm);
  }
}

/* Adds what of the stacks of PROFILE is on the span to SUM.  PLACES is as above.  */
static void add_model_stack_spans(struct sample_sum *sum, const struct cilkprof_profile *profile,
                                  const uint32_t *places) {
  for (size_t i = 0; i < profile->stack_span_count; i++) {
    struct cilkprof_stack_span *to = &sum->spans[places[profile->stack_spans[i].stack]];
    model_add_saturating(&to->samples, profile->stack_spans[i].samples);
    model_add_saturating(&to->work_ns, profile->stack_spans[i].work_ns);
  }
}

/* Makes the threads of PROFILE, the only one so far, those of SUM: what they did, and when.  OBJECTS[i] and PLACES[i]
   are the numbers in the sum of its object and of its stack number i.  */
static void copy_model_threads(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *objects,
                               const uint32_t *places) {
  sum->thread_count = profile->thread_count;
  sum->threads = allocate(profile->thread_count, sizeof *sum->threads);
  for (size_t i = 0; i < profile->thread_count; i++) {
    const struct cilkprof_transitions *from = &profile->threads[i];
    struct cilkprof_transition *list = allocate(from->count, sizeof *list);
    for (size_t k = 0; k < from->count; k++) {
      list[k] = from->list[k];
      if (list[k].kind == CILKPROF_TRANSITION_PATH)
        list[k].address = places[list[k].address];
      if (list[k].object != CILKPROF_NO_OBJECT)
        list[k].object = objects[list[k].object];
    }
    sum->threads[i] = (struct cilkprof_transitions){from->dropped, from->count, list};
  }
}

void add_model_samples(struct sample_sum *sum, const struct cilkprof_profile *profile, const uint32_t *objects,
                       const char *path) {
  const struct cilkprof_sampling *sampling = &profile->sampling;
  bool of_others =
      sum->profiles > 0 && (sum->sampling.sampled == CILKPROF_SAMPLED_SERIAL) != !has_parallel_samples(profile);
  if (!profile->has_sampling || (of_others && !has_parallel_samples(profile)))
    return;
  if (of_others)
    *sum = (struct sample_sum){0};
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
  add_model_counters(sum, profile, places);
  add_model_stack_spans(sum, profile, places);
  if (sum->profiles == 1)
    copy_model_threads(sum, profile, objects, places);
  else
    sum->thread_count = 0;
  free(places);
}
