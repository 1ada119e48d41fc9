/* Counters: how often counted code made each call.
   SPDX-License-Identifier: MIT

   The counters of an object are an array in a section of its own (cc/back/records.cc).  Those of an object that is
   unloaded are kept, if their site was reached.  */

#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/engine/memory.h"

enum { OBJECTS = 1024 };

static struct { struct __cilkprof_counter *begin, *end; } objects[OBJECTS];
static size_t object_count;

static struct kept_counter {
  struct __cilkprof_counter counter;
  struct kept_counter *next;
} * kept;

/* Adds the counters from BEGIN to END, those of an object that is loaded.  Where there are too many objects, the number
   of calls is estimated like their work.  */
void __cilkprof_counters_add(struct __cilkprof_counter *begin, struct __cilkprof_counter *end) {
  if (begin == end || object_count == OBJECTS)
    return;
  objects[object_count].begin = begin;
  objects[object_count++].end = end;
}

/* Returns whether SITE is an indirect call with callees, which have sites of their own.  */
static int is_indirect_site(const site_t *site) {
  return !(site->flags & (uint64_t)1 << __CILKPROF_SITE_COUNTED) && site->learnt.callees;
}

/* Calls READ for every counter of a site that was reached.  */
void __cilkprof_each_counter(void (*read)(const struct __cilkprof_counter *counter)) {
  for (size_t i = 0; i < object_count; i++)
    for (const struct __cilkprof_counter *counter = objects[i].begin; counter < objects[i].end; counter++)
      if (counter->site->flags & __CILKPROF_SITE_LISTED || is_indirect_site(counter->site))
        read(counter);
  for (const struct kept_counter *each = kept; each; each = each->next)
    read(&each->counter);
}

/* Returns whether the counters of object I are in the memory from BEGIN to END.  */
static int is_object_within(size_t i, uint64_t begin, uint64_t end) {
  return (uint64_t)objects[i].begin >= begin && (uint64_t)objects[i].begin < end;
}

/* Lists the sites of calls that were only counted, never followed, in the objects from BEGIN to END.  */
void __cilkprof_list_counted(uint64_t begin, uint64_t end) {
  for (size_t i = 0; i < object_count; i++)
    for (struct __cilkprof_counter *counter = objects[i].begin;
         is_object_within(i, begin, end) && counter < objects[i].end; counter++)
      if (counter->count && !is_indirect_site(counter->site))
        __cilkprof_list(counter->site);
}

/* Keeps COUNTER, whose object is unloaded.  Its site is where MOVED says; if there is none, it is lost.  */
static void keep_counter(const struct __cilkprof_counter *counter, site_t *(*moved)(site_t *site)) {
  site_t *site = moved(counter->site);
  struct kept_counter *new = site ? __cilkprof_allocate(sizeof *new) : NULL;
  if (!new)
    return;
  *new = (struct kept_counter){{counter->count, site}, kept};
  kept = new;
}

/* Keeps the counters of the object that is unloaded, whose memory is from BEGIN to END.  */
void __cilkprof_counters_moved(uint64_t begin, uint64_t end, site_t *(*moved)(site_t *site)) {
  for (size_t i = 0; i < object_count; i++)
    if (is_object_within(i, begin, end)) {
      for (const struct __cilkprof_counter *counter = objects[i].begin; counter < objects[i].end; counter++)
        if (counter->count || counter->site->flags & __CILKPROF_SITE_LISTED)
          keep_counter(counter, moved);
      objects[i--] = objects[--object_count];
    }
}
