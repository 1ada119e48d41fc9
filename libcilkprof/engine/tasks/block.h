/* Blocks that are untracked, for block.c and loop.c.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_BLOCK_H
#define CILKPROF_BLOCK_H

#include "libcilkprof/engine/engine.h"

/* Returns whether untracked blocks are open.  These are inside all tracked ones, so if they are in a deeper frame than
   FRAME, control left them by a jump.  */
static inline int is_in_untracked_block(const frame_t *frame) {
  if (THREAD.untracked_blocks && frame < THREAD.untracked_frame)
    THREAD.untracked_blocks = 0;
  return THREAD.untracked_blocks != 0;
}

/* Returns whether the innermost block is untracked.  After a jump out of blocks, FRAME may have none.  */
static inline int is_innermost_block_untracked(const frame_t *frame) {
  return is_in_untracked_block(frame) || !frame->block;
}

/* Ends an untracked block.  Returns the local work of the frame, which does not change.  */
static inline uint64_t end_untracked_block(frame_t *frame, uint64_t local_work) {
  if (THREAD.untracked_blocks && --THREAD.untracked_blocks == 0)
    frame->left = THREAD.untracked_left;
  return local_work;
}

#endif
