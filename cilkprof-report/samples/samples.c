/* Builds contexts and functions from sampled profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/sum-samples.h"
#include "cilkprof-report/objects/find.h"
#include "cilkprof-report/samples/slices.h"
#include "cilkprof-report/samples/tree.h"
#include "cilkprof-report/support/support.h"

/* Numbers of workers that are none: any number but one; that of a serial run.  */
#define SEVERAL 0
#define STRANDS UINT64_MAX

void sample_waste_add(struct waste *sum, const struct waste *waste) {
  for (size_t i = 0; i < WASTE_KINDS; i++)
    model_add_saturating(&sum->of[i], waste->of[i]);
  for (size_t i = 0; i < COUNTERS; i++)
    model_add_saturating(&sum->counted[i], waste->counted[i]);
  model_add_saturating(&sum->on_span, waste->on_span);
  model_add_saturating(&sum->span_samples, waste->span_samples);
}

/* Returns the name of the language or library whose threads were sampled, as tables show it.  */
const char *sampled_runtime_name(const struct cilkprof_sampling *sampling) {
  switch (sampling->sampled) {
  case CILKPROF_SAMPLED_OPENMP:
    return "OpenMP";
  case CILKPROF_SAMPLED_TBB:
    return "oneTBB";
  case CILKPROF_SAMPLED_SERIAL:
    return "serial";
  default:
    return "Cilk";
  }
}

/* Returns the name of this KIND of sampled time, as tables show it: "work", "idleness", "overhead" or "waiting".  */
const char *sample_waste_name(enum waste_kind kind) {
  static const char *const names[WASTE_KINDS] = {"work", "idleness", "overhead", "waiting"};
  return names[kind];
}

/* Returns whether PROGRAM, which the user named, took part in one of the sampled runs of INPUT.  */
static bool is_program_in_samples(const struct input *input, const struct object *program) {
  for (size_t i = input->measured; i < input->count; i++)
    if (is_profiled_object(program, &input->profiles[i]))
      return true;
  return false;
}

/* Returns the binding of the program of sampled profile number I: of the program that the user named if it took part in
   the run, otherwise of the one that did.  Fails if the named one took part in no run.  */
static struct binding *bind_sample_program(const struct input *input, size_t i, struct bindings *bindings,
                                           const struct options *options) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  if (input->program != NULL) {
    struct binding *binding = bind_program_object_once(bindings, input->program, options->symbol_table,
                                                       options->debug_folders, options->force);
    const struct object *object = binding->files[0]->object;
    if (options->force || is_profiled_object(object, profile))
      return binding;
    if (!is_program_in_samples(input, object))
      fail(input->program,
           "its build-id %s is not that of the profiled program, %s; name the program that ran, or use --force",
           format_object_build_id(object->build_id, object->build_id_size),
           format_object_build_id(profile->objects[0].build_id, profile->objects[0].build_id_size));
  }
  const char *program = find_model_input_program(profile, input->paths[i], options);
  return bind_program_object_once(bindings, program, NULL, options->debug_folders, options->force);
}

/* Returns the file of each object of sampled profile number I, or NULL for objects whose file is not found.
   Allocated.  */
static struct bound_object **bind_sample_objects(struct binding *binding, const struct input *input, size_t i) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  struct bound_object **bound = allocate(profile->object_count, sizeof *bound);
  for (size_t o = 0; o < profile->object_count; o++) {
    const char *wrong = NULL, *path = profile->objects[o].path;
    if (o == 0 && binding->force && binding->count > 0)
      bound[o] = binding->files[0];
    else
      bound[o] = bind_object(binding, &profile->objects[o], input->paths[i], is_system_source_file(path), &wrong);
  }
  return bound;
}

/* Fails if profile number I of INPUT has samples of another build than EARLIER, the program of profiles before it.
   Without build-ids, nothing is known of that.  */
static void check_sample_build(const struct input *input, size_t i, const struct cilkprof_object *earlier) {
  const struct cilkprof_object *object = &input->profiles[i].objects[0];
  if (object->build_id_size > 0 && earlier->build_id_size > 0 &&
      (object->build_id_size != earlier->build_id_size ||
       memcmp(object->build_id, earlier->build_id, object->build_id_size) != 0))
    fail(input->paths[i],
         "its samples are of another build than the previous ones; run it again, or report it separately");
}

