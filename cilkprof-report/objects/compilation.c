/* Finds the compiler options of an object file in its debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC records its version and options in a string for every source, as "GNU C17 12.2.0 -g -O2".  These strings are
   among others in .debug_str.  Those of profiled sources name the profiler's plugin; the others belong to
   libraries.  */

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/compilation.h"
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/support/support.h"

/* Returns whether the compiler option WORD, as recorded in an object file, was not given by the user: -fcilkplus and
   -fcilkprof expand to it, or the compiler always adds it.  */
static bool is_implied_object_option(const char *word, size_t length) {
  static const char *const implied[] = {
      "-mlittle-endian", "-mabi=lp64", "-mtune=generic", "-march=x86-64", "-fasynchronous-unwind-tables",
  };
  /* g++ adds the last one for the compiler of an accelerator, from GCC 14 on.  */
  static const char *const beginnings[] = {"-fplugin", "-foffload-options=-l_GCC_"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  for (size_t i = 0; i < sizeof implied / sizeof *implied; i++)
    if (strlen(implied[i]) == length && memcmp(word, implied[i], length) == 0)
      return true;
  return false;
}

/* Returns the compiler options that the user gave, separated by blanks, from PRODUCER, the compiler's record in an
   object file.  Allocated.  */
static char *object_options_of_producer(const char *producer) {
  const char *word = strstr(producer, " -");
  char *options = allocate(strlen(producer) + 1, 1), *to = options;
  while (word != NULL && *word != 0) {
    word += strspn(word, " ");
    size_t length = strcspn(word, " ");
    if (length > 0 && !is_implied_object_option(word, length)) {
      if (to > options)
        *to++ = ' ';
      to = mempcpy(to, word, length);
    }
    word += length;
  }
  return options;
}

/* Returns whether STRING, from the debugging information of an object file, is a record of the compiler for a profiled
   source.  */
static bool is_profiled_object_producer(const char *string) {
  static const char producer[] = "GNU C";
  return strncmp(string, producer, strlen(producer)) == 0 && strstr(string, " -fplugin-arg-cilkprof_back-") != NULL;
}

/* Returns the compiler options of all profiled sources of an object file, whose records are among the STRINGS of SIZE
   bytes.  Returns NULL if there are none, or if the options differ.  Allocated.  */
static char *find_object_producer_options(const char *strings, size_t size) {
  char *found = NULL;
  const char *end = strings + size, *zero;
  for (; (zero = memchr(strings, 0, (size_t)(end - strings))) != NULL; strings = zero + 1) {
    if (!is_profiled_object_producer(strings))
      continue;
    char *options = object_options_of_producer(strings);
    bool same = found == NULL || strcmp(found, options) == 0;
    free(found);
    found = options;
    if (!same) {
      free(found);
      return NULL;
    }
  }
  return found;
}

char *object_compilation_options(const char *path) {
  const char *wrong;
  struct object *object = object_open(path, &wrong);
  char *found = NULL;
  size_t names;
  if (object == NULL)
    return NULL;
  bool named = elf_getshdrstrndx(object->elf, &names) == 0;
  for (Elf_Scn *section = NULL; named && (section = elf_nextscn(object->elf, section)) != NULL;) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(object->elf, names, header.sh_name) : NULL;
    if (name == NULL || strcmp(name, ".debug_str") != 0 || header.sh_flags & SHF_COMPRESSED)
      continue;
    errno = 0;
    Elf_Data *data = elf_rawdata(section, NULL);
    check_memory_result(data);
    if (data != NULL && data->d_buf != NULL)
      found = find_object_producer_options(data->d_buf, data->d_size);
    break;
  }
  object_close(object);
  return found;
}
