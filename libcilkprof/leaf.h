/* Leaves: functions without events.
   SPDX-License-Identifier: MIT

   Most calls in most programs are of such functions, and they are short.  Nothing is open while one runs that it could
   be nested in: each of its invocations is a top-call-site one, and its work, span and burdened span are its local work.
   So its caller does nothing before the call, but for telling it that it is not called from outside, and books it with
   one event behind.  What follows from the local values is not kept.

   The function may turn out to be another than the one that the compiler saw: the linker takes one of several units
   that have an inline function, and in that unit its callees were not inlined, or it was not instrumented.  The top of
   the log shows that.  The site is then no leaf's any more.  */

#ifndef CILKPROF_LEAF_H
#define CILKPROF_LEAF_H

#include "libcilkprof/site.h"

/* The first invocation of a site that may be SIMPLE.  Returns whether it is.  */
HIDDEN int __cilkprof_leaf_first(site_t *site);

/* Totals of top-call-site and of top-caller invocations.  */
HIDDEN struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site);
HIDDEN struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site);

/* The site is not one of a leaf: what was not kept so far is.  */
HIDDEN void __cilkprof_no_leaf(site_t *site);

/* An invocation of a leaf by a site that is SIMPLE returned, with OWN work.  Returns the new top of the log.  */
static inline record_t *book_leaf(site_t *site, uint64_t own, const record_t *segment, record_t *top) {
  uint64_t key = (uint64_t)site | __CILKPROF_RECORD_TOP_SITE | __CILKPROF_RECORD_LEAF;
  site->count++;
  site->local_work += own;
  if (site->function->open == 0) {
    site->top_caller.count++;
    site->top_caller.work += own;
    key += __CILKPROF_RECORD_TOP_CALLER - __CILKPROF_RECORD_TOP_SITE;
  }
  if (merges(site, key, segment, top)) {
    record_t *last = site->last.record;
    last->count++;
    last->local_work += own;
    return top;
  }
  push_at(site, top);
  top->key = key;
  top->count = 1;
  top->local_work = own;
  top->local_lost = top->local_burden_lost = 0;
  return top + 1;
}

#endif
