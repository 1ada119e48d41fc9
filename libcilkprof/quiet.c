/* Quiet calls that are not quiet: code of the program that is entered while an instrumented function runs.
   SPDX-License-Identifier: MIT

   The compiler takes what functions do that are declared to be leaves, as most of the C library, for the caller's own
   work.  But a program may have its own in their place, as getopt, or the library calls back: at a fork.  The caller,
   whose frame is linked, marks the log's top before such a call and looks for the mark behind it.  Where it is gone,
   code of the program was entered in between: as if by foreign code, whose callees are the caller's in the end.  */

#include "libcilkprof/engine.h"
#include "libcilkprof/whatif.h"

enum { DEEPEST = 1 << 14 };

/* What was running before, in the thread that is profiled.  */
struct level {
  struct __cilkprof_foreign foreign;
  const frame_t *caller;
};

static struct level *levels;
static size_t depth, lost; /* the latter beyond them */

void __cilkprof_quiet_entered(void) {
  if (!THREAD.recording)
    return;
  if (!levels)
    levels = __cilkprof_reserve(DEEPEST * sizeof *levels);
  if (!levels || depth == DEEPEST) {
    ENGINE.flags |= CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
    lost++;
    return;
  }
  THREAD.top = (record_t *)((uint64_t)THREAD.top & ~(uint64_t)__CILKPROF_TOP_QUIET);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler that is entered now is none of this call */
  struct level *level = &levels[depth++];
  level->foreign = THREAD.foreign;
  level->caller = THREAD.frames;
  THREAD.foreign = (struct __cilkprof_foreign){.key = (uint64_t)level, .stack = level->foreign.stack};
}

size_t __cilkprof_quiet_depth(void) {
  return depth;
}

const frame_t *__cilkprof_quiet_caller(void) {
  if (lost)
    return THREAD.frames; /* any */
  const struct level *level = depth ? &levels[depth - 1] : NULL;
  return level && THREAD.foreign.key == (uint64_t)level ? level->caller : NULL;
}

/* What was entered has left.  Its sums are in the return slots then.  */
static void end_level(void) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  __cilkprof_foreign_boundary();
  __cilkprof_settle();
  THREAD.local_work = foreign->local_work;
  THREAD.work = foreign->work;
  THREAD.span = foreign->span;
  THREAD.burdened_span = foreign->burdened_span;
  __cilkprof_lanes_foreign(0);
  *foreign = levels[--depth].foreign;
}

/* Control is in the caller again.  Returns the new top of the log.  */
EXPORT record_t *__cilkprof_quiet_returned(void) {
  if (!THREAD.recording || !depth || lost) {
    __cilkprof_clear_slots();
    lost -= lost && THREAD.recording;
  } else {
    end_level();
    __cilkprof_not_this_strand(THREAD.work);
  }
  return __cilkprof_p_log_top();
}

void __cilkprof_quiet_left(frame_t *frame) {
  while (THREAD.recording && depth && levels[depth - 1].caller == frame) {
    uint64_t site = frame->site;
    lost = 0;
    end_level();
    frame->local_work += THREAD.local_work;
    __cilkprof_p_returned(frame, __cilkprof_p_log_top());
    frame->site = site;
    __cilkprof_clear_slots();
  }
}

/* Some were entered by calls that nothing says are quiet.  */
void __cilkprof_quiet_left_to(uint64_t key) {
  while (THREAD.recording && depth && THREAD.foreign.key != key) {
    end_level();
    THREAD.foreign.work += THREAD.work;
    THREAD.foreign.span += THREAD.span;
    THREAD.foreign.burdened_span += THREAD.burdened_span;
    ENGINE.flags |= CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
    __cilkprof_clear_slots();
  }
}

/* The run ends, with the sums of all that was done in the return slots.  */
void __cilkprof_quiet_end(void) {
  if (!THREAD.recording || !depth)
    return;
  THREAD.foreign = levels[0].foreign;
  depth = lost = 0;
  ENGINE.flags |= CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
}

void __cilkprof_quiet_skip_time(uint64_t ticks) {
  for (size_t i = 0; i < depth && THREAD.recording; i++)
    levels[i].foreign.started += ticks;
}
