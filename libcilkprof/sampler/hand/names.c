/* Names of tasks, and the sites of tasks by name.
   SPDX-License-Identifier: MIT

   A name is known by its hash, which is a part of what the site is in the profile, and is the label of a region there.
   It is copied: the program may change it, or free it.  A program that makes a name for each task has too many for
   anybody to read: after the first MOST_NAMES, new ones are as if there were none.  */

#include <string.h>

#include "fmt/profile.h"
#include "libcilkprof/sampler/hand/hand.h"

enum { MOST_NAMES = 1000, MOST_NAMED = 1 << 14, LONGEST = CILKPROF_LONGEST_TASK_NAME };

static char names[MOST_NAMED][LONGEST + 1];    /* by site */
static _Atomic uint64_t kinds[2 * MOST_NAMES]; /* those of names, by their hashes */
static _Atomic uint32_t count;

/* Returns whether KIND, of a task with a name, is one of those that are known; from here on if there is room.  */
static bool is_known(uint64_t kind) {
  for (uint64_t place = kind >> 8;; place++) {
    uint64_t found = 0;
    if (atomic_load(&count) < MOST_NAMES &&
        atomic_compare_exchange_strong(&kinds[place % (2 * MOST_NAMES)], &found, kind)) {
      atomic_fetch_add(&count, 1);
      return true;
    }
    found = atomic_load(&kinds[place % (2 * MOST_NAMES)]);
    if (found == kind || !found)
      return found == kind;
  }
}

uint32_t hand_site(const char *name, const void *code) {
  uint64_t kind = cilkprof_task_kind(name);
  if (kind != CILKPROF_CONSTRUCT_FORK && !is_known(kind))
    kind = CILKPROF_CONSTRUCT_FORK;
  uint32_t site = paths_site(code, kind);
  if (kind != CILKPROF_CONSTRUCT_FORK && site < MOST_NAMED && !names[site][0])
    memccpy(names[site], name, 0, LONGEST);
  return site;
}

void hand_write_names(struct cilkprof_writer *writer) {
  for (uint32_t i = 1; i < MOST_NAMED; i++)
    if (names[i][0])
      cilkprof_write_region(writer, &(struct cilkprof_region){names[i], CILKPROF_REGION_MARKED, paths_invocations(i)});
}
