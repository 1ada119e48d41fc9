/* Who is told where control leaves a frame, and where a function's part ends: marks/, if the program marks anything.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OBSERVER_H
#define CILKPROF_OBSERVER_H

#include "libcilkprof/engine.h"

struct cilkprof_observer { /* NULL: nobody wants to know */
  void (*strand_ends)(const frame_t *frame, const block_t *block, uint64_t local_work);
  void (*control_left)(const frame_t *frame); /* all that FRAME's call had begun */
  void (*frame_left)(const frame_t *frame);   /* without a return */
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

static inline void frame_left(const frame_t *frame) {
  if (__cilkprof_observer.frame_left)
    __cilkprof_observer.frame_left(frame);
}

#endif
