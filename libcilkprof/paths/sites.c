/* Sites: the places of the program's constructs.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/paths/internal.h"

enum { TABLE = 2 * MOST_SITES };

static struct path_site sites[MOST_SITES]; /* the first is the whole program; those that are ready have a KIND */
static _Atomic uint32_t count = 1;
static _Atomic uint32_t table[TABLE];
static atomic_flag locked = ATOMIC_FLAG_INIT;

/* Returns the place in the table where the site of CODE and KIND is, or would be.  */
static uint32_t place_of(const void *code, uint64_t kind) {
  uint64_t hash = ((uintptr_t)code * 16 + kind) * UINT64_C(0x9E3779B97F4A7C15);
  uint32_t place = (uint32_t)(hash >> 40) % TABLE;
  for (uint32_t site; (site = atomic_load_explicit(&table[place], memory_order_acquire)) != 0;
       place = (place + 1) % TABLE)
    if (sites[site].code == code && sites[site].kind == kind)
      break;
  return place;
}

uint32_t paths_site(const void *code, uint64_t kind) {
  uint32_t place = place_of(code, kind), site = atomic_load_explicit(&table[place], memory_order_relaxed);
  if (site)
    return site;
  lock(&locked);
  place = place_of(code, kind);
  site = atomic_load_explicit(&table[place], memory_order_relaxed);
  if (!site && atomic_load(&count) < MOST_SITES) {
    site = atomic_fetch_add(&count, 1);
    sites[site] = (struct path_site){.code = code, .kind = kind};
    atomic_store_explicit(&table[place], site, memory_order_release);
  } else if (!site)
    atomic_store(&paths_incomplete, true);
  unlock(&locked);
  return site;
}

uint32_t paths_site_count(void) {
  return atomic_load(&count);
}

const struct path_site *paths_site_at(uint32_t number) {
  return &sites[number];
}

const void *paths_code(uint32_t site) {
  return sites[site].code;
}

void paths_list_objects(uint32_t (*object_of)(uintptr_t, uint64_t *)) {
  for (uint32_t i = 1; i < paths_site_count(); i++)
    if ((sites[i].object = object_of((uintptr_t)sites[i].code, &sites[i].address)) == CILKPROF_NO_OBJECT)
      sites[i].object = 0; /* the program, at the address 0 */
}
