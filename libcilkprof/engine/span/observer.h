/* Who is told where control leaves a frame, and where a function's part ends: marks/, if the program marks anything.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OBSERVER_H
#define CILKPROF_OBSERVER_H

#include "libcilkprof/engine/engine.h"

/* What a Cilk program does with its strands.  */
enum cilkprof_fork {
  FORK_SPAWN,
  FORK_RETURNED, /* what was spawned */
  FORK_FOREIGN,  /* the same of code without instrumentation */
  FORK_FOREIGN_RETURNED,
  FORK_SYNC,
  FORK_SCOPE,
  FORK_SCOPE_END,
  FORK_LOOP,
  FORK_ITERATE,
  FORK_LAST_GRAIN, /* ends */
  FORK_LOOP_END,   /* with what its own spawns cost */
  FORK_RESUME,     /* control came back without a return */
  FORK_LEAVE,
};

struct cilkprof_observer { /* NULL: nobody wants to know */
  void (*strand_ends)(const frame_t *frame, const block_t *block, uint64_t local_work);
  void (*control_left)(const frame_t *frame); /* all that FRAME's call had begun */
  void (*frame_left)(const frame_t *frame);   /* without a return */
  /* Only of code that calls back; where LOCAL_WORK is what the frame did so far, TRIPS the iterations of a loop.  */
  void (*forked)(enum cilkprof_fork what, frame_t *frame, uint64_t local_work, uint64_t trips);
};
extern HIDDEN struct cilkprof_observer __cilkprof_observer;

static inline void strand_ends(const frame_t *frame, const block_t *block, uint64_t local_work) {
  if (__cilkprof_observer.strand_ends)
    __cilkprof_observer.strand_ends(frame, block, local_work);
}

static inline void control_left(const frame_t *frame) {
  if (__cilkprof_observer.control_left)
    __cilkprof_observer.control_left(frame);
}

static inline void forked(enum cilkprof_fork what, frame_t *frame, uint64_t local_work, uint64_t trips) {
  if (__cilkprof_observer.forked)
    __cilkprof_observer.forked(what, frame, local_work, trips);
}

static inline void frame_left(const frame_t *frame) {
  if (__cilkprof_observer.frame_left)
    __cilkprof_observer.frame_left(frame);
}

#endif
