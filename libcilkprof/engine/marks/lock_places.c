/* Locks of omp.h that are set and unset around a block: whether a place always sets the same lock.
   SPDX-License-Identifier: MIT

   The code under such a lock is measured by its events, like a critical section.  Where the lock is not a variable of
   its own, the compiler does not know if it is always the same one, so the site is named `omp locks FILE:LINE', and the
   program tells here which lock it sets.  In the profile, what a place did that only ever set one lock is also a
   region, `omp lock FILE:LINE': one processor at a time can do it.  */

#include <stdio.h>
#include <string.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/memory.h"

enum { PLACES = 1 << 8, MAX_NAME = 200 };
static const char several_name[] = "omp locks";

struct lock_place {
  const char *key;  /* the name in the program, which a library that is unloaded takes with it */
  const void *lock; /* the last one */
  int several;      /* there were others */
  char name[MAX_NAME + 1];
};

static __thread struct lock_place *places; /* a hash table; NULL: there are none */

extern EXPORT void __cilkprof_omp_lock_at_place(const char *name, const void *lock);

/* Returns where the place with NAME is in the table, or where it could be; NULL: there is no room.  */
static struct lock_place *find_lock_place(const char *name) {
  size_t first = ((uintptr_t)name * 0x9E3779B97F4A7C15u >> 32) % PLACES;
  for (size_t i = 0; i < PLACES; i++) {
    struct lock_place *place = &places[(first + i) % PLACES];
    if (!place->key || place->key == name)
      return place;
  }
  return NULL;
}

/* Notes that the program has set LOCK at the place with NAME.  Only the profiled thread is of interest.  */
void __cilkprof_omp_lock_at_place(const char *name, const void *lock) {
  if (!THREAD.recording || (!places && !(places = __cilkprof_allocate(PLACES * sizeof *places))))
    return;
  struct lock_place *place = find_lock_place(name);
  if (!place || place->lock == lock)
    return;
  if (!place->key) {
    place->key = name;
    memcpy(place->name, name, strnlen(name, MAX_NAME));
  } else
    place->several = 1;
  place->lock = lock;
}

int __cilkprof_has_lock_places(void) {
  return places != NULL;
}

/* Returns whether NAME is of a site whose invocations all held one lock, though the compiler did not know that.  Then
   the name of that lock is put into TEXT, which has room for SIZE characters.  */
int __cilkprof_is_one_lock(const char *name, char *text, size_t size) {
  int found = 0;
  if (!places || strncmp(name, several_name, sizeof several_name - 1) != 0)
    return 0;
  for (size_t i = 0; i < PLACES; i++)
    if (places[i].key && strncmp(places[i].name, name, MAX_NAME) == 0) {
      if (places[i].several || (found && places[i].lock != places[found - 1].lock))
        return 0;
      found = (int)i + 1;
    }
  snprintf(text, size, "omp lock%s", name + sizeof several_name - 1);
  return found > 0;
}
