/* Counters: how often counted code made each call.
   SPDX-License-Identifier: MIT

   Counted code counts in the record of the site itself, also where the site was never reached by followed code and so
   is in no list.  So the engine knows where the site records of every object are.  */

#include "libcilkprof/engine/span/counted_sums.h"

enum { OBJECTS = 1024 };

static struct { site_t *begin, *end; } objects[OBJECTS];
static size_t object_count;

/* Adds the sites from BEGIN to END, those of an object that is loaded.  Where there are too many objects, calls that
   only counted code made are not counted.  */
void __cilkprof_sites_add(site_t *begin, site_t *end) {
#ifdef __CILKPROF_PARALLEL
  __cilkprof_recorders_add_object(begin, end);
#endif
  if (begin == end || object_count == OBJECTS)
    return;
  objects[object_count].begin = begin;
  objects[object_count++].end = end;
}

/* Returns whether SITE is an indirect call with callees, which have sites of their own.  */
static int is_indirect_site(const site_t *site) {
  return !(site->flags & (uint64_t)1 << __CILKPROF_SITE_COUNTED) && site->learnt.callees;
}

/* Divides the calls that counted code made at SITE, an indirect call, among its callees, as followed code called
   them.  */
static void divide_counted_calls_among_callees(site_t *site) {
  uint64_t calls = 0, left = site->counted;
  for (const site_t *callee = site->learnt.callees; callee; callee = callee->learnt.callees)
    calls += 1 + callee->count;
  for (site_t *callee = site->learnt.callees; callee; callee = callee->learnt.callees) {
    uint64_t share = (uint64_t)((unsigned __int128)site->counted * (1 + callee->count) / calls);
    if (!callee->learnt.callees)
      share = left;
    callee->counted += share;
    left -= share;
  }
  site->counted = 0;
}

/* Returns whether the sites of object I are in the memory from BEGIN to END.  */
static int is_object_of_counted_sites_within(size_t i, uint64_t begin, uint64_t end) {
  return (uint64_t)objects[i].begin >= begin && (uint64_t)objects[i].begin < end;
}

/* Lists the sites at which counted code made calls, in the objects whose records are in the memory from BEGIN to END,
   so that they are in the profile.  The calls at an indirect call are divided among its callees instead, which have
   sites of their own.  */
void __cilkprof_list_counted(uint64_t begin, uint64_t end) {
  for (size_t i = 0; i < object_count; i++)
    for (site_t *site = objects[i].begin; is_object_of_counted_sites_within(i, begin, end) && site < objects[i].end;
         site++)
      if (site->counted && is_indirect_site(site))
        divide_counted_calls_among_callees(site);
      else if (site->counted)
        __cilkprof_list_site(site);
}

/* Forgets the sites of the object that is unloaded, whose records are in the memory from BEGIN to END.  */
void __cilkprof_sites_unloaded(uint64_t begin, uint64_t end) {
#ifdef __CILKPROF_PARALLEL
  __cilkprof_recorders_remove_object(begin, end);
#endif
  for (size_t i = 0; i < object_count; i++)
    if (is_object_of_counted_sites_within(i, begin, end))
      objects[i--] = objects[--object_count];
}
