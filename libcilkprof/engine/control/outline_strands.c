/* The events of strands, charged calls, blocks and tasks as functions.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

void __cilkprof_o_charged_call(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (frame->site)
    __cilkprof_o_returned();
  __cilkprof_h_charged_call(frame, frame->local_work + work);
}

void __cilkprof_o_charged_returned(void) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(!((uint64_t)THREAD.top & __CILKPROF_TOP_CHARGED)))
    frame->local_work = __cilkprof_h_charged_returned(frame, frame->local_work);
  else
    THREAD.top = marked(frame->top);
}

void __cilkprof_o_block_begin(site_t *site, uint64_t work, uint64_t kind) {
  frame_t *frame = THREAD.frames;
  frame->local_work = __cilkprof_block_begin(frame, end_strand(frame, work), site, kind);
}

void __cilkprof_o_block_end(uint64_t work) {
  frame_t *frame = THREAD.frames;
  frame->local_work = __cilkprof_block_end(frame, end_strand(frame, work));
}

void __cilkprof_o_loop_begin(site_t *site, uint64_t work, uint64_t grain, uint64_t trips) {
  __cilkprof_o_block_begin(site, work, __CILKPROF_BLOCK_LOOP);
  __cilkprof_loop_grains(THREAD.frames, grain, trips);
}

void __cilkprof_o_loop_end(uint64_t work, uint64_t trips) {
  frame_t *frame = THREAD.frames;
  frame->local_work = __cilkprof_loop_end(frame, end_strand(frame, work), trips);
}

void __cilkprof_o_team(uint64_t threads) {
  __cilkprof_team(THREAD.frames, threads);
}

/* Begins a loop that a team divides.  SCHEDULE also contains the flags of the block.  */
void __cilkprof_o_team_loop_begin(site_t *site, uint64_t work, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  __cilkprof_o_block_begin(site, work, __CILKPROF_BLOCK_LOOP | (schedule & ~(uint64_t)__CILKPROF_SCHEDULE_KIND));
  __cilkprof_team_loop(THREAD.frames, schedule, chunk, trips);
}

void __cilkprof_o_task_begin(site_t *site, uint64_t work, site_t *called, uint64_t deferred, uint64_t flags,
                             const void *depend) {
  frame_t *frame = THREAD.frames;
  frame->local_work = __cilkprof_task_begin(frame, end_strand(frame, work), site, called, deferred, flags, depend);
}

void __cilkprof_o_task_call(site_t *spawned, uint64_t work, site_t *called) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_task_call(frame, end_strand(frame, work), spawned, called);
}

void __cilkprof_o_task_call_if(site_t *spawned, uint64_t work, site_t *called, uint64_t deferred, uint64_t flags) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_task_call_if(frame, end_strand(frame, work), spawned, called, deferred, flags);
}

void __cilkprof_o_taskwait(uint64_t work, uint64_t barrier) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_taskwait(frame, end_strand(frame, work), barrier);
}

APART void iterate_slow(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_iterate(frame, end_strand(frame, work));
}

void __cilkprof_o_iterate(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE((frame->site & ~(uint64_t)SERIES_PENDING) | frame->begin | frame->spawned || !frame->left))
    iterate_slow(work);
  else {
    frame->local_work += work;
    frame->left--;
  }
}

/* Hybrid mode: from here to its end the strand is measured by the timing point POINT.  EXPECTED is the least number of
   instructions that follow, as far as is known.  */
void __cilkprof_o_timing(uint64_t work, timing_point_t *point, uint64_t expected) {
  frame_t *frame = THREAD.frames;
  if (frame->site & ~(uint64_t)SERIES_PENDING)
    __cilkprof_o_returned();
  work = __cilkprof_h_counted(frame->local_work + work, frame->begin, frame->before_begin, expected);
  frame->local_work = work;
  if (__cilkprof_h_still(frame->begin, expected))
    return;
  frame->before_begin = work;
  frame->begin = __cilkprof_h_timing(0, point, expected);
}

/* Hybrid mode: begins a charged call in a strand that is measured by a timing point.  The call ends where the strand
   ends, or where the next charged call begins.  */
void __cilkprof_o_timed_charged_call(uint64_t work) {
  enum { INSTRUCTIONS = 14 }; /* about 20, a third of which run beside those of the program */
  frame_t *frame = THREAD.frames;
  THREAD.probes += INSTRUCTIONS;
  if (frame->site)
    __cilkprof_o_returned();
  frame->local_work += work;
  if (!((uint64_t)THREAD.top & __CILKPROF_TOP_CHARGED)) {
    __cilkprof_end_charged_call(frame);
    THREAD.top = (entry_t *)((uint64_t)frame->top | __CILKPROF_TOP_MARKS);
  }
}

/* Hybrid mode: begins a charged call that the timing point POINT measures.  */
void __cilkprof_o_timing_charged_call(uint64_t work, timing_point_t *point) {
  __cilkprof_o_timing(work, point, 0);
  __cilkprof_o_timed_charged_call(0);
}

/* Clock mode: ends a strand and returns its ticks, without those of the event itself.  INSTRUCTIONS is as for
   __cilkprof_h_boundary.  */
uint64_t __cilkprof_o_boundary(uint64_t instructions) {
  uint64_t ticks = __cilkprof_h_boundary(0, instructions);
  return ticks > THREAD.event_cost ? ticks - THREAD.event_cost : 0;
}

/* Ends the strand before a call of setjmp.  */
void __cilkprof_o_set_jump(uint64_t work) {
  end_strand(THREAD.frames, work);
}

/* Corrects the state where control came back to FRAME without a return, at a landing pad.  */
void __cilkprof_o_resume(frame_t *frame) {
  __cilkprof_h_resume(frame);
}

/* Corrects the state where control came back to FRAME by a jump, either a second time out of setjmp or to a label, to a
   point inside of AROUND blocks.  */
void __cilkprof_o_jumped(frame_t *frame, uint64_t around) {
  __cilkprof_h_resume(frame);
  __cilkprof_close_blocks(frame, around);
}
