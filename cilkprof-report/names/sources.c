/* Finds the source files of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/support.h"

/* Returns PATH if it is a readable regular file; otherwise frees it and returns NULL.  */
static char *readable(char *path) {
  struct stat status;
  if (access(path, R_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode))
    return path;
  free(path);
  return NULL;
}

/* Returns the path of FILE in the first of COUNT directories that has it, or NULL.  Allocated.  */
static char *find_in_folders(const char *const *folders, size_t count, const char *file) {
  char *found = NULL;
  for (size_t i = 0; found == NULL && i < count; i++)
    found = readable(format_string("%s/%s", folders[i], file));
  return found;
}

/* Searches the absolute paths that debugging information has for functions.  */
static char *find_named(const struct functions *functions, const char *file) {
  char *found = NULL;
  for (size_t i = 0; found == NULL && i < functions->count; i++) {
    const char *whole = functions->list[i]->place.file;
    if (whole != NULL && whole[0] == '/' && is_file(whole, file))
      found = readable(format_string("%s", whole));
  }
  return found;
}

static char *find_beside_program(const struct functions *functions, const char *file) {
  const char *path = functions->program;
  if (path == NULL)
    return NULL;
  int length = (int)(base_name(path) - path);
  return readable(format_string("%.*s%s", length, path, file));
}

/* A relative path is relative to the directory of the compiler, not to that of the report, where another file may have
   the same name.  Directories that the user names come first.  */
char *source_find(const struct functions *functions, const char *file, const struct options *options) {
  bool whole = file[0] == '/';
  const char *const *asked = options->source_folders;
  char *found =
      whole ? readable(format_string("%s", file)) : find_in_folders(asked, options->source_folder_count, file);
  if (found == NULL && !whole)
    found = find_in_folders(functions->folders.strings, functions->folders.count, file);
  if (found == NULL && !whole)
    found = readable(format_string("%s", file));
  if (found == NULL)
    found = find_in_folders(asked, options->source_folder_count, base_name(file));
  if (found == NULL)
    found = find_named(functions, file);
  if (found == NULL && !whole)
    found = find_beside_program(functions, file);
  return found;
}

/* Returns whether an output has the same base name as FILE.  Other source files need not be searched for.  */
static bool has_name_of_output(const char *file, const struct options *options) {
  const char *const outputs[] = {options->output, options->html, options->plot};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (outputs[i] != NULL && strcmp(base_name(outputs[i]), base_name(file)) == 0)
      return true;
  return false;
}

void source_keep(const struct functions *functions, const char *file, const struct options *options) {
  if (file == NULL || !has_name_of_output(file, options))
    return;
  char *path = source_find(functions, file, options);
  keep_named(path);
  free(path);
}

void functions_keep_sources(const struct functions *functions, const struct options *options) {
  for (size_t i = 0; i < functions->count; i++)
    source_keep(functions, functions->list[i]->place.file, options);
}
