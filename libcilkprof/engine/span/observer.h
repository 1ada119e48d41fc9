/* The observer: functions of outer folders that are called when control leaves a frame, and when a part of a function
   ends.  marks/ sets them if the program needs them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OBSERVER_H
#define CILKPROF_OBSERVER_H

#include "libcilkprof/engine/engine.h"

/* A function that is NULL is not called.  */
struct cilkprof_observer {
  /* BLOCK of FRAME ends, or, if it is NULL, the function's part outside of all blocks.  */
  void (*strand_ends)(const frame_t *frame, const block_t *block, uint64_t local_work);
  /* Control has left everything that the call that is under way in FRAME had begun.  */
  void (*control_left)(const frame_t *frame);
  /* Control leaves FRAME without a return.  */
  void (*frame_left)(const frame_t *frame);
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

/* Tells the observer, if there is one, that control leaves FRAME without a return.  */
static inline void observe_frame_left(const frame_t *frame) {
  if (__cilkprof_observer.frame_left)
    __cilkprof_observer.frame_left(frame);
}

#endif
