/* Leaves: the values of their sites, and their entries in the log.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/leaf.h"

/* Adds SITE, a call of a leaf, to the list of sites at its first invocation.  Returns whether nothing but the site and
   the log has to be updated for its invocations (SIMPLE).  */
int __cilkprof_leaf_first(site_t *site) {
  __cilkprof_list_site(site);
  return (site->flags & __CILKPROF_SITE_SIMPLE) != 0;
}

/* Returns the totals of COUNT invocations of a leaf: without parallelism, span and burdened span are the WORK.  */
static struct __cilkprof_total serial_leaf_total(uint64_t count, uint64_t work) {
  return (struct __cilkprof_total){count, work, work, work};
}

/* Returns the totals of the top-call-site invocations of SITE.  For a leaf these are all of its invocations, and follow
   from the local values.  */
struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site) {
  return site->flags & __CILKPROF_SITE_LEAF ? serial_leaf_total(site->count, site->local_work) : site->top_call_site;
}

/* Returns the totals of the top-caller invocations of SITE.  The site of a leaf stores those of its other invocations
   instead.  */
struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site) {
  if (!(site->flags & __CILKPROF_SITE_LEAF))
    return site->top_caller;
  return serial_leaf_total(site->count - site->top_caller.count, site->local_work - site->top_caller.work);
}

/* Turns SITE from the site of a leaf into that of an ordinary function: from now on it stores all values.  */
void __cilkprof_leaf_becomes_function(site_t *site) {
  struct __cilkprof_total top_caller = __cilkprof_top_caller_of(site);
  site->top_call_site = __cilkprof_top_call_site_of(site);
  site->top_caller = top_caller;
  site->flags &= ~(uint64_t)__CILKPROF_SITE_LEAF;
}

/* Books COUNT invocations of a leaf, with OWN work in all, in the last entry of SITE in the log if that is not before
   MERGE, or in a new one at TOP.  Returns the new top of the log.  SITE is SIMPLE.  */
entry_t *__cilkprof_leaves_pushed(site_t *site, uint64_t count, uint64_t own, const entry_t *merge, entry_t *top) {
  if (merge_leaves_in_log(site, count, own, merge, top))
    return top;
  uint64_t open = caller_of_site(site)->open;
  note_last_log_entry(site, top);
  *top = (entry_t){.key = (uint64_t)site + (open ? LEAF_BELOW : LEAF_TOP)};
  merge_leaves_in_log(site, count, own, top, top + 1);
  return top + 1;
}

/* Books COUNT invocations of a leaf that returned to FRAME, with OWN work in all: in SITE, which is SIMPLE, in the log
   and in FRAME.  */
void __cilkprof_book_leaves(frame_t *frame, site_t *site, uint64_t count, uint64_t own) {
  entry_t *top = frame->top;
  if (__CILKPROF_AT_LIMIT(top, frame->segment))
    top = __cilkprof_fold(frame->segment, top);
  entry_t *end = __cilkprof_leaves_pushed(site, count, own, frame->merge, top);
  frame->top = top == THREAD.sink ? top : end;
  add_leaf_work_to_frame(frame, own);
}
