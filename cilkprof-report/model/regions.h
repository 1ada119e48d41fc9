/* Regions: parts of a run that the program marks and names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_REGIONS_H
#define CILKPROF_REPORT_REGIONS_H

#include <stdbool.h>
#include "fmt/profile.h"

/* The regions of several profiles, added up by label and kind.  Initially {0}.  */
struct regions {
  struct cilkprof_region *regions;
  size_t count, room;
};

void add_model_regions(struct regions *regions, const struct cilkprof_profile *profile);
const struct cilkprof_region *find_model_region(const struct regions *regions, const char *label);

/* Returns whether REGION is a named part of one function's own strands.  */
static inline bool model_region_is_strand(const struct cilkprof_region *region) {
  return region->kind & CILKPROF_REGION_STRAND;
}

/* Returns whether REGION is the time during which a lock or mutex was held.  */
static inline bool model_region_is_lock(const struct cilkprof_region *region) {
  return region->kind & CILKPROF_REGION_LOCK;
}

/* Returns the kind of REGION, as tables show it.  */
static inline const char *model_region_kind(const struct cilkprof_region *region) {
  return model_region_is_strand(region) ? "strand" : model_region_is_lock(region) ? "lock" : "region";
}

/* Returns whether some executions of REGION could not be measured.  */
static inline bool model_region_is_partial(const struct cilkprof_region *region) {
  return region->kind & CILKPROF_REGION_PARTIAL;
}

#endif
