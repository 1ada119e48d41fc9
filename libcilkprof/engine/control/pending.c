/* Pending callees of code without instrumentation: those that have returned and are not booked yet.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/span/leaf.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* Books the invocations of a leaf that foreign code called again and again, and that were only counted.  */
static void book_pending_leaves(void) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  const frame_t *caller = THREAD.frames;
  uint64_t count = foreign->leaf_count, own = foreign->leaf_work;
  entry_t *top = __cilkprof_p_log_top();
  foreign->leaf_count = foreign->leaf_work = 0;
  foreign->probes += count * CALLED_BACK_INSTRUCTIONS;
  if (!THREAD.recording)
    return;
  if (__CILKPROF_AT_LIMIT(top, caller->top))
    top = __cilkprof_fold(caller->top, top);
  const entry_t *merge = caller->site & __CILKPROF_CALL_SPAWN ? caller->top : caller->merge;
  entry_t *end = __cilkprof_leaves_pushed(foreign->leaf, count, own, merge, top);
  THREAD.top = marked_log_top(top == THREAD.sink ? top : end);
  foreign->work += own;
  foreign->span += own;
  foreign->burdened_span += own;
}

/* Returns a key for FOREIGN, running foreign code, as if it had a frame: lower than that of the frame that called
   it.  */
static uint64_t key_of_foreign_code(const struct __cilkprof_foreign *foreign) {
  const frame_t *caller = __cilkprof_charged_caller();
  if (!caller && foreign->key == 1)
    return UINT64_MAX;
  return (caller ? caller : (const frame_t *)foreign->key)->key - 1;
}

/* Books the pending callee of foreign code: the last one that it called, whose totals are in the return slots.
   Invocations of a leaf that were only counted are booked, too.  */
void __cilkprof_book_pending(void) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  site_t *site = foreign->entered;
  if (foreign->leaf_count)
    book_pending_leaves();
  foreign->leaf = NULL;
  if (!site)
    return;
  foreign->entered = NULL;
  foreign->entered_key = 0;
  if (__CILKPROF_RARE(THREAD.work & __CILKPROF_WORK_FLAGS)) {
    THREAD.work &= ~__CILKPROF_WORK_FLAGS;
    __cilkprof_piece_called(key_of_foreign_code(foreign), foreign->work, foreign->span, 0);
  }
  foreign->work += THREAD.work;
  foreign->span += THREAD.span;
  foreign->burdened_span += THREAD.burdened_span;
  /* Its earlier callees are on the same path, so all their entries can be folded together.  */
  entry_t *segment = (uint64_t)THREAD.frames == foreign->key ? THREAD.frames->top : __cilkprof_p_log_top();
  THREAD.top = marked_log_top(__cilkprof_returned(site, segment, foreign->key));
  __cilkprof_lanes_pending_booked();
}

/* Ends a strand of foreign code and adds its ticks to what this code did itself, in clock mode.  Does nothing in other
   modes.  */
void __cilkprof_foreign_boundary(void) {
  if (ENGINE.mode == CILKPROF_MODE_CLOCK)
    THREAD.foreign.local_work = __cilkprof_h_boundary(THREAD.foreign.local_work, 0);
}

/* Returns what the foreign code itself cost.  In hybrid mode this is the time that it took minus its callees.  These
   may have been counted and not timed, so the difference is only as good as the calibration.  */
uint64_t __cilkprof_foreign_work(const struct __cilkprof_foreign *foreign) {
  if (ENGINE.mode != CILKPROF_MODE_HYBRID)
    return foreign->local_work;
  uint64_t ticks = __cilkprof_own_ticks() - foreign->started;
  if (__CILKPROF_RARE(THREAD.sampled))
    __cilkprof_samples_of_strand();
  uint64_t took = (int64_t)ticks > 0 ? __cilkprof_ticks_to_units(ticks) : 0,
           others = foreign->work - foreign->apart + foreign->probes;
  return took > others ? __cilkprof_timed(took - others) : 0;
}
