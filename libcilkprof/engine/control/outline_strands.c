/* The events of strands, charged calls, blocks and tasks as functions.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

/* Begins a charged call, which is part of the caller's own work: marks the log's top, from which code of the program
   that is entered during the call removes the mark.  WORK is what the caller did itself since its last event.  */
void __cilkprof_o_charged_call(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (frame->site)
    __cilkprof_o_returned();
  __cilkprof_h_charged_call(frame, frame->local_work + work);
}

/* Ends the charged call that the innermost frame made last.  If its mark is gone from the log's top, code of the
   program was entered during the call, and is booked.  */
void __cilkprof_o_charged_returned(void) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(!((uint64_t)THREAD.top & __CILKPROF_TOP_CHARGED)))
    frame->local_work = __cilkprof_h_charged_returned(frame, frame->local_work);
  else
    THREAD.top = marked_log_top(frame->top);
}

/* Begins a block in the innermost frame, which SITE spawns or calls.  KIND is __CILKPROF_BLOCK_... with flags.  WORK is
   what its function did itself since its last event.  */
void __cilkprof_o_block_begin(site_t *site, uint64_t work, uint64_t kind) {
  frame_t *frame = THREAD.frames;
  frame->local_work = __cilkprof_block_begin(frame, end_strand_of_frame(frame, work), site, kind);
}

/* Ends the innermost block of the innermost frame.  WORK is what the block did itself since its last event.  */
void __cilkprof_o_block_end(uint64_t work) {
  frame_t *frame = THREAD.frames;
  frame->local_work = __cilkprof_block_end(frame, end_strand_of_frame(frame, work));
}

/* Begins a cilk_for, whose site is SITE.  GRAIN is its grain size, 0 or less if none is given; TRIPS is the number of
   its iterations, 0 if that is not known.  WORK is what the function did itself since its last event.  */
void __cilkprof_o_loop_begin(site_t *site, uint64_t work, uint64_t grain, uint64_t trips) {
  __cilkprof_o_block_begin(site, work, __CILKPROF_BLOCK_LOOP);
  __cilkprof_loop_grains(THREAD.frames, grain, trips);
}

/* Ends the loop in the innermost frame, and adds the cost of its tree of spawns.  TRIPS is the number of iterations if
   there were no events between them, else 0.  WORK is what the last iteration did itself since its last event.  */
void __cilkprof_o_loop_end(uint64_t work, uint64_t trips) {
  frame_t *frame = THREAD.frames;
  work = end_strand_of_frame(frame, work);
  if (frame->block && frame->block->counted)
    __cilkprof_stretch_left(frame);
  frame->local_work = __cilkprof_loop_end(frame, work, trips);
}

/* Sets the team of an OpenMP parallel region, whose block has just begun in the innermost frame.  THREADS is 1 if only
   one thread runs it.  */
void __cilkprof_o_team(uint64_t threads) {
  __cilkprof_team(THREAD.frames, threads);
}

/* Runs BODY, the code of a parallel region of OpenMP, with DATA, by a team of fibers that are spawned at SPAWNED; or
   calls it at CALLED.  THREADS is what the region asks for, 0 if nothing.  */
void __cilkprof_o_team_run(site_t *spawned, uint64_t work, site_t *called, body_t *body, void *data, uint64_t threads) {
  frame_t *frame = THREAD.frames;
  __cilkprof_team_run(frame, end_strand_of_frame(frame, work), spawned, called, body, data, threads);
}

/* Begins an OpenMP loop that a team divides, whose site is SITE.  SCHEDULE also contains the flags of the block; CHUNK
   is 0 if its clause gives none, TRIPS is 0 if the number of iterations is not known.  */
void __cilkprof_o_team_loop_begin(site_t *site, uint64_t work, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  __cilkprof_o_block_begin(site, work, __CILKPROF_BLOCK_LOOP | (schedule & ~(uint64_t)__CILKPROF_SCHEDULE_KIND));
  __cilkprof_team_loop(THREAD.frames, schedule, chunk, trips);
}

/* Begins an OpenMP task that is a block.  It is spawned at SITE if DEFERRED and if tasks are deferred here, and called
   at CALLED otherwise.  FLAGS and DEPEND are what its clauses say; DEPEND is NULL if it depends on nothing.  */
void __cilkprof_o_task_begin(site_t *site, uint64_t work, site_t *called, uint64_t deferred, uint64_t flags,
                             const void *depend) {
  frame_t *frame = THREAD.frames;
  frame->local_work =
      __cilkprof_task_begin(frame, end_strand_of_frame(frame, work), site, called, deferred, flags, depend);
}

