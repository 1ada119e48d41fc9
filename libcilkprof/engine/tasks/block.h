/* Blocks that are untracked.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_BLOCK_H
#define CILKPROF_BLOCK_H

#include "libcilkprof/engine/engine.h"

#ifdef __CILKPROF_PARALLEL
HIDDEN void __cilkprof_range_begin(frame_t *frame);     /* block.c */
HIDDEN void __cilkprof_range_grain_end(frame_t *frame); /* loop.c */
HIDDEN uint64_t __cilkprof_ranges_end(frame_t *frame);
#endif

/* Returns whether untracked blocks are open.  These are inside all tracked ones, so if they are in a deeper frame than
   FRAME, control left them by a jump.  */
static inline int is_in_untracked_block(const frame_t *frame) {
  if (THREAD.untracked_blocks && frame < THREAD.untracked_frame)
    THREAD.untracked_blocks = 0;
  return THREAD.untracked_blocks != 0;
}

/* Begins an untracked block.  The iterations of an untracked loop are counted down from a number that they never use
   up, so that no grain ends.  The count of the frame's own loop is restored after the block.  */
static inline void begin_untracked_block(frame_t *frame) {
  if (THREAD.recording)
    set_profile_flags(CILKPROF_INCOMPLETE);
  if (THREAD.untracked_blocks++ == 0) {
    THREAD.untracked_frame = frame;
    THREAD.untracked_left = frame->left;
  }
  frame->left = UINT64_MAX;
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
