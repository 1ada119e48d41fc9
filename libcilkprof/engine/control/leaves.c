/* Leaves: their own event and those of calls of them.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

extern EXPORT void __cilkprof_bare_from_outside(uint64_t work, function_t *function);

/* Where contexts are recorded, or what-if questions answered, a leaf's invocation is like any other.  */
static void leaf_as_call(frame_t *frame, site_t *site) {
  if (frame->site)
    __cilkprof_end_series(frame);
  __cilkprof_h_call(frame, frame->local_work, site);
  THREAD.top = marked(frame->top);
  __cilkprof_finish_call(frame);
}

void __cilkprof_leaf_slow(site_t *site) {
  if (!THREAD.recording)
    return;
  if (site->flags & __CILKPROF_SITE_SIMPLE || __cilkprof_leaf_first(site))
    __cilkprof_book_leaves(THREAD.frames, site, 1, THREAD.local_work);
  else
    leaf_as_call(THREAD.frames, site);
}

APART void lock_slow(site_t *site, uint64_t inside) {
  __cilkprof_h_bare(inside);
  __cilkprof_leaf_slow(site);
}

/* What was called is not what the compiler saw.  If it has no instrumentation, it did not say what it cost.  */
void __cilkprof_no_leaf_returned(site_t *site) {
  frame_t *frame = THREAD.frames;
  if (!((uint64_t)THREAD.top & __CILKPROF_TOP_OUTSIDE)) {
    __cilkprof_clear_slots();
    THREAD.top = frame->top;
  }
  if (THREAD.recording && site->flags & __CILKPROF_SITE_LEAF)
    __cilkprof_no_leaf(site);
  frame->top = __cilkprof_p_log_top();
  leaf_as_call(frame, site);
}

/* A leaf has returned.  WORK is what the function itself did since its last event.  */
static inline void leaf(frame_t *frame, site_t *site, uint64_t work) {
  frame->local_work += work;
  if (!leaf_returned(frame, site))
    __cilkprof_leaf_slow(site);
}

static inline void leaf_any(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(is_no_leaf(frame))) {
    frame->local_work += work;
    __cilkprof_no_leaf_returned(site);
  } else
    leaf(frame, site, work);
}

void __cilkprof_o_leaf(site_t *site, uint64_t work) {
  leaf(THREAD.frames, site, work);
}

void __cilkprof_o_leaf_here(site_t *site) {
  leaf(THREAD.frames, site, site->flags >> __CILKPROF_SITE_WORK);
}

void __cilkprof_o_leaf_any(site_t *site, uint64_t work) {
  leaf_any(site, work);
}

void __cilkprof_o_leaf_any_here(site_t *site) {
  leaf_any(site, site->flags >> __CILKPROF_SITE_WORK);
}

/* INSIDE is what was done under a lock, without any event.  */
void __cilkprof_o_locked(site_t *site, uint64_t work, uint64_t inside) {
  frame_t *frame = THREAD.frames;
  frame->local_work += work;
  if (leaves_merged(site, 1, inside, frame->merge, frame->top))
    add_serial_work(frame, inside);
  else
    lock_slow(site, inside);
}

/* All of an invocation that had no event.  */
void __cilkprof_o_bare(uint64_t work) {
  __cilkprof_h_bare(work);
}

void __cilkprof_bare_from_outside(uint64_t work, function_t *function) {
  if (called_back(function, work))
    return;
  __cilkprof_enter_from_outside(function);
  __cilkprof_h_bare(work);
}

void __cilkprof_o_bare_any(uint64_t work, function_t *function) {
  __cilkprof_h_bare_any(work, function);
}

/* The same of what may be a signal handler: then nothing was set aside, and nothing is to be recorded.  */
void __cilkprof_o_bare_handler(uint64_t work, function_t *function, const void *return_address) {
  if (!called_by_system(return_address))
    __cilkprof_h_bare_any(work, function);
}
