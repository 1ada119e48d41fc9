/* Series of leaves: their events.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

static __attribute__((noinline)) void series_slow(frame_t *frame, site_t *site) {
  if (!THREAD.recording || !(site->flags & __CILKPROF_SITE_SIMPLE))
    __cilkprof_leaf_slow(site);
  else
    __cilkprof_begin_series(frame, site);
}

/* Whether an invocation with OWN work can be counted.  */
static inline int counted_in_series(const site_t *site, uint64_t own) {
  struct __cilkprof_series *series = series_of(site);
  if (__CILKPROF_RARE(series->site != site || !series->left))
    return 0;
  series->left--;
  series->work += own;
  return 1;
}

/* A leaf returned to the innermost FRAME.  */
static inline void count_in_series(frame_t *frame, site_t *site) {
  if (!counted_in_series(site, THREAD.local_work))
    series_slow(frame, site);
}

static __attribute__((noinline)) void locked_slow(site_t *site, uint64_t inside) {
  __cilkprof_h_bare(inside);
  series_slow(THREAD.frames, site);
}

/* The same of what was done under a lock.  Stores are what an atomic operation waits for.  */
void __cilkprof_o_locked_series(site_t *site, uint64_t work, uint64_t inside) {
  if (work)
    THREAD.frames->local_work += work;
  if (!counted_in_series(site, inside))
    locked_slow(site, inside);
}

/* A leaf has returned in a loop that calls nothing else.  WORK is what the function itself did since its last event. */
void __cilkprof_o_series(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  frame->local_work += work;
  count_in_series(frame, site);
}

void __cilkprof_o_series_any(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  frame->local_work += work;
  if (__CILKPROF_RARE(is_no_leaf(frame)))
    __cilkprof_no_leaf_returned(site);
  else
    count_in_series(frame, site);
}

/* An indirect call in such a loop: most are of what was called before, and that is mostly a leaf.  */
void __cilkprof_o_series_call(site_t *site, uint64_t work, const void *callee) {
  enum { KNOWN_LEAF = __CILKPROF_SITE_KNOWN | __CILKPROF_SITE_LEAF };
  frame_t *frame = THREAD.frames;
  site_t *last = site->callees;
  if (__CILKPROF_RARE(!last || last->callee != callee || ~last->flags & KNOWN_LEAF || frame->begin ||
                      frame->site & ~(uint64_t)SERIES_PENDING || ENGINE.requests))
    __cilkprof_o_call_indirect(site, work, callee);
  else {
    frame->local_work += work;
    frame->site = (uint64_t)last | __CILKPROF_CALL_LEAF;
    THREAD.top = frame->top;
  }
}

void __cilkprof_o_series_returned(frame_t *frame) {
  uint64_t leaf = frame->site - __CILKPROF_CALL_LEAF;
  if (__CILKPROF_RARE(leaf & __CILKPROF_CALL_KIND || THREAD.frames != frame))
    __cilkprof_o_foreign_returned(frame);
  else {
    frame->site = SERIES_PENDING;
    count_in_series(frame, (site_t *)leaf);
  }
}
