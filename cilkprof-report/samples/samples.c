/* Builds contexts and functions from sampled profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/sum-samples.h"
#include "cilkprof-report/objects/find.h"
#include "cilkprof-report/samples/tree.h"
#include "cilkprof-report/support/support.h"

void waste_add(struct waste *sum, const struct waste *waste) {
  for (size_t i = 0; i < WASTE_KINDS; i++)
    add_saturating(&sum->of[i], waste->of[i]);
}

const char *waste_name(enum waste_kind kind) {
  static const char *const names[WASTE_KINDS] = {"work", "idleness", "overhead", "waiting"};
  return names[kind];
}

/* Returns whether the program that the user named took part in one of the runs.  */
static bool is_sampled(const struct input *input, const struct object *program) {
  for (size_t i = input->measured; i < input->count; i++)
    if (is_profiled(program, &input->profiles[i]))
      return true;
  return false;
}

/* Binds the program that the user named if it took part in the run; otherwise the one that did.  */
static struct binding *bind_sampled(const struct input *input, size_t i, struct bindings *bindings,
                                    const struct options *options) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  if (input->program != NULL) {
    struct binding *binding =
        bindings_program(bindings, input->program, options->symbol_table, options->debug_folders, options->force);
    const struct object *object = binding->files[0]->object;
    if (options->force || is_profiled(object, profile))
      return binding;
    if (!is_sampled(input, object))
      fail(input->program,
           "its build-id %s is not that of the profiled program, %s; name the program that ran, or use --force",
           format_build_id(object->build_id, object->build_id_size),
           format_build_id(profile->objects[0].build_id, profile->objects[0].build_id_size));
  }
  const char *program = input_find_program(profile, input->paths[i], options);
  return bindings_program(bindings, program, NULL, options->debug_folders, options->force);
}

/* Returns the file of each object of profile number I, or NULL for objects whose file is not found.  */
static struct bound_object **bind_objects(struct binding *binding, const struct input *input, size_t i) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  struct bound_object **bound = allocate(profile->object_count, sizeof *bound);
  for (size_t o = 0; o < profile->object_count; o++) {
    const char *wrong = NULL, *path = profile->objects[o].path;
    if (o == 0 && binding->force && binding->count > 0)
      bound[o] = binding->files[0];
    else
      bound[o] = bind_object(binding, &profile->objects[o], input->paths[i], is_system_file(path), &wrong);
  }
  return bound;
}

/* Adds profile number I.  Fails if its samples cannot be added to those before it.  */
static void add_profile(struct samples *samples, const struct input *input, size_t i, struct bindings *bindings,
                        const struct options *options) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  if (profile->object_count == 0)
    fail(input->paths[i], "it names no program");
  if (samples->profiles > 0 && !is_same_machine(&samples->sampling, &profile->sampling))
    fail(
        input->paths[i],
        "it ran with %llu workers on %llu processors, others with %llu on %llu: their samples cannot be added up; only "
        "one of them with 1 worker can be told beside others",
        (unsigned long long)profile->sampling.workers, (unsigned long long)profile->sampling.processors,
        (unsigned long long)samples->sampling.workers, (unsigned long long)samples->sampling.processors);
  if (samples->profiles == 0) {
    samples->sampling = profile->sampling;
    samples->program = profile->program;
    samples->run = profile->run;
    samples->object = profile->objects[0];
    samples->timeline = profile->timeline;
  } else {
    sampling_add(&samples->sampling, &profile->sampling);
    samples->program.flags |= profile->program.flags;
    samples->timeline = (struct cilkprof_timeline){0};
  }
  samples->profiles++;
  struct bound_object **bound = bind_objects(bind_sampled(input, i, bindings, options), input, i);
  struct object_frames *frames = frames_find(samples, profile, bound);
  tree_add(samples, profile, frames, options->fold_recursion);
  free(bound);
}

static int compare_waste(const void *left, const void *right) {
  const struct sample_function *a = *(const struct sample_function *const *)left,
                               *b = *(const struct sample_function *const *)right;
  uint64_t one = waste_lost(&a->all), other = waste_lost(&b->all);
  if (one != other)
    return one > other ? -1 : 1;
  one = waste_effort(&a->all), other = waste_effort(&b->all);
  return one != other ? one > other ? -1 : 1 : a < b ? -1 : a > b;
}

static int compare_lines(const void *left, const void *right) {
  const struct sample_line *a = left, *b = right;
  int order = strcmp(a->file, b->file);
  return order != 0 ? order : a->line < b->line ? -1 : a->line > b->line;
}

/* Computes the sum of all contexts of each function, and sorts functions and lines.  */
static void add_up_functions(struct samples *samples) {
  size_t count = samples->functions.count;
  samples->of_function = allocate(count, sizeof *samples->of_function);
  samples->by_waste = allocate(count, sizeof *samples->by_waste);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    struct sample_function *of = &samples->of_function[context->function->number];
    if (of->function == NULL)
      samples->by_waste[samples->function_count++] = of;
    of->function = context->function;
    waste_add(&of->own, &context->own);
    if (!context->nested)
      waste_add(&of->all, &context->all);
  }
  if (samples->function_count > 0)
    qsort(samples->by_waste, samples->function_count, sizeof *samples->by_waste, compare_waste);
  if (samples->line_count > 0)
    qsort(samples->lines, samples->line_count, sizeof *samples->lines, compare_lines);
}

/* Sets all names of the functions and sorts them.  */
static void name_functions(struct functions *functions, const struct options *options) {
  functions->by_name = allocate(functions->count, sizeof *functions->by_name);
  for (size_t i = 0; i < functions->count; i++)
    functions->by_name[i] = functions->list[i];
  functions_name(functions, options->demangle_style);
  functions_sort(functions);
  functions_tell_apart(functions);
  functions_name_briefly(functions, options->full_names);
}

/* Returns the sum of ALL sampled profiles or, otherwise, of those with one worker if SERIAL and of the others if not.
   Returns NULL if there are none.  */
static struct samples *sum_profiles(const struct input *input, bool serial, bool all, struct bindings *bindings,
                                    const struct options *options) {
  struct samples *samples = allocate(1, sizeof *samples);
  for (size_t i = 0; i < input->count; i++)
    if (input->profiles[i].has_sampling && (all || (input->profiles[i].sampling.workers == 1) == serial))
      add_profile(samples, input, i, bindings, options);
  if (samples->profiles == 0) {
    free(samples);
    return NULL;
  }
  table_forget(&samples->table);
  table_forget(&samples->line_table);
  tree_finish(samples);
  name_functions(&samples->functions, options);
  add_up_functions(samples);
  return samples;
}

struct samples *samples_build(const struct input *input, const struct options *options) {
  size_t count = 0, serial = 0;
  for (size_t i = 0; i < input->count; i++) {
    count += input->profiles[i].has_sampling != 0;
    serial += input->profiles[i].has_sampling && input->profiles[i].sampling.workers == 1;
  }
  if (count == 0)
    return NULL;
  bool mixed = serial > 0 && serial < count;
  struct bindings bindings = {0};
  struct samples *samples = sum_profiles(input, false, !mixed, &bindings, options);
  if (mixed)
    samples->reference = sum_profiles(input, true, false, &bindings, options);
  bindings_close(&bindings);
  return samples;
}
