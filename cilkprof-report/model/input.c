/* Reads the profiles of one program and builds the model from them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/commands.h"
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/objects/find.h"
#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/support/support.h"
#include "fmt/layout.h"

/* Tells the user what was lost in a damaged profile, one line for each kind of loss.  */
static void tell_model_input_losses(const char *path, const struct cilkprof_losses *losses) {
  if (losses->header)
    note(path, "its header is damaged");
  if (losses->bytes > 0)
    note(path, "damaged bytes of unknown meaning: %llu", (unsigned long long)losses->bytes);
  if (losses->run)
    note(path, "the description of the run is lost: values are not converted to seconds");
  if (losses->objects > 0)
    note(path, "lost executables and libraries, with their call sites: %llu", (unsigned long long)losses->objects);
  if (losses->sites > 0)
    note(path, "lost call sites: %llu", (unsigned long long)losses->sites);
  if (losses->totals)
    note(path, "the totals are lost: those of the remaining call sites are shown, without burdens and counts");
  if (losses->others > 0)
    note(path, "lost regions, calling contexts, what-ifs and samples: %llu", (unsigned long long)losses->others);
  if (losses->end)
    note(path, "its end is missing");
}

/* Reads a profile from FILE, which it frees, into *PROFILE.  PATH is for messages.  If RECOVER, reads what is left of a
   damaged file.  */
static void read_model_input_profile(struct file file, const char *path, struct cilkprof_profile *profile,
                                     bool recover) {
  struct cilkprof_read_error error;
  struct cilkprof_losses losses = {0};
  int result = recover ? cilkprof_recover(file.bytes, file.size, profile, &losses, &error)
                       : cilkprof_read_in_place(file.bytes, file.size, profile, &error);
  if (file.size == 0)
    fail(path, "the file is empty: the program did not end as it should, or the disk was full; run it again");
  if (result != 0)
    fail(path, "%s (at byte %zu)", error.message, error.offset);
  if (recover)
    free(file.bytes);
  tell_model_input_losses(path, &losses);
}

/* Adds a profile, whose bytes are FILE, from the file PATH to INPUT.  */
static void add_model_input_profile(struct input *input, struct file file, const char *path, bool recover) {
  size_t count = input->count++;
  input->wholes = reallocate(input->wholes, count + 1, sizeof *input->wholes);
  input->paths = reallocate(input->paths, count + 1, sizeof *input->paths);
  input->sizes = reallocate(input->sizes, count + 1, sizeof *input->sizes);
  input->paths[count] = path;
  input->sizes[count] = file.size;
  read_model_input_profile(file, path, &input->wholes[count], recover);
}

/* Adds all profiles of the file PATH to INPUT: the file of a trial has one for each run.  PROGRAM, which may be NULL,
   is for messages about a missing file.  If RECOVER, reads what is left of a damaged file.  */
static void add_model_input_file(struct input *input, const char *path, const char *program, bool recover) {
  check_model_input_present(path, program);
  struct file file = read_whole_file(path, CILKPROF_FILE_MAGIC);
  size_t size = cilkprof_first_profile_size(file.bytes, file.size), from = 0;
  if (size == file.size) {
    add_model_input_profile(input, file, path, recover);
    return;
  }
  input->is_trial = true;
  while (from < file.size) {
    const char *start = (const char *)file.bytes + from;
    struct file part = {.size = cilkprof_first_profile_size(start, file.size - from)};
    part.bytes = allocate(part.size, 1);
    memcpy(part.bytes, start, part.size);
    add_model_input_profile(input, part, path, recover);
    from += part.size;
  }
  free(file.bytes);
}

/* Prints what --debug shows about profile number I and the files of its objects.  */
static void print_model_input_details(const struct input *input, size_t i) {
  const struct cilkprof_profile *profile = &input->profiles[i];
  note(input->paths[i], "%zu bytes, %zu objects, %zu sites", input->sizes[i], profile->object_count,
       profile->site_count);
  for (size_t o = 0; input->bound[i] != NULL && o < profile->object_count; o++) {
    const struct bound_object *bound = input->bound[i][o];
    if (bound == NULL)
      note(profile->objects[o].path, "not needed");
    else
      note(profile->objects[o].path, "read from %s, %zu site descriptions", bound->object->path,
           bound->object->description_count);
  }
}

