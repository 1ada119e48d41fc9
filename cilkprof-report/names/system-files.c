/* Tests whether code belongs to the system and to libraries.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/names/system-files.h"

/* Returns whether TEXT, the name of a function or file, begins with one of BEGINNINGS, a list that ends in NULL.  */
static bool is_function_name_of_any(const char *text, const char *const *beginnings) {
  for (; *beginnings != NULL; beginnings++)
    if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
      return true;
  return false;
}

/* Returns whether FILE is a header of the system, of the compiler or of an installed library.  Only the directories
   into which packages and `make install' put headers count: programs may be built in /usr/src.  A privately installed
   compiler has its headers elsewhere, but in directories of the same names.  */
bool is_system_source_file(const char *file) {
  static const char *const folders[] = {
      "/usr/include/", "/usr/local/include/", "/usr/lib", "/usr/local/lib", "/lib/", "/lib64/", NULL};
  static const char *const inside[] = {"/include/c++/", "/lib/gcc/", "/lib/cilkprof/include/"};
  if (is_function_name_of_any(file, folders))
    return true;
  for (size_t i = 0; file[0] == '/' && i < sizeof inside / sizeof *inside; i++)
    if (strstr(file, inside[i]) != NULL)
      return true;
  return false;
}

/* Returns whether FUNCTION is in a namespace of the C++ library or of oneTBB.  The name without parameters is tested,
   because it has no return type in front.  */
static bool is_known_library_function(const struct function *function) {
  static const char *const scopes[] = {"std::", "__gnu_cxx::", "__cxxabiv1::", "__pstl::", "tbb::", NULL};
  return is_function_name_of_any(function->short_name, scopes);
}

/* Returns whether FUNCTION takes the place of one of oneTBB's in a profile, or stands for its tasks.  It is known by
   its name: of functions that no other unit can call the compiler does not record where they are defined.  */
bool is_stand_in_function(const struct function *function) {
  static const char *const names[] = {
      "tbb::detail::cilkprof::", "tbb::parallel_", "tbb::task_group::", "tbb task", "tbb filter", NULL};
  return function->file == NULL && is_function_name_of_any(function->short_name, names);
}

/* Sets LIBRARY of those FUNCTIONS that belong to libraries.  The functions must have their names already.  */
void mark_library_functions(struct functions *functions) {
  for (size_t i = 0; i < functions->count; i++) {
    struct function *function = functions->list[i];
    if (function->file != NULL)
      function->library = is_system_source_file(function->file);
    else if (!function->described)
      function->library = function->foreign || is_known_library_function(function) || is_stand_in_function(function);
  }
}
