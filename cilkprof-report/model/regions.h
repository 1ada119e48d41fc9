/* Regions: the parts of a run that the program named.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_REGIONS_H
#define CILKPROF_REPORT_REGIONS_H

#include <stdbool.h>
#include "fmt/profile.h"

/* Those of several profiles, added up by label and kind.  Starts as {0}.  */
struct regions {
  struct cilkprof_region *regions;
  size_t count, room;
};

void regions_add(struct regions *regions, const struct cilkprof_profile *profile);
/* NULL: there is none of that label.  */
const struct cilkprof_region *region_find(const struct regions *regions, const char *label);

static inline bool region_is_strand(const struct cilkprof_region *region) {
  return region->kind & CILKPROF_REGION_STRAND;
}

/* It is a lock of OpenMP's, held.  */
static inline bool region_is_lock(const struct cilkprof_region *region) {
  return region->kind & CILKPROF_REGION_LOCK;
}

static inline const char *region_kind(const struct cilkprof_region *region) {
  return region_is_strand(region) ? "strand" : region_is_lock(region) ? "lock" : "region";
}

/* It could not be measured every time.  */
static inline bool region_is_partial(const struct cilkprof_region *region) {
  return region->kind & CILKPROF_REGION_PARTIAL;
}

#endif