/* Returns the path of the program of PROFILE, which was read from PATH.  Fails if the program is not found.  Without
   --force, a file with another build-id is not accepted.  */
const char *find_model_input_program(const struct cilkprof_profile *profile, const char *path,
                                     const struct options *options) {
  const char *wrong;
  if (profile->object_count == 0)
    fail(path, "it names no program");
  const struct cilkprof_object *program = &profile->objects[0];
  const char *found = find_object_file(program, path, options->debug_folders);
  if (found != NULL || options->force)
    return found != NULL ? found : program->path;
  if (object_open(program->path, &wrong) != NULL)
    wrong = "it is another build now";
  fail(program->path,
       "%s, and build-id %s of the program of %s is found nowhere else; name the program that ran, before the profile",
       wrong, format_object_build_id(program->build_id, program->build_id_size), path);
}

/* Returns a text for messages that names the root of PROFILE.  Allocated.  */
static char *model_input_root_text(const struct cilkprof_profile *profile) {
  return profile->root != NULL ? format_string("root %s", profile->root->name) : format_string("the whole program");
}

/* Fails if the profile OTHER, which was read from PATH, is of another root than FIRST.  */
static void check_model_input_root(const struct cilkprof_profile *first, const struct cilkprof_profile *other,
                                   const char *path) {
  char *a = model_input_root_text(first), *b = model_input_root_text(other);
  if (strcmp(a, b) != 0)
    fail(path, "it is about %s, the previous profile about %s; choose the same with --root", b, a);
  free(a);
  free(b);
}

/* Fails if the profile OTHER, which was read from PATH, cannot be added to FIRST: it was measured in another mode, with
   another burden, or for another root.  */
void check_model_input_compatible(const struct cilkprof_profile *first, const struct cilkprof_profile *other,
                                  const char *path) {
  if (other->program.mode != first->program.mode ||
      (other->run.units_per_second == 0) != (first->run.units_per_second == 0))
    fail(path, "it was measured in another mode than the previous profiles; report it separately");
  if (other->program.burden != first->program.burden)
    fail(path, "it was measured with another burden than the previous profiles; report it separately");
  check_model_input_root(first, other, path);
}

/* Moves the profiles with work and span before those with samples only, keeps the order of the command line otherwise,
   and counts the former.  */
static void sort_model_input_profiles(struct input *input) {
  struct input sorted = {
      .wholes = allocate(input->count, sizeof *sorted.wholes),
      .paths = allocate(input->count, sizeof *sorted.paths),
      .sizes = allocate(input->count, sizeof *sorted.sizes),
  };
  for (int sampled = 0; sampled < 2; sampled++)
    for (size_t i = 0; i < input->count; i++) {
      if ((input->wholes[i].program.mode == CILKPROF_MODE_SAMPLED) != sampled)
        continue;
      input->measured += !sampled;
      sorted.wholes[sorted.count] = input->wholes[i];
      sorted.paths[sorted.count] = input->paths[i];
      sorted.sizes[sorted.count++] = input->sizes[i];
    }
  input->wholes = sorted.wholes;
  input->paths = sorted.paths;
  input->sizes = sorted.sizes;
}

/* Returns whether PROGRAM, which the user named, ran in the sampled profiles and not in the one with work and span.  */
static bool is_sampled_model_input_program(const struct input *input, const char *program) {
  const char *wrong;
  struct object *object = input->measured > 0 && input->measured < input->count ? object_open(program, &wrong) : NULL;
  if (object == NULL)
    return input->measured == 0;
  bool measured = is_profiled_object(object, &input->profiles[0]), sampled = false;
  for (size_t i = input->measured; i < input->count; i++)
    sampled |= is_profiled_object(object, &input->profiles[i]);
  object_close(object);
  return sampled && !measured;
}

