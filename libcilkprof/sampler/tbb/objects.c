/* Whose code an address is: oneTBB's, the C library's, or the program's.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>

#include "libcilkprof/sampler/tbb/tbb.h"

/* Returns the start of the mapping that holds PC, and its name in *NAME; NULL if it belongs to no object.  */
static const void *mapping_of(uintptr_t pc, const char **name) {
  struct loaded found;
  if (!__cilkprof_s_loaded_at(pc, &found))
    return NULL;
  *name = found.name;
  return (const void *)found.low;
}

/* Returns whether the file NAME, with its path, begins with one of the COUNT names in BEGINNINGS.  */
static bool has_beginning_of(const char *name, const char *const beginnings[], int count) {
  const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
  for (int i = 0; i < count; i++)
    if (strncmp(file, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

/* Returns whether NAME, the path of a library, is that of oneTBB: libtbb.so with a version, or its debugging form.  */
static bool is_tbb_name(const char *name) {
  static const char *const names[] = {"libtbb.so", "libtbb_debug.so"};
  return has_beginning_of(name, names, 2);
}

/* Returns whether NAME is that of an object which oneTBB may call by itself: what the kernel provides, the dynamic
   linker, and the libraries of C++ and of oneTBB's memory.  */
static bool is_support_name(const char *name) {
  static const char *const names[] = {"linux-vdso", "ld-linux", "libstdc++.so", "libgcc_s.so", "libtbbmalloc"};
  return has_beginning_of(name, names, 5);
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

/* Returns whether the object at START belongs to the program's memory management or to the C library: oneTBB calls
   both.  A program that has malloc in itself is not meant, as all of its code would be.  */
static bool is_library_of_c(const void *start) {
  const char *allocator = "", *unused;
  const void *memory = mapping_of((uintptr_t)free, &allocator);
  return start == mapping_of((uintptr_t)strrchr, &unused) || (start == memory && *allocator);
}

/* Returns whether PC is in the program or one of its libraries, and not in what oneTBB calls when it looks for work or
   when its threads come and go.  At those times oneTBB must not be asked for the task.  */
bool tbb_is_in_program(uintptr_t pc) {
  const char *name = "", *unused;
  const void *start = mapping_of(pc, &name);
  return start && !tbb_is_library(pc) && start != mapping_of((uintptr_t)tbb_is_in_program, &unused) &&
         !is_library_of_c(start) && !is_support_name(name);
}
