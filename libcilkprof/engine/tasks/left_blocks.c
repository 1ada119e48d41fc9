/* Blocks that control has left by a jump, an exception or the end of the program.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/tasks/block.h"

/* Ends the innermost block of FRAME, which control has left.  */
void __cilkprof_finish_left_block(frame_t *frame) {
  profiled_thread()->frames.leaving++;
  if (frame->block->kind == __CILKPROF_BLOCK_LOOP)
    frame->local_work = __cilkprof_loop_end(frame, frame->local_work, 0);
  else
    frame->local_work = __cilkprof_block_end(frame, frame->local_work);
  profiled_thread()->frames.leaving--;
}

/* Corrects the blocks of FRAME after a jump to a point that is inside of AROUND blocks.  The other open blocks have
   been left, and end.  Blocks around the point that had ended are open once more; they have been measured already, so
   this time they are untracked.  */
EXPORT void __cilkprof_close_blocks(frame_t *frame, uint64_t around) {
  uint64_t open = 0;
  if (is_in_untracked_block(frame) && frame != THREAD.untracked_frame)
    return;
  if (THREAD.untracked_blocks) {
    THREAD.untracked_blocks = 0;
    frame->left = THREAD.untracked_left;
  }
  for (const block_t *block = frame->block; block; block = block->outer.block)
    open++;
  for (; open > around; open--)
    __cilkprof_finish_left_block(frame);
  for (; open < around; open++)
    begin_untracked_block(frame);
}