struct input read_model_input(const char *program, const char *const *paths, size_t count, bool bind,
                              const struct options *options) {
  struct input input = {0};
  bool lines = bind && program != NULL && options_need_places(options);
  struct line_table *prepared = lines ? prepare_debug_lines(program, options->debug_folders) : NULL;
  for (size_t i = 0; i < count; i++)
    add_model_input_file(&input, paths[i], program != NULL || options->argument_count > 0 ? program : "a.out",
                         options->recover);
  input.profiles = allocate(input.count, sizeof *input.profiles);
  input.bound = allocate(input.count, sizeof *input.bound);
  sort_model_input_profiles(&input);
  choose_model_root(&input, options_need_model(options) ? options->root : "");
  if (program != NULL && bind && is_sampled_model_input_program(&input, program)) {
    input.program = program;
    program = NULL;
    close_debug_lines(prepared);
    prepared = NULL;
  }
  bind &= input.measured > 0;
  if (bind && program == NULL)
    program = find_model_input_program(&input.profiles[0], input.paths[0], options);
  if (bind) {
    input.binding = bind_program_object(program, options->symbol_table, options->debug_folders, options->force);
    input.binding.files[0]->lines = prepared;
  }
  for (size_t i = 0; i < input.count; i++) {
    if (bind && i < input.measured)
      input.bound[i] = bind_profile_objects(&input.binding, &input.profiles[i], input.paths[i]);
    if (i > 0 && !input.is_trial && !is_same_model_command(&input.profiles[0].program, &input.profiles[i].program))
      note(input.paths[i], "it ran with other arguments than %s; times of both are %s", input.paths[0],
           i < input.measured || input.measured == 0 ? "added up" : "not compared");
    if (i > 0 && i < input.measured)
      check_model_input_compatible(&input.profiles[0], &input.profiles[i], input.paths[i]);
    if (options->debug > 0)
      print_model_input_details(&input, i);
  }
  return input;
}

void (*compose_model)(struct model *model, const struct input *input, const struct options *options);

/* Adds up the profiles of INPUT that have work and span in MODEL, which then owns them, and computes functions, arcs
   and cycles.  */
void build_model_from_input(struct input *input, struct model *model, const struct options *options) {
  size_t *first = allocate(input->measured, sizeof *first);
  for (size_t i = 0; i < input->measured; i++) {
    first[i] = model->site_count;
    model_add(model, &input->profiles[i], input->bound[i], input->paths[i], options->force);
  }
  bool unreached = options->unused || options->static_graph || options_want(options, NEEDS_UNCALLED);
  for (size_t i = 0; unreached && i < input->binding.count; i++)
    model_add_unreached(model, input->binding.files[i]->object);
  find_model_definitions(model, &input->binding);
  for (size_t i = 0; i < input->binding.count; i++)
    bound_object_forget_descriptions(input->binding.files[i]);
  for (size_t i = 0; i < input->measured; i++) {
    model_name_callees(model, first[i], &input->profiles[i], input->bound[i]);
    model_name_outside_callers(model, first[i], &input->profiles[i], input->bound[i]);
    model_enter_root(model, first[i], &input->profiles[i]);
  }
  model_add_root(model);
  uint32_t *places = model_merge_sites(model);
  for (size_t i = 0; i < input->measured; i++) {
    add_model_loops(&model->loops, &input->profiles[i], places + first[i]);
    add_model_estimates(&model->estimates, &input->profiles[i], places + first[i]);
    add_model_contexts(&model->contexts, &input->profiles[i], places + first[i], input->paths[i]);
  }
  if (model->composed && compose_model != NULL)
    compose_model(model, input, options);
  set_model_site_estimates(model);
  free(places);
  free(first);
  model_finish(model, &input->binding, options);
  if (options->debug > 0 && input->binding.count > 0)
    note(input->binding.files[0]->object->path, "%zu functions, %zu call sites, %zu arcs", model->functions.count,
         model->site_count, model->arc_count);
}
