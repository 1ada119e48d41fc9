/* Leaves: their own event, and the events of calls of them.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

extern EXPORT void __cilkprof_bare_from_outside(uint64_t work, function_t *function);

/* Books an invocation of a leaf by SITE in FRAME as that of any other function, where contexts are recorded or what-if
   questions answered.  */
static void book_leaf_as_call(frame_t *frame, site_t *site) {
  if (frame->site)
    __cilkprof_book_series(frame);
  __cilkprof_h_call(frame, frame->local_work, site);
  THREAD.top = marked_log_top(frame->top);
  __cilkprof_finish_call(frame);
}

/* Books an invocation of a leaf by SITE, in the innermost frame, that cannot be merged with an entry of the log.  Its
   work is in the return slots.  */
void __cilkprof_leaf_slow(site_t *site) {
  if (!THREAD.recording)
    return;
  if (site->flags & __CILKPROF_SITE_SIMPLE || __cilkprof_leaf_first(site))
    __cilkprof_book_leaves(THREAD.frames, site, 1, THREAD.local_work);
  else
    book_leaf_as_call(THREAD.frames, site);
}

/* Books INSIDE, the work that was done under a lock, as an invocation of SITE that cannot be merged with others.  */
APART void book_locked_leaf_work_slow(site_t *site, uint64_t inside) {
  __cilkprof_h_bare(inside);
  __cilkprof_leaf_slow(site);
}

/* Books a call by SITE of a function that is not the leaf that the compiler saw.  A function without instrumentation
   has not stored its cost in the return slots, so it counts as nothing.  */
void __cilkprof_other_than_leaf_returned(site_t *site) {
  frame_t *frame = THREAD.frames;
  if (!((uint64_t)THREAD.top & __CILKPROF_TOP_OUTSIDE)) {
    __cilkprof_clear_slots();
    THREAD.top = frame->top;
  }
  if (THREAD.recording && site->flags & __CILKPROF_SITE_LEAF)
    __cilkprof_leaf_becomes_function(site);
  frame->top = __cilkprof_p_log_top();
  book_leaf_as_call(frame, site);
}

/* Books a leaf that SITE called and that has returned to FRAME.  WORK is what FRAME's function itself did since its
   last event.  */
static inline void book_leaf_in_frame(frame_t *frame, site_t *site, uint64_t work) {
  frame->local_work += work;
  if (!book_returned_leaf(frame, site))
    __cilkprof_leaf_slow(site);
}

/* Books a call by SITE that the compiler took for that of a leaf, but which may have been of another function.  WORK is
   what the caller itself did since its last event.  */
static inline void book_supposed_leaf(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(is_callee_not_the_leaf(frame))) {
    frame->local_work += work;
    __cilkprof_other_than_leaf_returned(site);
  } else
    book_leaf_in_frame(frame, site, work);
}

/* Books a leaf that SITE called and that has returned to the innermost frame.  WORK is what the caller itself did since
   its last event.  */
void __cilkprof_o_leaf(site_t *site, uint64_t work) {
  book_leaf_in_frame(THREAD.frames, site, work);
}

/* Books a leaf that SITE called and that has returned to the innermost frame.  The flags of SITE contain the caller's
   work since its last event.  */
void __cilkprof_o_leaf_here(site_t *site) {
  book_leaf_in_frame(THREAD.frames, site, site->flags >> __CILKPROF_SITE_WORK);
}

/* Books a call by SITE that the compiler took for that of a leaf, but which may have been of another function.  WORK is
   what the caller itself did since its last event.  */
void __cilkprof_o_leaf_any(site_t *site, uint64_t work) {
  book_supposed_leaf(site, work);
}

/* Books a call by SITE that the compiler took for that of a leaf, but which may have been of another function.  The
   flags of SITE contain the caller's work since its last event.  */
void __cilkprof_o_leaf_any_here(site_t *site) {
  book_supposed_leaf(site, site->flags >> __CILKPROF_SITE_WORK);
}

/* Books INSIDE, the work that was done under a lock without any event, as an invocation of SITE.  WORK is what the
   function did itself before, since its last event.  */
void __cilkprof_o_locked(site_t *site, uint64_t work, uint64_t inside) {
  frame_t *frame = THREAD.frames;
  frame->local_work += work;
  if (merge_leaves_in_log(site, 1, inside, frame->merge, frame->top))
    add_leaf_work_to_frame(frame, inside);
  else
    book_locked_leaf_work_slow(site, inside);
}

/* Ends an invocation that had no event, of a function that only instrumented code calls.  WORK is all of its work.  */
void __cilkprof_o_bare(uint64_t work) {
  __cilkprof_h_bare(work);
}

/* Ends an invocation of FUNCTION that had no event and was called by foreign code.  */
void __cilkprof_bare_from_outside(uint64_t work, function_t *function) {
  if (count_leaf_called_back(function, work))
    return;
  __cilkprof_enter_from_outside(function);
  __cilkprof_h_bare(work);
}

/* Ends an invocation of FUNCTION that had no event and that instrumented or foreign code may have called.  WORK is all
   of its work.  */
void __cilkprof_o_bare_any(uint64_t work, function_t *function) {
  __cilkprof_h_bare_any(work, function);
}

/* Ends an invocation that had no event, of a function that may be a signal handler.  If it is one, nothing was set
   aside for it, and nothing is to be recorded.  */
void __cilkprof_o_bare_handler(uint64_t work, function_t *function, const void *return_address) {
  if (!is_signal_handler_return(return_address))
    __cilkprof_h_bare_any(work, function);
}
