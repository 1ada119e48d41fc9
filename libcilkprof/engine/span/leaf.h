/* Leaves: functions without events.
   SPDX-License-Identifier: MIT

   Most calls in most programs are of such functions, and they are short.  Nothing is open while one runs that it could
   be nested in: each of its invocations is a top-call-site one, and its work, span and burdened span are its local
   work. So its caller does nothing before the call, but for telling it that it is not called from outside, and books it
   with one event behind.  What follows from the local values is not kept; TOP_CALLER holds the count and the work of
   those invocations that are none, which are few.

   The function may turn out to be another than the one that the compiler saw: the linker takes one of several units
   that have an inline function, and in that unit its callees were not inlined, or it was not instrumented.  The top of
   the log shows that.  The site is then no leaf's any more.  */

#ifndef CILKPROF_LEAF_H
#define CILKPROF_LEAF_H

#include "libcilkprof/engine/span/site.h"

/* Kinds of its entries: what calls it is a top-caller invocation, or below another.  */
enum {
  LEAF_BELOW = __CILKPROF_ENTRY_TOP_SITE | __CILKPROF_ENTRY_LEAF,
  LEAF_TOP = __CILKPROF_ENTRY_TOP_CALLER | __CILKPROF_ENTRY_LEAF
};

/* The first invocation of a site that may be SIMPLE.  Returns whether it is.  */
HIDDEN int __cilkprof_leaf_first(site_t *site);

/* Totals of top-call-site and of top-caller invocations.  */
HIDDEN struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site);
HIDDEN struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site);

/* The site is not one of a leaf: what was not kept so far is.  */
HIDDEN void __cilkprof_no_leaf(site_t *site);

/* COUNT invocations of a leaf returned, with OWN work, whose entry can be that of the site's last one: nothing else
   needs to be looked at then.  Returns whether it could.  */
static inline int leaves_merged(site_t *site, uint64_t count, uint64_t own, const entry_t *merge, const entry_t *top) {
  uint64_t open = site->function->open;
  uint64_t key = (uint64_t)site + (open ? LEAF_BELOW : LEAF_TOP);
  if (__CILKPROF_RARE(!merges(site, key, merge, top)))
    return 0;
  entry_t *last = site->last.entry;
  last->count += count;
  last->local_work += own;
  site->count += count;
  site->local_work += own;
  if (open) {
    site->top_caller.count += count;
    site->top_caller.work += own;
  }
  return 1;
}

static inline void add_serial_work(frame_t *frame, uint64_t work) {
  frame->work += work;
  frame->span += work;
  frame->burdened_span += work;
}

/* One invocation returned to FRAME, its work in the return slot.  */
static inline int leaf_returned(frame_t *frame, site_t *site) {
  uint64_t own = THREAD.local_work;
  if (!leaves_merged(site, 1, own, frame->merge, frame->top))
    return 0;
  add_serial_work(frame, own);
  return 1;
}

/* COUNT invocations returned to FRAME, with OWN work, by a site that is SIMPLE.  */
HIDDEN void __cilkprof_book_leaves(frame_t *frame, site_t *site, uint64_t count, uint64_t own);

/* Several returned, by a site that is SIMPLE: at the top of the log.  Returns the new top.  */
HIDDEN entry_t *__cilkprof_leaves_pushed(site_t *site, uint64_t count, uint64_t own, const entry_t *merge,
                                         entry_t *top);

#endif
