/* Leaves: what their sites do not keep.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/leaf.h"

int __cilkprof_leaf_first(site_t *site) {
  __cilkprof_list(site);
  return (site->flags & __CILKPROF_SITE_SIMPLE) != 0;
}

static struct __cilkprof_total serial(uint64_t count, uint64_t work) {
  return (struct __cilkprof_total){count, work, work, work};
}

struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site) {
  return site->flags & __CILKPROF_SITE_LEAF ? serial(site->count, site->local_work) : site->top_call_site;
}

struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site) {
  return site->flags & __CILKPROF_SITE_LEAF ? serial(site->top_caller.count, site->top_caller.work) : site->top_caller;
}

void __cilkprof_no_leaf(site_t *site) {
  site->top_call_site = __cilkprof_top_call_site_of(site);
  site->top_caller = __cilkprof_top_caller_of(site);
  site->flags &= ~(uint64_t)__CILKPROF_SITE_LEAF;
}
