/* Stacks for the exports.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/support.h"

/* Returns whether an export is made from samples: the requested metric is, or the profile has only samples.  */
bool export_shows_samples(const struct model *model, const struct options *options) {
  return model->samples != NULL && (model->run_count == 0 || options->weight >= WEIGHT_IDLENESS);
}

/* Returns the calling contexts as stacks, with work, span and calls.  */
static struct stacks export_stacks_of_contexts(const struct model *model) {
  const struct contexts *contexts = &model->contexts;
  const struct object *object = model->program_file->object;
  struct stacks stacks = {
      .functions = &model->functions,
      .unit = exported_cost_unit(model),
      .timed = model->run.units_per_second > 0,
      .stacks = allocate(contexts->count, sizeof *stacks.stacks),
      .count = contexts->count,
      .weights = {WEIGHT_WORK, WEIGHT_SPAN, WEIGHT_CALLS},
      .weight_count = 3,
      .path = object->path,
      .build_id = object->build_id,
      .build_id_size = object->build_id_size,
  };
  for (size_t i = 0; i < contexts->count; i++) {
    const struct context *from = &contexts->contexts[i];
    const struct site *site = &model->sites[from->site];
    stacks.stacks[i] = (struct stack){
        .parent = from->parent,
        .function = site->callee,
        .line = site->line,
        .values = {[WEIGHT_WORK] = exported_cost(model, from->own_work),
                   [WEIGHT_SPAN] = exported_cost(model, from->own_span),
                   [WEIGHT_CALLS] = from->on_work.count},
    };
  }
  return stacks;
}

/* Returns the sampled contexts of a parallel run as stacks, with work and waste in nanoseconds.  */
static struct stacks export_stacks_of_samples(const struct samples *samples) {
  struct stacks stacks = {
      .functions = &samples->functions,
      .unit = "nanoseconds",
      .timed = true,
      .stacks = allocate(samples->count, sizeof *stacks.stacks),
      .count = samples->count,
      .weights = {WEIGHT_WORK, WEIGHT_IDLENESS, WEIGHT_OVERHEAD, WEIGHT_WAITING},
      .weight_count = WASTE_KINDS,
      .path = samples->object.path,
      .build_id = samples->object.build_id,
      .build_id_size = samples->object.build_id_size,
      .timeline = samples->timeline.bucket_ns > 0 ? &samples->timeline : NULL,
  };
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *from = &samples->contexts[i];
    struct stack *stack = &stacks.stacks[i];
    *stack = (struct stack){.parent = from->parent, .function = from->function, .line = from->line};
    for (size_t kind = 0; kind < WASTE_KINDS; kind++)
      stack->values[stacks.weights[kind]] = from->own.of[kind];
  }
  return stacks;
}

/* Returns the stacks that an export shows: sampled contexts, or calling contexts with work and span, as the options
   request.  The caller frees the array in it.  */
struct stacks make_export_stacks(const struct model *model, const struct options *options) {
  return export_shows_samples(model, options) ? export_stacks_of_samples(model->samples)
                                              : export_stacks_of_contexts(model);
}

size_t export_stack_path(const struct stacks *stacks, uint32_t stack, uint32_t **path, size_t *room) {
  size_t length = 0;
  for (; stack != NO_CONTEXT; stack = stacks->stacks[stack].parent) {
    *path = grow_array(*path, length, room, sizeof **path);
    (*path)[length++] = stack;
  }
  return length;
}

/* Returns the name of the unit in which STACKS have the metric WEIGHT.  */
const char *export_stacks_unit(const struct stacks *stacks, enum weight weight) {
  return weight == WEIGHT_CALLS ? "count" : stacks->unit;
}
