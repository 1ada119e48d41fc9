/* Series of leaves: the events of calls in a loop that calls nothing but leaves.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

/* Handles an invocation of the leaf of SITE that returned to FRAME and that no open series can count.  Books it at once
   if the thread is not recorded, or if SITE is not simple: a series is a sum, which is not enough for contexts and
   what-ifs, and it does not list a new site.  Otherwise begins a series with it.  Not inlined, so that events that only
   count, which are most, stay short.  */
static __attribute__((noinline)) void book_leaf_or_begin_series(frame_t *frame, site_t *site) {
  if (!THREAD.recording || !(site->flags & __CILKPROF_SITE_SIMPLE))
    __cilkprof_leaf_slow(site);
  else
    __cilkprof_begin_series(frame, site);
}

/* Counts an invocation with OWN work in the series of SITE.  Returns 0 if that is not possible.  */
static inline int try_count_in_series(const site_t *site, uint64_t own) {
  struct __cilkprof_series *series = leaf_series_of(site);
  if (__CILKPROF_RARE(series->site != site || !series->left))
    return 0;
  series->left--;
  series->work += own;
  return 1;
}

/* Counts a leaf of SITE that has returned to FRAME, the innermost one, in its series; books it if that is not
   possible.  */
static inline void count_leaf_in_series(frame_t *frame, site_t *site) {
  if (!try_count_in_series(site, THREAD.local_work))
    book_leaf_or_begin_series(frame, site);
}

/* Books INSIDE, the work that was done under a lock, as an invocation of SITE that cannot be counted, or begins a
   series with it.  What a lock takes is not seen in this run: the series are not measured.  */
static __attribute__((noinline)) void count_locked_work_in_series_slow(site_t *site, uint64_t inside) {
  __cilkprof_h_bare(inside);
  book_leaf_or_begin_series(THREAD.frames, site);
  __cilkprof_series_not_measured();
}

/* Counts INSIDE, the work that was done under a lock, as an invocation of SITE.  A store is avoided if there is no
   WORK, because the atomic operation of the lock waits for stores.  */
void __cilkprof_o_locked_series(site_t *site, uint64_t work, uint64_t inside) {
  if (work)
    THREAD.frames->local_work += work;
  if (!try_count_in_series(site, inside))
    count_locked_work_in_series_slow(site, inside);
}

/* Counts a leaf that SITE called, in a loop that calls nothing but leaves, and that has returned.  WORK is what the
   function itself did since its last event.  */
void __cilkprof_o_series(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  frame->local_work += work;
  count_leaf_in_series(frame, site);
}

/* Counts a call by SITE, in a loop that calls nothing but leaves, that the compiler took for that of a leaf, but which
   may have been of another function.  WORK is what the function itself did since its last event.  */
void __cilkprof_o_series_any(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  frame->local_work += work;
  if (__CILKPROF_RARE(is_callee_not_the_leaf(frame)))
    __cilkprof_other_than_leaf_returned(site);
  else
    count_leaf_in_series(frame, site);
}

/* Begins an indirect call of CALLEE by SITE in a loop that calls nothing but leaves.  Most are of the function that was
   called last, which is mostly a leaf.  */
void __cilkprof_o_series_call(site_t *site, uint64_t work, const void *callee) {
  enum { KNOWN_LEAF = __CILKPROF_SITE_KNOWN | __CILKPROF_SITE_LEAF };
  frame_t *frame = THREAD.frames;
  site_t *last = site->learnt.callees;
  if (__CILKPROF_RARE(!last || last->callee != callee || ~last->flags & KNOWN_LEAF || frame->begin ||
                      frame->site & ~(uint64_t)SERIES_PENDING || ENGINE.requests))
    __cilkprof_o_call_indirect(site, work, callee);
  else {
    frame->local_work += work;
    frame->site = (uint64_t)last | __CILKPROF_CALL_LEAF;
    THREAD.top = frame->top;
  }
}

/* Finishes an indirect call by FRAME's function in a loop that calls nothing but leaves: counts the leaf, or finishes
   the call like that of any other function.  */
void __cilkprof_o_series_returned(frame_t *frame) {
  uint64_t leaf = frame->site - __CILKPROF_CALL_LEAF;
  if (__CILKPROF_RARE(leaf & __CILKPROF_CALL_KIND || THREAD.frames != frame || THREAD.counting))
    __cilkprof_o_foreign_returned(frame);
  else {
    frame->site = SERIES_PENDING;
    count_leaf_in_series(frame, (site_t *)leaf);
  }
}
