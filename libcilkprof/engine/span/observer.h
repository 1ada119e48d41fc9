/* The observer: functions of outer folders that are called when control leaves a frame, when a part of a function ends,
   and when a strand forks or joins.  marks/ and tree/ set them if the program needs them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OBSERVER_H
#define CILKPROF_OBSERVER_H

#include "libcilkprof/engine/engine.h"

/* How a Cilk program forks and joins its strands.  */
enum cilkprof_fork {
  FORK_SPAWN,
  FORK_RETURNED, /* a spawned child returned */
  FORK_FOREIGN,  /* a function without instrumentation is spawned */
  FORK_FOREIGN_RETURNED,
  FORK_SYNC,
  FORK_SCOPE,
  FORK_SCOPE_END,
  FORK_LOOP,
  FORK_ITERATE,
  FORK_LAST_GRAIN, /* the last grain of a loop ends */
  FORK_LOOP_END,   /* the loop ends, after the cost of its own spawns was added */
  FORK_RESUME,     /* control came back to the frame without a return */
  FORK_LEAVE,
};

/* A function that is NULL is not called.  */
struct cilkprof_observer {
  /* BLOCK of FRAME ends, or, if it is NULL, the function's part outside of all blocks.  */
  void (*strand_ends)(const frame_t *frame, const block_t *block, uint64_t local_work);
  /* Control has left everything that the call that is under way in FRAME had begun.  */
  void (*control_left)(const frame_t *frame);
  /* Control leaves FRAME without a return.  */
  void (*frame_left)(const frame_t *frame);
  /* A strand forks or joins.  Called only for code that is compiled with callbacks.  LOCAL_WORK is what the frame has
     done itself so far; TRIPS is the number of iterations of a loop.  */
  void (*forked)(enum cilkprof_fork what, frame_t *frame, uint64_t local_work, uint64_t trips);
};
extern HIDDEN struct cilkprof_observer __cilkprof_observer;

/* Tells the observer, if there is one, that BLOCK of FRAME ends, or, if BLOCK is NULL, the function's part outside of
   all blocks.  LOCAL_WORK is what the frame has done itself so far.  */
static inline void observe_strand_end(const frame_t *frame, const block_t *block, uint64_t local_work) {
  if (__cilkprof_observer.strand_ends)
    __cilkprof_observer.strand_ends(frame, block, local_work);
}

/* Tells the observer, if there is one, that control has left everything that the call under way in FRAME had begun.  */
static inline void observe_control_left(const frame_t *frame) {
  if (__cilkprof_observer.control_left)
    __cilkprof_observer.control_left(frame);
}

/* Tells the observer, if there is one, that a strand of FRAME forks or joins, as WHAT says.  LOCAL_WORK is what the
   frame has done itself so far; TRIPS is the number of iterations of a loop.  */
static inline void observe_fork(enum cilkprof_fork what, frame_t *frame, uint64_t local_work, uint64_t trips) {
  if (__cilkprof_observer.forked)
    __cilkprof_observer.forked(what, frame, local_work, trips);
}

/* Tells the observer, if there is one, that control leaves FRAME without a return.  */
static inline void observe_frame_left(const frame_t *frame) {
  if (__cilkprof_observer.frame_left)
    __cilkprof_observer.frame_left(frame);
}

#endif
