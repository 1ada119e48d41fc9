/* Whose code an address is: oneTBB's, the C library's, or the program's.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "libcilkprof/sampler/tbb/tbb.h"

/* Returns the start of the mapping that holds PC, and its name in *NAME; NULL if it belongs to no object.  */
static const void *mapping_of(uintptr_t pc, const char **name) {
  struct dl_find_object found;
  if (_dl_find_object((void *)pc, &found) != 0 || !found.dlfo_link_map)
    return NULL;
  *name = found.dlfo_link_map->l_name;
  return found.dlfo_map_start;
}

/* Returns whether NAME, the path of a library, is that of oneTBB: libtbb.so with a version, or its debugging form.  */
static bool is_tbb_name(const char *name) {
  const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
  return strncmp(file, "libtbb.so", 9) == 0 || strncmp(file, "libtbb_debug.so", 15) == 0;
}

/* Returns whether PC is in oneTBB.  That may be loaded after this library, so it is looked for until it is found.  */
bool tbb_is_library(uintptr_t pc) {
  static const void *_Atomic library;
  const char *name = "";
  const void *start = mapping_of(pc, &name), *known = atomic_load_explicit(&library, memory_order_relaxed);
  if (known || !start)
    return start && start == known;
  if (!is_tbb_name(name))
    return false;
  atomic_store_explicit(&library, start, memory_order_relaxed);
  return true;
}

/* Returns whether PC is in the program or one of its libraries, and not in oneTBB, this library, the C library, or
   what the kernel provides.  Those oneTBB calls when it looks for work.  */
bool tbb_is_in_program(uintptr_t pc) {
  const char *name = "";
  const void *start = mapping_of(pc, &name);
  return start && !tbb_is_library(pc) && start != mapping_of((uintptr_t)tbb_is_in_program, &name) &&
         start != mapping_of((uintptr_t)strrchr, &name) && strncmp(name, "linux-vdso", 10) != 0;
}
