/* Leaves: the values of their sites, and their entries in the log.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/leaf.h"

int __cilkprof_leaf_first(site_t *site) {
  __cilkprof_list(site);
  return (site->flags & __CILKPROF_SITE_SIMPLE) != 0;
}

/* Returns the total of COUNT invocations without parallelism.  */
static struct __cilkprof_total serial_total(uint64_t count, uint64_t work) {
  return (struct __cilkprof_total){count, work, work, work};
}

struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site) {
  return site->flags & __CILKPROF_SITE_LEAF ? serial_total(site->count, site->local_work) : site->top_call_site;
}

struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site) {
  if (!(site->flags & __CILKPROF_SITE_LEAF))
    return site->top_caller;
  return serial_total(site->count - site->top_caller.count, site->local_work - site->top_caller.work);
}

void __cilkprof_no_leaf(site_t *site) {
  struct __cilkprof_total top_caller = __cilkprof_top_caller_of(site);
  site->top_call_site = __cilkprof_top_call_site_of(site);
  site->top_caller = top_caller;
  site->flags &= ~(uint64_t)__CILKPROF_SITE_LEAF;
}

entry_t *__cilkprof_leaves_pushed(site_t *site, uint64_t count, uint64_t own, const entry_t *merge, entry_t *top) {
  if (leaves_merged(site, count, own, merge, top))
    return top;
  uint64_t open = site->function->open;
  push_at(site, top);
  *top = (entry_t){.key = (uint64_t)site + (open ? LEAF_BELOW : LEAF_TOP)};
  leaves_merged(site, count, own, top, top + 1);
  return top + 1;
}

void __cilkprof_book_leaves(frame_t *frame, site_t *site, uint64_t count, uint64_t own) {
  entry_t *top = frame->top;
  if (__CILKPROF_AT_LIMIT(top, frame->segment))
    top = __cilkprof_fold(frame->segment, top);
  entry_t *end = __cilkprof_leaves_pushed(site, count, own, frame->merge, top);
  frame->top = top == THREAD.sink ? top : end;
  add_serial_work(frame, own);
}
