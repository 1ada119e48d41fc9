/* Unloading of a shared library: its sites, and all pointers into it, must survive it.
   SPDX-License-Identifier: MIT

   Every instrumented library calls __cilkprof_unload when it is unloaded, after its own destructors.  Its sites are
   moved to the engine's memory.  Pointers into the library are replaced by what the profile will say about them: the
   object and the address in it.  If the library is loaded again, it has new sites, and the report adds them up.  */

#include <link.h>
#include <sys/mman.h>

#include "fmt/live.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/names/descriptions.h"

extern EXPORT void __cilkprof_unload(const void *inside, char *records, char *records_end);

static struct {
  uint64_t begin, end;               /* in memory */
  const char *records, *records_end; /* its records, which are elsewhere */
} library;                           /* the one that is unloaded */

/* Sets the range of LIBRARY to that of the loaded object INFO.  A callback of dl_iterate_phdr: returns whether the
   object holds INSIDE.  */
static int find_unloading_library_range(struct dl_phdr_info *info, size_t size, void *inside) {
  uint64_t begin = UINT64_MAX, end = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD)
      continue;
    uint64_t first = info->dlpi_addr + segment->p_vaddr;
    begin = first < begin ? first : begin;
    end = first + segment->p_memsz > end ? first + segment->p_memsz : end;
  }
  library.begin = begin;
  library.end = end;
  return (uint64_t)inside >= begin && (uint64_t)inside < end;
}

/* Returns whether POINTER is in the memory of the library that is unloaded.  */
static int is_in_unloading_library(const void *pointer) {
  return (uint64_t)pointer >= library.begin && (uint64_t)pointer < library.end;
}

/* Returns whether SITE is a record of the library that is unloaded.  */
static int is_unloading_record(const site_t *site) {
  return (const char *)site >= library.records && (const char *)site < library.records_end;
}

/* Moves SITE to the engine's memory if it is in the library that is unloaded.  Returns SITE itself if it is not, else
   its copy, or NULL if there is no memory.  The library's memory is still there: CALLEES of SITE gets the address of
   the copy.  */
static site_t *move_site_from_unloading_library(site_t *site) {
  if (is_in_unloading_library(site->description))
    site->description = __cilkprof_profile_address_after_unloading(site->description);
  if (is_in_unloading_library(site->callee))
    site->callee = __cilkprof_profile_address_after_unloading(site->callee);
  if (!is_unloading_record(site))
    return site;
  site_t *copy = __cilkprof_allocate(sizeof *copy);
  if (copy) {
    *copy = *site;
    site->learnt.callees = copy;
  }
  return copy;
}

/* Returns where SITE is now, after move_sites_from_unloading_library; NULL if it was lost.  */
static site_t *moved_unloaded_site_address(site_t *site) {
  return is_unloading_record(site) ? site->learnt.callees : site;
}

/* Records that SITE is lost, because there is no memory for its copy.  */
static void lose_unloaded_site(site_t *site) {
  site->learnt.callees = NULL;
  set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
}

/* Returns whether POINTER is none, stands for an address in a library that was unloaded, or is one in the executable,
   which is from LOW to HIGH.  */
static int is_settled_address(const void *pointer, uint64_t low, uint64_t high) {
  uint64_t address = (uint64_t)pointer;
  return !pointer || address & CILKPROF_LIVE_PLACE_MARK || (address >= low && address < high);
}

/* Moves all sites of the library that is unloaded, and makes the list of sites again.  Those that no other library can
   concern go to its beginning, and are not looked at again: a program may load libraries many thousand times.  */
static void move_sites_from_unloading_library(void) {
  uint64_t low, high;
  site_t *others = NULL, **other = &others, *last = NULL,
         **link = ENGINE.settled ? &ENGINE.settled->next : &ENGINE.first_site;
  __cilkprof_profile_object_range(0, &low, &high);
  for (site_t *site = *link, *next; site; site = next) {
    next = site->next;
    site_t *kept = move_site_from_unloading_library(site);
    if (!kept)
      lose_unloaded_site(site);
    else if (is_settled_address(kept->description, low, high) && is_settled_address(kept->callee, low, high)) {
      *link = ENGINE.settled = kept;
      link = &kept->next;
    } else {
      *other = last = kept;
      other = &kept->next;
    }
  }
  *other = NULL;
  *link = others;
  ENGINE.last_site = last ? last : ENGINE.settled;
  __cilkprof_live_first(ENGINE.first_site);
}

/* Keeps the sites of the library that is unloaded, and replaces all pointers into it.  INSIDE is an address in it.  */
static void keep_sites_of_unloading_library(const void *inside) {
  struct cilkprof_object_address at = __cilkprof_profile_object_address(inside);
  struct __cilkprof_profiled_thread *own = THREAD.profiled;
  THREAD.profiled = ENGINE.profiled; /* the state that is changed is the profiled thread's */
  if (THREAD.counting == __CILKPROF_COUNTING_CALL)
    __cilkprof_counted_entered();
  if (THREAD.recording)
    __cilkprof_book_pending();
  else /* the profiled thread may be writing to the log now */
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  __cilkprof_list_counted((uint64_t)library.records, (uint64_t)library.records_end);
  move_sites_from_unloading_library();
  if (!(ENGINE.flags & CILKPROF_NO_ON_SPAN))
    __cilkprof_log_moved(moved_unloaded_site_address), __cilkprof_task_paths_moved(moved_unloaded_site_address);
  __cilkprof_counted_moved(moved_unloaded_site_address);
  __cilkprof_contexts_moved(moved_unloaded_site_address);
  __cilkprof_loop_records_moved(moved_unloaded_site_address);
  __cilkprof_roots_moved(moved_unloaded_site_address);
  THREAD.profiled = own;
  if (at.object != CILKPROF_NO_OBJECT)
    __cilkprof_profile_object_unloaded(at.object);
}

/* Keeps the sites of a library that is unloaded, and frees its records, which are from RECORDS to RECORDS_END.  Called
   by that library, which holds the address INSIDE.  */
void __cilkprof_unload(const void *inside, char *records, char *records_end) {
  if (!records || !dl_iterate_phdr(find_unloading_library_range, (void *)(uintptr_t)inside))
    return;
  library.records = records;
  library.records_end = records_end;
  int ending = !ENGINE.started || ENGINE.finished;
  if (!ending)
    keep_sites_of_unloading_library(inside);
  __cilkprof_sites_unloaded((uint64_t)records, (uint64_t)records_end);
  __cilkprof_forget_descriptions(inside);
  __cilkprof_live_unload((uint64_t)records, (uint64_t)records_end);
  if (!ending) /* when the program ends, handlers of signals may still run, and use them */
    munmap(records, (size_t)(records_end - records));
}