/* Finds the runtime of OpenMP among the objects of PROFILE.  Where LLVM's took the place of GCC's, both are there.  */
static void find_sample_runtime(struct samples *samples, const struct cilkprof_profile *profile) {
  const char *gomp = NULL;
  for (size_t i = 1; i < profile->object_count && profile->sampling.sampled == CILKPROF_SAMPLED_OPENMP; i++) {
    const char *path = profile->objects[i].path, *name = base_name(path);
    if (strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp5", 8) == 0)
      samples->runtime = path;
    else if (strncmp(name, "libgomp", 7) == 0)
      gomp = path;
  }
  if (samples->runtime != NULL)
    samples->replaced = gomp;
  else
    samples->runtime = gomp;
}

/* Adds the samples of profile number I of INPUT to SAMPLES.  Fails if they cannot be added to those before it.  */
static void add_profile_to_samples(struct samples *samples, const struct input *input, size_t i,
                                   struct bindings *bindings, const struct options *options) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  if (profile->object_count == 0)
    fail(input->paths[i], "it names no program");
  if (samples->profiles > 0 && !options->force)
    check_sample_build(input, i, &samples->object);
  if (samples->profiles > 0 && !model_sampling_is_addable(&samples->sampling, &profile->sampling))
    fail(input->paths[i],
         "it ran with %llu workers on %llu processors, others with %llu on %llu: their samples cannot be added up; "
         "only a run with 1 worker can be combined with others",
         (unsigned long long)profile->sampling.workers, (unsigned long long)profile->sampling.processors,
         (unsigned long long)samples->sampling.workers, (unsigned long long)samples->sampling.processors);
  if (samples->profiles == 0) {
    samples->sampling = profile->sampling;
    samples->program = profile->program;
    samples->run = profile->run;
    samples->object = profile->objects[0];
    samples->timeline = profile->timeline;
    find_sample_runtime(samples, profile);
  } else {
    add_model_sampling(&samples->sampling, &profile->sampling);
    samples->program.flags |= profile->program.flags;
    samples->timeline = (struct cilkprof_timeline){0};
  }
  samples->profiles++;
  struct bound_object **bound = bind_sample_objects(bind_sample_program(input, i, bindings, options), input, i);
  struct object_frames *frames = find_sample_frames(samples, profile, bound);
  uint32_t *contexts = sample_tree_add(samples, profile, frames, options->fold_recursion);
  samples->moments = samples->profiles == 1 ? find_sample_moments(samples, profile, frames, contexts) : NULL;
  free(contexts);
  free(bound);
}

/* Callback of qsort: compares two sampled functions by the effort that is lost in them and their callees, then by all
   effort, largest first.  */
static int compare_sample_waste(const void *left, const void *right) {
  const struct sample_function *a = *(const struct sample_function *const *)left,
                               *b = *(const struct sample_function *const *)right;
  uint64_t one = sample_waste_lost(&a->all), other = sample_waste_lost(&b->all);
  if (one != other)
    return one > other ? -1 : 1;
  one = sample_waste_effort(&a->all), other = sample_waste_effort(&b->all);
  return one != other ? one > other ? -1 : 1 : a < b ? -1 : a > b;
}

/* Callback of qsort: compares two sampled source lines by file and line.  */
static int compare_sample_lines(const void *left, const void *right) {
  const struct sample_line *a = left, *b = right;
  int order = strcmp(a->file, b->file);
  return order != 0 ? order : a->line < b->line ? -1 : a->line > b->line;
}

/* Computes the time of each function of SAMPLES, the sum of all its contexts, and sorts functions by waste and lines by
   source location.  Contexts below others of their function are not counted twice.  */
static void add_up_sample_functions(struct samples *samples) {
  size_t count = samples->functions.count;
  samples->of_function = allocate(count, sizeof *samples->of_function);
  samples->by_waste = allocate(count, sizeof *samples->by_waste);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    struct sample_function *of = &samples->of_function[context->function->number];
    if (of->function == NULL)
      samples->by_waste[samples->function_count++] = of;
    of->function = context->function;
    sample_waste_add(&of->own, &context->own);
    model_add_saturating(&of->own_samples, context->samples);
    if (!context->nested) {
      sample_waste_add(&of->all, &context->all);
      model_add_saturating(&of->samples, context->all_samples);
    }
  }
  if (samples->function_count > 0)
    qsort(samples->by_waste, samples->function_count, sizeof *samples->by_waste, compare_sample_waste);
  if (samples->line_count > 0)
    qsort(samples->lines, samples->line_count, sizeof *samples->lines, compare_sample_lines);
}

/* Gives the sampled FUNCTIONS full, short and brief names, and sorts them by name.  */
static void name_sample_functions(struct functions *functions, const struct options *options) {
  functions->by_name = allocate(functions->count, sizeof *functions->by_name);
  for (size_t i = 0; i < functions->count; i++)
    functions->by_name[i] = functions->list[i];
  functions_set_names(functions, options->demangle_style);
  functions_sort_by_name(functions);
  functions_tell_names_apart(functions);
  functions_name_briefly(functions, options->full_names);
}