/* Begins an OpenMP task that is a single call.  It is spawned at SPAWNED if tasks are deferred here, and called at
   CALLED otherwise.  WORK is what its maker did itself since its last event.  */
void __cilkprof_o_task_call(site_t *spawned, uint64_t work, site_t *called) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_task_call(frame, end_strand_of_frame(frame, work), spawned, called);
}

/* Begins an OpenMP task that is a single call and has an if or final clause.  It is spawned at SPAWNED if DEFERRED and
   if tasks are deferred here, and called at CALLED otherwise; FLAGS says whether it is final.  */
void __cilkprof_o_task_call_if(site_t *spawned, uint64_t work, site_t *called, uint64_t deferred, uint64_t flags) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_task_call_if(frame, end_strand_of_frame(frame, work), spawned, called, deferred, flags);
}

/* Joins the children of the current OpenMP task, at a taskwait or where else a thread waits, as WHAT says
   (__CILKPROF_WAIT_...).  WORK is what the innermost frame's function did itself since its last event.  */
void __cilkprof_o_taskwait(uint64_t work, uint64_t what) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_taskwait(frame, end_strand_of_frame(frame, work), what);
}

/* Begins an iteration of a loop in the uncommon cases: a call is under way, a strand is being timed, the iteration
   before has spawned, or it was the last of its grain.  WORK is what that iteration did itself since its last
   event.  */
APART void iterate_event_slow(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (frame->site == SERIES_PENDING && frame->left && !frame->spawned && !has_deferred_children(frame)) {
    end_own_strand_of_frame(frame, work); /* which was timed; the series of leaves and locks go on */
    frame->left--;
    return;
  }
  work = end_strand_of_frame(frame, work);
  if (frame->block && frame->block->counted)
    __cilkprof_counted_iterate(frame, work);
  else
    __cilkprof_h_iterate(frame, work);
}

/* Begins an iteration of the loop in the innermost frame.  WORK is what the iteration before did itself since its last
   event.  */
void __cilkprof_o_iterate(uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE((frame->site & ~(uint64_t)SERIES_PENDING) | frame->begin | frame->spawned || !frame->left ||
                      has_deferred_children(frame)))
    iterate_event_slow(work);
  else {
    frame->local_work += work;
    frame->left--;
  }
}

/* Makes the timing point POINT measure the current strand from here to its end, in hybrid mode.  EXPECTED is the least
   number of instructions that follow, as far as is known.  WORK is what the function did itself since its last
   event.  */
void __cilkprof_o_timing(uint64_t work, timing_point_t *point, uint64_t expected) {
  frame_t *frame = THREAD.frames;
  if (frame->site & ~(uint64_t)SERIES_PENDING)
    __cilkprof_o_returned();
  work = __cilkprof_h_counted(frame->local_work + work, frame->begin, frame->before_begin, expected);
  frame->local_work = work;
  if (__cilkprof_h_still(frame->begin, expected))
    return;
  if (frame->site)
    __cilkprof_series_not_measured();
  frame->before_begin = work;
  frame->begin = __cilkprof_h_timing(0, point, expected);
}

/* Begins a charged call in a strand that is measured by a timing point, in hybrid mode.  The call ends where the strand
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

/* Ends the charged call that FRAME's function made, in hybrid mode, of code that may have run code of the program, and
   may have left frames of that behind.  */
void __cilkprof_o_charged_over(frame_t *frame) {
  if (__CILKPROF_RARE(THREAD.frames != frame))
    __cilkprof_h_resume(frame);
  else
    __cilkprof_end_charged_call(frame);
}

/* Begins a charged call that the timing point POINT measures, in hybrid mode.  WORK is what the caller did itself since
   its last event.  */
void __cilkprof_o_timing_charged_call(uint64_t work, timing_point_t *point) {
  __cilkprof_o_timing(work, point, 0);
  __cilkprof_o_timed_charged_call(0);
}

/* Ends a strand in clock mode.  Returns its ticks, without those of the event itself.  INSTRUCTIONS is as for
   __cilkprof_h_boundary: 1 + their number if they are known to be few, else 0.  */
uint64_t __cilkprof_o_boundary(uint64_t instructions) {
  uint64_t ticks = __cilkprof_h_boundary(0, instructions);
  return ticks > THREAD.event_cost ? ticks - THREAD.event_cost : 0;
}

/* Ends the strand of the innermost frame before a call of setjmp, so that the frame holds all work up to it.  WORK is
   what the function did itself since its last event.  */
void __cilkprof_o_set_jump(uint64_t work) {
  end_strand_of_frame(THREAD.frames, work);
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
