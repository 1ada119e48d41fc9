/* Frames that are left behind: by exit, longjmp or an exception.
   SPDX-License-Identifier: MIT

   Control leaves such a frame in the middle of a call.  Its profile is that of a function which syncs and returns at once
   when that call comes back, so that is what is done with it here, from the innermost frame outwards.  */

#include "libcilkprof/engine.h"

static void finish_block(frame_t *frame)
{
  block_t *block = frame->block;
  if (block->kind == __CILKPROF_BLOCK_LOOP)
    frame->local_work = __cilkprof_loop_end(frame, block, frame->local_work, 0);
  else
    frame->local_work = __cilkprof_block_end(frame, block, frame->local_work);
}

/* The call that is under way in FRAME ends; the totals of what was called are in the return slots.  */
static void finish_call(frame_t *frame)
{
  if (frame->site & __CILKPROF_CALL_FOREIGN)
    __cilkprof_foreign_returned(frame);
  site_t *site = (site_t *)(frame->site & ~(uint64_t)__CILKPROF_CALL_KIND);
  if (frame->site & __CILKPROF_CALL_SPAWN)
    __cilkprof_h_spawn_returned(frame, frame->local_work, site);
  else
    __cilkprof_h_returned(frame, site);
}

static void abandon(frame_t *frame)
{
  if (frame->site)
    finish_call(frame);
  while (frame->block)
    finish_block(frame);
  __cilkprof_h_sync(frame, frame->local_work);
  __cilkprof_h_leave(frame, frame->local_work);
  __cilkprof_h_unlink(frame);
}

EXPORT void __cilkprof_resume(frame_t *frame)
{
  while (THREAD.frames != frame)
    abandon(THREAD.frames);
  finish_call(frame);
}

void __cilkprof_abandon_all(void)
{
  while (THREAD.frames)
    abandon(THREAD.frames);
}