/* Returns whether PROFILE has samples of a run with this number of WORKERS, or as SEVERAL and STRANDS say.  */
static bool has_samples_of(const struct cilkprof_profile *profile, uint64_t workers) {
  if (workers == STRANDS)
    return profile->has_sampling && (!has_parallel_samples(profile) || profile->program.mode == CILKPROF_MODE_WATCHED);
  return has_parallel_samples(profile) &&
         (workers == SEVERAL ? profile->sampling.workers != 1 : profile->sampling.workers == workers);
}

/* Returns the sum of the samples of all sampled profiles with this number of WORKERS, which may be SEVERAL or
   STRANDS.  Returns NULL if there are none.  */
static struct samples *sum_sample_profiles(const struct input *input, uint64_t workers, struct bindings *bindings,
                                           const struct options *options) {
  struct samples *samples = allocate(1, sizeof *samples);
  for (size_t i = 0; i < input->count; i++)
    if (has_samples_of(&input->profiles[i], workers))
      add_profile_to_samples(samples, input, i, bindings, options);
  if (samples->profiles == 0) {
    free(samples);
    return NULL;
  }
  hash_table_free(&samples->table);
  hash_table_free(&samples->line_table);
  sample_tree_finish(samples);
  name_sample_functions(&samples->functions, options);
  add_up_sample_functions(samples);
  if (samples->moments != NULL)
    make_sample_slices(samples);
  return samples;
}

/* Returns the smallest number of workers of a sampled profile of INPUT that is larger than WORKERS; 0 if there is
   none.  */
static uint64_t next_sample_workers(const struct input *input, uint64_t workers) {
  uint64_t next = 0;
  for (size_t i = 0; i < input->count; i++) {
    uint64_t number = has_parallel_samples(&input->profiles[i]) ? input->profiles[i].sampling.workers : 0;
    if (number > workers && (next == 0 || number < next))
      next = number;
  }
  return next;
}

/* Adds RUNS, which may be NULL, to the runs that SAMPLES is compared with: they have more workers than those
   before.  */
static void add_sample_trial(struct samples *samples, struct samples *runs) {
  if (runs == NULL)
    return;
  samples->trial = reallocate(samples->trial, samples->trial_count + 1, sizeof *samples->trial);
  samples->trial[samples->trial_count++] = runs;
}

/* Returns the samples of all profiles of INPUT with the largest number of workers; the others are kept beside it.  */
static struct samples *build_sample_trial(const struct input *input, struct bindings *bindings,
                                          const struct options *options) {
  struct samples all = {0};
  for (uint64_t workers = 0; (workers = next_sample_workers(input, workers)) != 0;)
    add_sample_trial(&all, sum_sample_profiles(input, workers, bindings, options));
  struct samples *samples = all.trial[all.trial_count - 1];
  samples->trial = all.trial;
  samples->trial_count = all.trial_count;
  samples->reference = all.trial_count > 1 && all.trial[0]->sampling.workers == 1 ? all.trial[0] : NULL;
  return samples;
}

/* Returns the sum of the samples of all profiles of INPUT with several workers, and keeps those of the runs with one
   beside it, as a reference.  */
static struct samples *build_sample_sum(const struct input *input, struct bindings *bindings,
                                        const struct options *options) {
  struct samples *serial = next_sample_workers(input, 0) == 1 ? sum_sample_profiles(input, 1, bindings, options) : NULL;
  struct samples *samples = sum_sample_profiles(input, SEVERAL, bindings, options);
  if (samples == NULL) {
    add_sample_trial(serial, serial);
    return serial;
  }
  samples->reference = serial;
  add_sample_trial(samples, serial);
  add_sample_trial(samples, samples);
  return samples;
}

/* Returns the sum of the samples of all profiles of INPUT, or NULL if no profile has samples.  If only some of the runs
   had one worker, their sum is kept apart, as the reference of the others.  The runs of a trial are kept apart by their
   numbers of workers.  */
struct samples *samples_build(const struct input *input, const struct options *options) {
  if (next_sample_workers(input, 0) == 0)
    return NULL;
  bool is_trial = input->is_trial || options_want(options, COMPARES_WORKERS) || options->csv_rows == CSV_EFFICIENCY;
  struct bindings bindings = {0};
  struct samples *samples = (is_trial ? build_sample_trial : build_sample_sum)(input, &bindings, options);
  for (size_t i = 0; i < input->count && samples->trial_count > 1 && !options->force; i++)
    if (has_parallel_samples(&input->profiles[i]) && input->profiles[i].object_count > 0)
      check_sample_build(input, i, &samples->object);
  close_bound_objects(&bindings);
  samples->is_trial = input->is_trial;
  return samples;
}

/* Returns the sum of the samples of all profiles of serial runs in INPUT, or NULL if there are none.  */
struct samples *samples_of_strands(const struct input *input, const struct options *options) {
  struct bindings bindings = {0};
  struct samples *samples = sum_sample_profiles(input, STRANDS, &bindings, options);
  close_bound_objects(&bindings);
  return samples;
}
