/* A shared library goes away: its sites, and what else points into it, must outlive it.
   SPDX-License-Identifier: MIT

   Every instrumented library calls this when it is unloaded, after its own destructors.  Its sites move to memory of
   the engine; what names a place in the library becomes what the profile will say of it.  When the library is loaded
   again it has new sites, which the report adds to these.  */

#include <link.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/memory.h"

extern EXPORT void __cilkprof_unload(const void *inside);

static struct { uint64_t begin, end; /* the library in memory */ } gone;

static int find_range(struct dl_phdr_info *info, size_t size, void *inside) {
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
  gone.begin = begin;
  gone.end = end;
  return (uint64_t)inside >= begin && (uint64_t)inside < end;
}

static int is_gone(const void *pointer) {
  return (uint64_t)pointer >= gone.begin && (uint64_t)pointer < gone.end;
}

/* The site itself if it stays where it is, else its copy.  The library's memory is still there: it holds the copy's
   address.  */
static site_t *move_site(site_t *site) {
  if (is_gone(site->description))
    site->description = __cilkprof_place_after_unloading(site->description);
  if (is_gone(site->callee))
    site->callee = __cilkprof_place_after_unloading(site->callee);
  if (!is_gone(site))
    return site;
  site_t *copy = __cilkprof_allocate(sizeof *copy);
  if (copy) {
    *copy = *site;
    site->callees = copy;
  }
  return copy;
}

static site_t *moved(site_t *site) {
  return is_gone(site) ? site->callees : site;
}

/* Without memory for the copies nothing can be said of the sites.  */
static void lose(site_t *site) {
  site->callees = NULL;
  flag(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
}

static void move_sites(void) {
  site_t **link = &ENGINE.first_site, *last = NULL;
  for (site_t *site = *link, *next; site; site = next) {
    next = site->next;
    site_t *moved = move_site(site);
    if (!moved) {
      lose(site);
      continue;
    }
    *link = last = moved;
    link = &moved->next;
  }
  *link = NULL;
  ENGINE.last_site = last;
  __cilkprof_live_first(ENGINE.first_site);
}

void __cilkprof_unload(const void *inside) {
  if (!dl_iterate_phdr(find_range, (void *)(uintptr_t)inside))
    return;
  if (!ENGINE.started || ENGINE.finished) {
    __cilkprof_live_unload(gone.begin, gone.end);
    return;
  }
  struct cilkprof_place place = __cilkprof_place_of(inside);
  struct __cilkprof_profiled_thread *own = THREAD.profiled;
  THREAD.profiled = ENGINE.profiled; /* what is moved is that of the thread that is profiled */
  if (THREAD.recording)
    __cilkprof_book_pending();
  else /* another thread is just writing the log */
    flag(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  move_sites();
  if (!(ENGINE.flags & CILKPROF_NO_ON_SPAN))
    __cilkprof_log_moved(moved), __cilkprof_paths_moved(moved);
  __cilkprof_contexts_moved(moved);
  __cilkprof_roots_moved(moved);
  THREAD.profiled = own;
  if (place.object != CILKPROF_NO_OBJECT)
    __cilkprof_object_unloaded(place.object);
  __cilkprof_live_unload(gone.begin, gone.end);
}
