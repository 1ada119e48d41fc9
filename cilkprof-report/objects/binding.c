/* Finds the file on disk for each object of a profile.  The build-id decides: a report that combined measurements with
   the call sites of another build would be wrong, and nobody would notice.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/objects/find.h"
#include "cilkprof-report/support/support.h"

/* Adds the open file OBJECT to the files of BINDING.  An object without call sites, such as a system library, is shown
   without source locations, so its debugging information is not needed.  */
static struct bound_object *add_bound_object(struct binding *binding, struct object *object, bool has_sites) {
  struct bound_object *bound = allocate(1, sizeof *bound);
  bound->object = object;
  bound->debug_sought = !has_sites;
  bound->debug_folders = binding->debug_folders;
  binding->files = grow_array(binding->files, binding->count, &binding->room, sizeof *binding->files);
  binding->files[binding->count++] = bound;
  return bound;
}

/* Returns the file with symbols and lines: the object itself, or its separate debugging information, which is searched
   for on the first call.  */
struct object *bound_object_debug(struct bound_object *bound) {
  if (!bound->debug_sought)
    bound->debug = find_object_debug_info(bound->object, bound->debug_folders);
  bound->debug_sought = true;
  return bound->debug != NULL ? bound->debug : bound->object;
}

/* Opens the program PATH and reads its descriptions.  Fails if that is not possible.  SYMBOL_TABLE is a text file with
   its symbols, or NULL.  Returns a binding with this file only.  */
struct binding bind_program_object(const char *path, const char *symbol_table, const char *debug_folders, bool force) {
  struct binding binding = {.debug_folders = debug_folders, .force = force};
  const char *wrong;
  struct object *object = object_open(path, &wrong);
  if (object == NULL)
    fail(path, "%s", wrong);
  wrong = object_read_descriptions(object);
  if (wrong != NULL)
    fail(path, "%s", wrong);
  struct bound_object *bound = add_bound_object(&binding, object, true);
  if (symbol_table != NULL)
    bound_object_set_symbols(bound, object_symbols_from_text(symbol_table));
  return binding;
}

/* A program and its binding.  */
struct program_binding {
  const char *path, *symbol_table;
  struct binding binding;
};

/* Returns the binding of the program PATH, which bind_program_object makes on the first call for this program.
   BINDINGS owns it.  */
struct binding *bind_program_object_once(struct bindings *bindings, const char *path, const char *symbol_table,
                                         const char *debug_folders, bool force) {
  for (size_t i = 0; i < bindings->count; i++) {
    struct program_binding *known = bindings->programs[i];
    if (strcmp(known->path, path) == 0 && known->symbol_table == symbol_table)
      return &known->binding;
  }
  struct program_binding *program = allocate(1, sizeof *program);
  *program = (struct program_binding){format_string("%s", path), symbol_table,
                                      bind_program_object(path, symbol_table, debug_folders, force)};
  bindings->programs = grow_array(bindings->programs, bindings->count, &bindings->room, sizeof *bindings->programs);
  bindings->programs[bindings->count++] = program;
  return &program->binding;
}

/* Closes all object files of all programs in BINDINGS.  */
void close_bound_objects(struct bindings *bindings) {
  for (size_t i = 0; i < bindings->count; i++)
    for (size_t k = 0; k < bindings->programs[i]->binding.count; k++)
      bound_object_close(bindings->programs[i]->binding.files[k]);
  *bindings = (struct bindings){0};
}

/* Returns whether FILE, a program without a build-id, may be the profiled OBJECT: the path is the same, and the file is
   not newer than the run, which began at START_NS.  */
static bool is_same_object_path(const struct object *file, const struct cilkprof_object *object, uint64_t start_ns) {
  char path[PATH_MAX];
  return object->build_id_size == 0 && realpath(file->path, path) != NULL && strcmp(path, object->path) == 0 &&
         object_modified_ns(&file->status) <= start_ns;
}

/* Returns whether PROGRAM, an open executable or library, took part in the run of PROFILE.  */
bool is_profiled_object(const struct object *program, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->object_count; i++)
    if (is_same_object_build(program, &profile->objects[i]) ||
        is_same_object_path(program, &profile->objects[i], profile->run.start_ns))
      return true;
  return false;
}

static const char no_sites[] =
    "has no call sites (no section " CILKPROF_DESCRIPTION_SECTION "): was it compiled with -fcilkprof?";

/* Tells the user that the build-id of PROGRAM is not that of the PROFILED program, if either has one.  */
static void tell_other_object_build(const struct object *program, const struct cilkprof_object *profiled) {
  if (program->build_id_size > 0 || profiled->build_id_size > 0)
    note(program->path,
         "its build-id %s is not that of the profiled program, %s: call sites are shown by address, and names may be "
         "wrong",
         format_object_build_id(program->build_id, program->build_id_size),
         format_object_build_id(profiled->build_id, profiled->build_id_size));
}

/* Returns the number of the object in PROFILE that is the program of BINDING.  Fails if there is none, unless a program
   is forced.  */
