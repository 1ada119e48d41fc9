/* Sums of the regions of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/model/regions.h"
#include "cilkprof-report/model/sums.h"
#include "cilkprof-report/support/support.h"

/* Returns the kind of REGION (marked, strand or lock) without the flag for partial measurements.  */
static uint64_t model_region_basic_kind(const struct cilkprof_region *region) {
  return region->kind & ~(uint64_t)CILKPROF_REGION_PARTIAL;
}

/* Returns the region with this label and kind, or NULL.  */
static struct cilkprof_region *find_model_region_by_kind(const struct regions *regions, const char *label,
                                                         uint64_t kind) {
  for (size_t i = 0; i < regions->count; i++)
    if (model_region_basic_kind(&regions->regions[i]) == kind && strcmp(regions->regions[i].label, label) == 0)
      return &regions->regions[i];
  return NULL;
}

/* Adds the regions of PROFILE to REGIONS, where those of the same label and kind are added up.  */
void add_model_regions(struct regions *regions, const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->region_count; i++) {
    const struct cilkprof_region *from = &profile->regions[i];
    struct cilkprof_region *sum = find_model_region_by_kind(regions, from->label, model_region_basic_kind(from));
    if (sum == NULL) {
      regions->regions = grow_array(regions->regions, regions->count, &regions->room, sizeof *regions->regions);
      regions->regions[regions->count++] = *from;
      continue;
    }
    sum->kind |= from->kind;
    add_model_measure(&sum->total, &from->total);
  }
}

/* Returns the region with this label, or NULL.  A marked region takes precedence over a strand, and that over a
   lock.  */
const struct cilkprof_region *find_model_region(const struct regions *regions, const char *label) {
  static const uint64_t kinds[] = {CILKPROF_REGION_MARKED, CILKPROF_REGION_STRAND, CILKPROF_REGION_LOCK};
  const struct cilkprof_region *region = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && region == NULL; i++)
    region = find_model_region_by_kind(regions, label, kinds[i]);
  return region;
}
