/* Finds the libraries that a program was linked with, in its dynamic section.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/compilation.h"
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/support/support.h"

/* Returns whether the compiler links LIBRARY, the needed library of an object, without being asked, given the options
   that the profiler advises.  */
static bool is_implied_object_library(const char *library) {
  static const char *const implied[] = {
      "libc.so", "libgcc_s.so", "libstdc++.so", "libgomp.so", "libpthread.so", "libcilkprof", "ld-linux",
  };
  for (size_t i = 0; i < sizeof implied / sizeof *implied; i++)
    if (strncmp(library, implied[i], strlen(implied[i])) == 0)
      return true;
  return false;
}

/* Returns OPTIONS, which are allocated, with the option for LIBRARY, a needed library of an object, appended: "-lm" for
   "libm.so.6".  Returns them as they are if the compiler links it anyway, or if -l cannot name it.  */
static char *add_object_library_option(char *options, const char *library) {
  const char *end = strstr(library, ".so");
  if (is_implied_object_library(library) || strncmp(library, "lib", 3) != 0 || end == NULL)
    return options;
  char *longer = format_string("%s%s-l%.*s", options, *options != 0 ? " " : "", (int)(end - library - 3), library + 3);
  free(options);
  return longer;
}

char *object_library_options(const char *path) {
  const char *wrong;
  struct object *object = object_open(path, &wrong);
  char *options = format_string("%s", "");
  if (object == NULL)
    return options;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section)) != NULL;) {
    GElf_Shdr header;
    GElf_Dyn entry;
    if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNAMIC)
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL && entry.d_tag != DT_NULL; i++) {
      const char *library = entry.d_tag == DT_NEEDED ? elf_strptr(object->elf, header.sh_link, entry.d_un.d_val) : NULL;
      if (library != NULL)
        options = add_object_library_option(options, library);
    }
    break;
  }
  object_close(object);
  return options;
}
