/* Tests whether code belongs to the system and to libraries.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/names/system-files.h"

static bool begins_with_one(const char *text, const char *const *beginnings) {
  for (; *beginnings != NULL; beginnings++)
    if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
      return true;
  return false;
}

/* Only the directories into which packages and `make install' put headers count: programs may be built in /usr/src.  A
   privately installed compiler has its headers elsewhere, but in directories of the same names.  */
bool is_system_file(const char *file) {
  static const char *const folders[] = {
      "/usr/include/", "/usr/local/include/", "/usr/lib", "/usr/local/lib", "/lib/", "/lib64/", NULL};
  static const char *const inside[] = {"/include/c++/", "/lib/gcc/", "/lib/cilkprof/include/"};
  if (begins_with_one(file, folders))
    return true;
  for (size_t i = 0; file[0] == '/' && i < sizeof inside / sizeof *inside; i++)
    if (strstr(file, inside[i]) != NULL)
      return true;
  return false;
}

/* Returns whether FUNCTION is in a namespace of the C++ library.  The name without parameters is tested, because it has
   no return type in front.  */
static bool is_standard(const struct function *function) {
  static const char *const scopes[] = {"std::", "__gnu_cxx::", "__cxxabiv1::", NULL};
  return begins_with_one(function->short_name, scopes);
}

void libraries_find(struct functions *functions) {
  for (size_t i = 0; i < functions->count; i++) {
    struct function *function = functions->list[i];
    if (function->file != NULL)
      function->library = is_system_file(function->file);
    else if (!function->described)
      function->library = function->foreign || is_standard(function);
  }
}
