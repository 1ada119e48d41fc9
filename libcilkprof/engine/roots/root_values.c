/* The values of sites in each root, for all sites that its root invocations reached.
   SPDX-License-Identifier: MIT

   They are in a hash table, by site and tree.  The table has twice as many slots as there is room for values.  */

#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/memory.h"

enum { MOST = 1 << 20, LEAST = 1 << 10 };

struct root_values {
  root_site_t *sites;
  uint32_t *slots; /* 1 + index; 0: none */
  size_t count, room;
  int stale; /* sites have moved, so that some slots are wrong */
};

/* Reserves the hash table for the values of sites in each root, as large as memory allows.  Returns 0, or -1 if there
   is no memory.  */
int __cilkprof_root_values_start(void) {
  struct root_values *values = __cilkprof_allocate(sizeof *values);
  for (size_t room = MOST; values && room >= LEAST; room /= 4) {
    values->sites = __cilkprof_reserve(room * (sizeof *values->sites + 2 * sizeof *values->slots));
    if (!values->sites)
      continue;
    values->slots = (uint32_t *)(values->sites + room);
    values->room = room;
    profiled_thread()->root_values = values;
    return 0;
  }
  return -1;
}

/* Returns the slot in the hash table VALUES for WHAT, a site or function, in TREE, or the free slot where it would be
   added.  */
static uint32_t *root_value_slot(const struct root_values *values, const void *what, uint64_t tree) {
  uint64_t hash = ((uint64_t)what >> 3 ^ tree << 56) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ hash >> 29) * 0xD6E8FEB86659FD93u;
  size_t count = 2 * values->room, slot = (size_t)((unsigned __int128)hash * count >> 64);
  for (; values->slots[slot]; slot = slot + 1 < count ? slot + 1 : 0) {
    const root_site_t *known = &values->sites[values->slots[slot] - 1];
    if (known->what == what && known->tree == tree)
      break;
  }
  return &values->slots[slot];
}

/* Returns the values of WHAT, a site or function, in TREE, which is the program or a root.  They are added if there are
   none; NULL if there is no room.  */
root_site_t *__cilkprof_root_site(const void *what, uint64_t tree) {
  struct root_values *values = profiled_thread()->root_values;
  uint32_t *slot = root_value_slot(values, what, tree);
  if (*slot)
    return &values->sites[*slot - 1];
  if (values->count == values->room)
    return NULL;
  root_site_t *new = &values->sites[values->count++];
  new->what = what;
  new->tree = new->below.tree = new->top.tree = tree;
  *slot = (uint32_t)values->count;
  return new;
}

/* Returns the values of WHAT, a site or function, in TREE, which is the program or a root; NULL if there are none.  */
const root_site_t *__cilkprof_known_root_site(const void *what, uint64_t tree) {
  const struct root_values *values = profiled_thread()->root_values;
  const uint32_t *slot = root_value_slot(values, what, tree);
  return *slot ? &values->sites[*slot - 1] : NULL;
}

/* Adds ENTRY of the log to the on-span values of TREE, a root.  Tallies of other trees are ignored; from the entry of a
   site only the local values are taken.  Returns its local span.  */
static uint64_t add_entry_to_root(uint64_t tree, const entry_t *entry) {
  uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND, address = entry->key - kind;
  if (kind == __CILKPROF_ENTRY_TALLY) {
    struct tally *tally = (struct tally *)address;
    if (tally->tree == tree) {
      tally->on_span.count += entry->count;
      tally->on_span.work += entry->work;
      tally->on_span.span += entry->span;
      tally->on_span.burdened_span += entry->burdened_span;
    }
    return 0;
  }
  root_site_t *site = __cilkprof_root_site((const site_t *)address, tree);
  if (site) {
    site->on_span.count += kind == __CILKPROF_ENTRY_ONE ? 1 : entry->count;
    site->on_span.work += entry->local_work;
    site->on_span.off_span += entry->local_off_span;
    site->on_span.off_burdened_span += entry->local_off_burdened_span;
  }
  return entry->local_work - entry->local_off_span;
}

/* Adds the entries of the log from START to TOP, the longest path of an invocation of the root TREE, to the on-span
   values of that root.  Returns the local span of its sites.  */
uint64_t __cilkprof_root_on_span(uint64_t tree, const entry_t *start, const entry_t *top) {
  uint64_t span = 0;
  while (top > start) {
    --top;
    if (top->key == __CILKPROF_ENTRY_HOLE)
      top = (const entry_t *)top->local_work;
    else
      span += add_entry_to_root(tree, top);
  }
  return span;
}

/* Makes the values in roots of sites that have moved findable again, by filling the hash table anew.  Must be called
   before the profile is written.  */
void __cilkprof_root_values_complete(void) {
  struct root_values *values = profiled_thread()->root_values;
  if (!values || !values->stale)
    return;
  values->stale = 0;
  for (size_t i = 0; i < 2 * values->room; i++)
    values->slots[i] = 0;
  for (size_t i = 0; i < values->count; i++)
    *root_value_slot(values, values->sites[i].what, values->sites[i].tree) = (uint32_t)i + 1;
}

/* Replaces the sites that have values in a root by what MOVED returns for them: a shared library has been unloaded.
   The values of a site for whose copy there was no memory stay in the table, but belong to no site any more.  Another
   thread may be using the slots right now, so they are not updated then: it is enough if they are right when the
   profile is written.  */
void __cilkprof_root_values_moved(site_t *(*moved)(site_t *site)) {
  struct root_values *values = profiled_thread()->root_values;
  values->stale = 1;
  for (size_t i = 0; i < values->count; i++) {
    site_t *before = (site_t *)(uintptr_t)values->sites[i].what, *now = moved(before);
    if (now != before)
      values->sites[i].what = now;
  }
  if (THREAD.recording)
    __cilkprof_root_values_complete();
}
