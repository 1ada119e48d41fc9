/* Leaves: functions without events.
   SPDX-License-Identifier: MIT

   Most calls in most programs are calls of leaves, and these are short.  A leaf is never invoked below another
   invocation of the same site, so each of its invocations is a top-call-site invocation, and its work, span and
   burdened span are its local work.  So the caller does nothing before the call, except for marking that the callee is
   not entered from outside, and books the call with one event after it.  Values that follow from the local ones are not
   stored.  In the site of a leaf, TOP_CALLER holds the count and the work of the few invocations that are not
   top-caller invocations.

   The function that is called may differ from the one that the compiler saw: the linker takes an inline function from
   one of several units, and in that unit its callees may not have been inlined, or it may not be instrumented.  The top
   of the log then shows this, and the site is treated as that of an ordinary function from then on.  */

#ifndef CILKPROF_LEAF_H
#define CILKPROF_LEAF_H

#include "libcilkprof/engine/span/site.h"

/* The kinds of a leaf's entries: LEAF_TOP for top-caller invocations, LEAF_BELOW for those whose caller is below
   another invocation of its function.  */
enum {
  LEAF_BELOW = __CILKPROF_ENTRY_TOP_SITE | __CILKPROF_ENTRY_LEAF,
  LEAF_TOP = __CILKPROF_ENTRY_TOP_CALLER | __CILKPROF_ENTRY_LEAF
};

/* Lists SITE at its first invocation.  Returns whether it is SIMPLE.  */
HIDDEN int __cilkprof_leaf_first(site_t *site);

/* Return the totals of the top-call-site and of the top-caller invocations of SITE, which need not be a leaf's.  */
HIDDEN struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site);
HIDDEN struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site);

/* Turns SITE into the site of an ordinary function: from now on it stores all values.  */
HIDDEN void __cilkprof_leaf_becomes_function(site_t *site);

/* Books COUNT invocations of a leaf, with OWN work in all, by adding them to the last entry of SITE in the log, if that
   is possible.  Returns whether it was.  MERGE and TOP are the frame's.  */
static inline int merge_leaves_in_log(site_t *site, uint64_t count, uint64_t own, const entry_t *merge,
                                      const entry_t *top) {
  uint64_t open = caller_of_site(site)->open;
  uint64_t key = (uint64_t)site + (open ? LEAF_BELOW : LEAF_TOP);
  if (__CILKPROF_RARE(!merges_into_last_site_entry(site, key, merge, top)))
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

/* Adds the WORK of a callee without parallelism to the work, span and burdened span of FRAME.  */
static inline void add_leaf_work_to_frame(frame_t *frame, uint64_t work) {
  frame->work += work;
  frame->span += work;
  frame->burdened_span += work;
}

/* Books the invocation of a leaf that returned to FRAME, with its work in the return slot, if it can be added to the
   last entry of SITE in the log.  Returns whether it could.  */
static inline int book_returned_leaf(frame_t *frame, site_t *site) {
  uint64_t own = THREAD.local_work;
  if (!merge_leaves_in_log(site, 1, own, frame->merge, frame->top))
    return 0;
  add_leaf_work_to_frame(frame, own);
  return 1;
}

/* Books COUNT invocations of a leaf that returned to FRAME, with OWN work in all.  SITE is SIMPLE.  */
HIDDEN void __cilkprof_book_leaves(frame_t *frame, site_t *site, uint64_t count, uint64_t own);

/* Books COUNT invocations of a leaf, with OWN work in all, in the last entry of SITE or in a new one at TOP.  Returns
   the new top of the log.  SITE is SIMPLE.  */
HIDDEN entry_t *__cilkprof_leaves_pushed(site_t *site, uint64_t count, uint64_t own, const entry_t *merge,
                                         entry_t *top);

#endif