static size_t find_program_object(const struct binding *binding, const struct cilkprof_profile *profile,
                                  const char *profile_path) {
  const struct object *program = binding->files[0]->object;
  for (size_t i = 0; i < profile->object_count; i++)
    if (is_same_object_build(program, &profile->objects[i]))
      return i;
  if (profile->object_count == 0)
    fail(profile_path, "it names no program");
  const struct cilkprof_object *profiled = &profile->objects[0];
  if (binding->force) {
    tell_other_object_build(program, profiled);
    return 0;
  }
  if (program->section_count == 0 && !is_same_object_path(program, profiled, profile->run.start_ns))
    fail(program->path, "%s", no_sites);
  if (program->build_id_size > 0 || profiled->build_id_size > 0)
    fail(program->path,
         "its build-id %s is not that of the profiled program, %s; name the program that ran, or use --force",
         format_object_build_id(program->build_id, program->build_id_size),
         format_object_build_id(profiled->build_id, profiled->build_id_size));
  if (!is_same_object_path(program, profiled, profile->run.start_ns))
    fail(program->path,
         "it has no build-id and is not the unchanged %s; link it with -Wl,--build-id and run it again, or use --force",
         profiled->path);
  return 0;
}

/* Returns the file from which OBJECT was loaded, and opens it if BINDING does not have it yet.  If it is not found or
   has another build-id, returns NULL and sets *WRONG to a message.  HAS_SITES says that source locations are
   needed.  */
static struct bound_object *open_library_object(struct binding *binding, const struct cilkprof_object *object,
                                                const char *profile_path, bool has_sites, const char **wrong) {
  for (size_t i = 0; i < binding->count; i++) {
    const struct object *file = binding->files[i]->object;
    if (is_same_object_build(file, object) || (object->build_id_size == 0 && strcmp(file->path, object->path) == 0))
      return binding->files[i];
  }
  const char *path = find_object_file(object, profile_path, binding->debug_folders);
  struct object *file = object_open(path != NULL ? path : object->path, wrong);
  if (file == NULL)
    return NULL;
  if (file->build_id_size + object->build_id_size > 0 && !is_same_object_build(file, object)) {
    *wrong = format_string("its build-id %s is not that of the profiled library, %s",
                           format_object_build_id(file->build_id, file->build_id_size),
                           format_object_build_id(object->build_id, object->build_id_size));
    return NULL;
  }
  return add_bound_object(binding, file, has_sites);
}

/* Returns the file from which the library OBJECT was loaded, with its descriptions if HAS_SITES.  If it is not found or
   lacks them, returns NULL and sets *WRONG to a message.  */
static struct bound_object *bind_library_object(struct binding *binding, const struct cilkprof_object *object,
                                                const char *profile_path, bool has_sites, const char **wrong) {
  struct bound_object *bound = open_library_object(binding, object, profile_path, has_sites, wrong);
  if (bound == NULL)
    return NULL;
  if (has_sites && bound->object->section_count == 0)
    *wrong = object_read_descriptions(bound->object);
  if (*wrong == NULL && has_sites && bound->object->section_count == 0)
    *wrong = no_sites;
  return *wrong == NULL ? bound : NULL;
}

struct bound_object *bind_object(struct binding *binding, const struct cilkprof_object *object,
                                 const char *profile_path, bool is_system, const char **wrong) {
  return open_library_object(binding, object, profile_path, !is_system, wrong);
}

/* Fails if the program of BINDING lacks descriptions, which the profile needs if HAS_SITES, or symbols, which it needs
   if HAS_SITES or HAS_CALLEES.  A program needs none if all call sites are in its libraries.  */
static void check_program_object(const struct binding *binding, bool has_sites, bool has_callees) {
  struct bound_object *program = binding->files[0];
  if (has_sites && program->object->section_count == 0)
    fail(program->object->path, "%s", no_sites);
  if ((has_sites || has_callees) && !program->symbols_read && !bound_object_debug(program)->has_symbols)
    fail(
        program->object->path,
        "it has no symbols: it was stripped, and its debug information is not found; name the program as it was before "
        "strip, or use --force");
}

struct bound_object **bind_profile_objects(struct binding *binding, const struct cilkprof_profile *profile,
                                           const char *profile_path) {
  struct bound_object **bound = allocate(profile->object_count, sizeof *bound);
  bool *has_sites = allocate(profile->object_count, sizeof *has_sites);
  bool *has_callees = allocate(profile->object_count, sizeof *has_callees);
  bool watched = profile->program.mode == CILKPROF_MODE_WATCHED; /* its sites are addresses, without descriptions */
  for (size_t i = 0; i < profile->site_count; i++) {
    (watched ? has_callees : has_sites)[profile->sites[i].object] = true;
    if (profile->sites[i].callee_object != CILKPROF_NO_OBJECT)
      has_callees[profile->sites[i].callee_object] = true;
  }
  size_t program = find_program_object(binding, profile, profile_path);
  if (!binding->force && !watched)
    check_program_object(binding, has_sites[program], has_callees[program]);
  for (size_t i = 0; i < profile->object_count; i++) {
    const char *wrong = NULL;
    if (i == program)
      bound[i] = binding->files[0];
    else if (has_sites[i] || has_callees[i])
      bound[i] = bind_library_object(binding, &profile->objects[i], profile_path, has_sites[i], &wrong);
    if (wrong == NULL || !has_sites[i])
      continue; /* not needed for call sites: the functions of such a library are shown by address */
    if (!binding->force)
      fail(profile->objects[i].path, "%s; bring it back, or use --force", wrong);
    note(profile->objects[i].path, "%s", wrong);
  }
  free(has_sites);
  free(has_callees);
  return bound;
}
