/* Libraries that were compiled for another mode than the program.
   SPDX-License-Identifier: MIT

   Code for serial runs has smaller frames, and knows only the records of the first worker.  The linker refuses it in a
   program for parallel runs, but a library that is loaded finds the symbols of its mode in the engine's shared
   library.  */

#include <link.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/engine.h"
#include "libcilkprof/engine/workers/workers.h"

struct object_search {
  uint64_t address;
  const char *path;
};

/* Stores the path of the loaded object INFO in CLOSURE, a search, if it holds the address that is searched for.  A
   callback of dl_iterate_phdr: returns whether it does.  */
static int find_path_of_address(struct dl_phdr_info *info, size_t size, void *closure) {
  struct object_search *search = closure;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && search->address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz) {
      search->path = info->dlpi_name;
      return 1;
    }
  }
  return 0;
}

/* Returns whether LOADED, a function of an object that is loaded, was compiled for another mode than FIRST, one of the
   program.  Says so if it was; SLOT is in the object.  */
int __cilkprof_mode_differs(const function_t *first, const function_t *loaded, const void *slot) {
  if (loaded->mode == first->mode)
    return 0;
  struct object_search search = {(uint64_t)slot, NULL};
  dl_iterate_phdr(find_path_of_address, &search);
  __cilkprof_say(search.path && *search.path ? search.path : "a library", "compiled for another mode than the program",
                 "its profile is not complete; compile both with the same -fcilkprof=MODE");
  set_profile_flags(CILKPROF_INCOMPLETE);
  return 1;
}
