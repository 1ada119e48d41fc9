/* Charged calls that run code of the program.
   SPDX-License-Identifier: MIT

   The compiler takes functions that are declared to be leaves, as most of the C library, for the caller's own work.
   But a program may replace such a function by its own, as getopt, or the library may call back, as it does at a fork.
   The caller, whose frame is linked, marks the log's top before such a call and looks for the mark after it.  If the
   mark is gone, code of the program was entered in between.  It is treated as if foreign code had called it, whose
   callees become the caller's in the end.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/time/clock.h"

enum { DEEPEST = 1 << 14 };

/* A charged call that has entered code of the program: the foreign code that was running before, and the frame that
   made the call.  */
struct charged_level {
  struct __cilkprof_foreign foreign;
  const frame_t *caller;
  uint64_t begin, before; /* what times the caller's strand, or 0; what it took before */
};

/* Returns the timing point that times a strand with BEGIN, as the frame has it.  */
static timing_point_t *timing_point_of(uint64_t begin) {
  return (timing_point_t *)(begin - 1);
}

/* Notes that code of the program is entered during a charged call: sets the foreign code that was running aside, and
   makes the entered code run as if foreign code had called it.  If there is no memory for this, the call is only
   counted, and the profile is incomplete.  */
void __cilkprof_charged_entered(void) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  if (!THREAD.recording)
    return;
  if (!charged->levels)
    charged->levels = __cilkprof_reserve(DEEPEST * sizeof *charged->levels);
  if (!charged->levels || charged->depth == DEEPEST) {
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    charged->untracked++;
    return;
  }
  THREAD.top = (entry_t *)((uint64_t)THREAD.top & ~(uint64_t)__CILKPROF_TOP_CHARGED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a signal handler that is entered now is not part of this call */
  struct charged_level *level = &charged->levels[charged->depth++];
  level->foreign = THREAD.foreign;
  level->caller = THREAD.frames;
  level->begin = ENGINE.mode == CILKPROF_MODE_HYBRID && (THREAD.frames->begin & 1) ? THREAD.frames->begin : 0;
  level->before = level->begin ? __cilkprof_timing_point_pause(timing_point_of(level->begin)) : 0;
  THREAD.foreign = (struct __cilkprof_foreign){.key = (uint64_t)level, .stack = level->foreign.stack};
  if (ENGINE.mode == CILKPROF_MODE_HYBRID)
    THREAD.foreign.started = __cilkprof_own_ticks();
}

/* Returns the frame that made the charged call because of which foreign code runs; NULL: it does not run because of
   one.  If there was no memory for the call, any frame is taken to have made it.  */
const frame_t *__cilkprof_charged_caller(void) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  if (charged->untracked)
    return THREAD.frames;
  const struct charged_level *level = charged->depth ? &charged->levels[charged->depth - 1] : NULL;
  return level && THREAD.foreign.key == (uint64_t)level ? level->caller : NULL;
}

/* Ends the innermost charged call that entered code of the program, and puts the sums of that code into the return
   slots.  */
static void end_charged_level(void) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  const struct charged_level *level = &charged->levels[charged->depth - 1];
  __cilkprof_foreign_boundary();
  __cilkprof_book_pending();
  if (level->begin)
    __cilkprof_timing_point_resume(timing_point_of(level->begin), level->before + __cilkprof_foreign_work(foreign));
  __cilkprof_pieces_dropped(level->caller->key);
  THREAD.local_work = foreign->local_work;
  THREAD.work = foreign->work;
  THREAD.span = foreign->span;
  THREAD.burdened_span = foreign->burdened_span;
  __cilkprof_lanes_foreign(0);
  *foreign = level->foreign;
  charged->depth--;
}

/* Ends a charged call that entered code of the program, when it has returned.  Returns the new top of the log.  */
EXPORT entry_t *__cilkprof_charged_returned(void) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  if (!THREAD.recording || !charged->depth || charged->untracked) {
    __cilkprof_clear_slots();
    charged->untracked -= charged->untracked && THREAD.recording;
  } else {
    int timed = charged->levels[charged->depth - 1].begin != 0;
    end_charged_level();
    if (!timed)
      __cilkprof_not_this_strand(THREAD.work);
  }
  return __cilkprof_p_log_top();
}

/* Ends the charged calls that FRAME made, and adds what they entered to FRAME.  */
void __cilkprof_charged_left(frame_t *frame) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  while (THREAD.recording && charged->depth && charged->levels[charged->depth - 1].caller == frame) {
    uint64_t site = frame->site;
    charged->untracked = 0;
    end_charged_level();
    frame->local_work += THREAD.local_work;
    __cilkprof_p_returned(frame, __cilkprof_p_log_top(), THREAD.work);
    frame->site = site;
    __cilkprof_clear_slots();
  }
}

/* Ends the charged calls inside of the foreign code that KEY identifies.  Code may also have been entered by calls that
   are not known to be charged ones.  */
void __cilkprof_charged_left_to(uint64_t key) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  while (THREAD.recording && charged->depth && THREAD.foreign.key != key) {
    end_charged_level();
    THREAD.foreign.work += THREAD.work;
    THREAD.foreign.span += THREAD.span;
    THREAD.foreign.burdened_span += THREAD.burdened_span;
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    __cilkprof_clear_slots();
  }
}

/* Drops all charged calls that are open when the run ends, and marks the profile as incomplete if there are any.  The
   sums of everything are in the return slots then, so nothing is added up.  */
void __cilkprof_charged_end(void) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  if (!THREAD.recording || !charged->depth)
    return;
  THREAD.foreign = charged->levels[0].foreign;
  charged->depth = charged->untracked = 0;
  set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
}

/* Does not charge TICKS to the foreign code that open charged calls have set aside, by moving the time at which it
   began.  */
void __cilkprof_charged_skip_time(uint64_t ticks) {
  struct profiled_charged *charged = &profiled_thread()->charged;
  for (size_t i = 0; i < charged->depth && THREAD.recording; i++)
    charged->levels[i].foreign.started += ticks;
}

/* Ends the charged call that FRAME made last, in hybrid mode.  If code of the program was entered during the call, and
   has removed its mark from the log's top, that code is booked.  */
void __cilkprof_end_charged_call(frame_t *frame) {
  if ((uint64_t)THREAD.top & __CILKPROF_TOP_CHARGED)
    THREAD.top = marked_log_top(frame->top);
  else if (__CILKPROF_RARE(profiled_thread()->charged.depth != 0) && __cilkprof_charged_caller() == frame)
    frame->local_work = __cilkprof_h_charged_returned(frame, frame->local_work);
}
