/* Finds the source files of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/support.h"

/* Returns PATH if it is a readable regular file, as a source file should be; otherwise frees it and returns NULL.  */
static char *readable_function_source(char *path) {
  struct stat status;
  if (access(path, R_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode))
    return path;
  free(path);
  return NULL;
}

/* Returns the path of FILE in the first of COUNT directories that has it, or NULL.  Allocated.  */
static char *find_function_source_in_folders(const char *const *folders, size_t count, const char *file) {
  char *found = NULL;
  for (size_t i = 0; found == NULL && i < count; i++)
    found = readable_function_source(format_string("%s/%s", folders[i], file));
  return found;
}

/* Searches for the source file FILE at the absolute paths that debugging information has for functions.  Returns the
   path of the first that is FILE and readable, or NULL.  Allocated.  */
static char *find_function_source_by_place(const struct functions *functions, const char *file) {
  char *found = NULL;
  for (size_t i = 0; found == NULL && i < functions->count; i++) {
    const char *whole = functions->list[i]->place.file;
    if (whole != NULL && whole[0] == '/' && path_ends_in_file(whole, file))
      found = readable_function_source(format_string("%s", whole));
  }
  return found;
}

/* Searches for the source file FILE in the directory of the program.  Returns its path, or NULL if it is not there or
   the program is unknown.  Allocated.  */
static char *find_function_source_beside_program(const struct functions *functions, const char *file) {
  const char *path = functions->program;
  if (path == NULL)
    return NULL;
  int length = (int)(base_name(path) - path);
  return readable_function_source(format_string("%.*s%s", length, path, file));
}

/* Returns the path under which the source file FILE can be opened, or NULL.  Allocated.  Searches the directories of
   the options, the directories in which the compiler ran, the name that the compiler used, and the directory of the
   program.  A relative path is relative to the directory of the compiler, not to that of the report, where another file
   may have the same name.  */
char *find_function_source(const struct functions *functions, const char *file, const struct options *options) {
  bool whole = file[0] == '/';
  const char *const *asked = options->source_folders;
  char *found = whole ? readable_function_source(format_string("%s", file))
                      : find_function_source_in_folders(asked, options->source_folder_count, file);
  if (found == NULL && !whole)
    found = find_function_source_in_folders(functions->folders.strings, functions->folders.count, file);
  if (found == NULL && !whole)
    found = readable_function_source(format_string("%s", file));
  if (found == NULL)
    found = find_function_source_in_folders(asked, options->source_folder_count, base_name(file));
  if (found == NULL)
    found = find_function_source_by_place(functions, file);
  if (found == NULL && !whole)
    found = find_function_source_beside_program(functions, file);
  return found;
}

/* Returns whether an output that OPTIONS name has the same base name as the source file FILE.  Other source files need
   not be searched for, because they cannot be overwritten.  */
static bool has_function_source_output_name(const char *file, const struct options *options) {
  const char *const outputs[] = {options->output, options->html, options->plot};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (outputs[i] != NULL && strcmp(base_name(outputs[i]), base_name(file)) == 0)
      return true;
  return false;
}

/* Protects the source file FILE, which may be NULL, from being overwritten by an output of the report.  */
void keep_function_source(const struct functions *functions, const char *file, const struct options *options) {
  if (file == NULL || !has_function_source_output_name(file, options))
    return;
  char *path = find_function_source(functions, file, options);
  keep_named_file(path);
  free(path);
}

/* Protects the source files in which FUNCTIONS are defined from being overwritten by an output of the report.  */
void functions_keep_sources(const struct functions *functions, const struct options *options) {
  for (size_t i = 0; i < functions->count; i++)
    keep_function_source(functions, functions->list[i]->place.file, options);
}
