/* The events as functions, for the many instrumented functions in which inlining them is not worth its space.
   SPDX-License-Identifier: MIT

   Calls of these are all that such a function gets, so they ask for little.  Its frame is linked, and the innermost
   one whenever it has an event (or it was just put right: after foreign code, which may have jumped).  WORK is what the
   function did itself since its last event: the frame adds it up.  */

#include "libcilkprof/engine.h"

extern EXPORT frame_t *__cilkprof_o_enter(function_t *function, uint64_t key);
extern EXPORT frame_t *__cilkprof_o_enter_handler(function_t *function, uint64_t key, const void *return_address);
extern EXPORT void __cilkprof_o_leave(uint64_t work);
extern EXPORT void __cilkprof_o_bare(uint64_t work);
extern EXPORT void __cilkprof_o_bare_any(uint64_t work, function_t *function);
extern EXPORT void __cilkprof_o_call(site_t *site, uint64_t work);
extern EXPORT void __cilkprof_o_call_indirect(site_t *site, uint64_t work, const void *callee);
extern EXPORT void __cilkprof_o_returned(void);
extern EXPORT void __cilkprof_o_foreign_returned(frame_t *frame);
extern EXPORT void __cilkprof_o_sync(uint64_t work);
extern EXPORT void __cilkprof_o_block_begin(site_t *site, uint64_t work, uint64_t kind);
extern EXPORT void __cilkprof_o_block_end(uint64_t work);
extern EXPORT void __cilkprof_o_loop_begin(site_t *site, uint64_t work, uint64_t grain, uint64_t trips);
extern EXPORT void __cilkprof_o_loop_end(uint64_t work, uint64_t trips);
extern EXPORT void __cilkprof_o_iterate(uint64_t work);
extern EXPORT void __cilkprof_o_here(uint64_t work);
extern EXPORT void __cilkprof_o_strands_end(uint64_t work);
extern EXPORT void __cilkprof_o_timing(uint64_t work);
extern EXPORT uint64_t __cilkprof_o_boundary(uint64_t instructions);
extern EXPORT block_t *__cilkprof_o_set_jump(uint64_t work);
extern EXPORT void __cilkprof_o_jumped(frame_t *frame, const block_t *outer);
extern EXPORT void __cilkprof_o_resume(frame_t *frame);

/* Adds what the strand cost that ends here.  Returns the function's local work.  */
static inline uint64_t end_strand(frame_t *frame, uint64_t work) {
  work += frame->local_work;
  if (frame->begin) {
    work = __cilkprof_h_timed(work, frame->begin, frame->before_begin);
    frame->begin = 0;
  }
  return frame->local_work = work;
}

/* Returns the frame, for those events that may find others inside.  */
frame_t *__cilkprof_o_enter(function_t *function, uint64_t key) {
  record_t *top = __cilkprof_p_top(function);
  frame_t *frame = __cilkprof_p_link();
  frame->key = key;
  frame->local_work = frame->begin = 0;
  __cilkprof_p_start(frame, top);
  return frame;
}

frame_t *__cilkprof_o_enter_handler(function_t *function, uint64_t key, const void *return_address) {
  if (__CILKPROF_RARE(*(const __cilkprof_code *)return_address == __CILKPROF_SIGRETURN))
    __cilkprof_signal_entered(key);
  return __cilkprof_o_enter(function, key);
}

void __cilkprof_o_leave(uint64_t work) {
  frame_t *frame = THREAD.frames;
  uint64_t key = frame->key;
  work = end_strand(frame, work);
  __cilkprof_h_sync(frame, work);
  __cilkprof_h_leave(frame, work);
  __cilkprof_h_unlink(frame);
  if (__CILKPROF_RARE(THREAD.signals))
    __cilkprof_signal_left(key);
}

/* All of an invocation that had no event.  */
void __cilkprof_o_bare(uint64_t work) {
  __cilkprof_h_bare(work);
}

void __cilkprof_o_bare_any(uint64_t work, function_t *function) {
  __cilkprof_p_top(function);
  __cilkprof_h_bare(work);
}

void __cilkprof_o_call(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  uint64_t spawned = site->flags & __CILKPROF_SITE_SPAWN;
  work = end_strand(frame, work);
  if (site->flags & __CILKPROF_SITE_FOREIGN)
    __cilkprof_foreign_call(frame, site, site->target, work, spawned);
  else if (spawned)
    __cilkprof_h_spawn(frame, work, site);
  else
    __cilkprof_h_call(frame, work, site);
}

void __cilkprof_o_call_indirect(site_t *site, uint64_t work, const void *callee) {
  frame_t *frame = THREAD.frames;
  site = __cilkprof_callee(site, callee);
  __cilkprof_foreign_call(frame, site, callee, end_strand(frame, work), site->flags & __CILKPROF_SITE_SPAWN);
}

void __cilkprof_o_returned(void) {
  frame_t *frame = THREAD.frames;
  if (!(frame->site & __CILKPROF_CALL_KIND) && frame->site)
    __cilkprof_h_returned(frame, (site_t *)frame->site);
  else if (frame->site)
    __cilkprof_finish_call(frame);
}

/* Code without instrumentation may have left frames of its callees behind: FRAME is the function's.  */
void __cilkprof_o_foreign_returned(frame_t *frame) {
  if (frame->site)
    __cilkprof_finish_call(frame);
}

void __cilkprof_o_sync(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_sync(frame, end_strand(frame, work));
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

void __cilkprof_o_iterate(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_h_iterate(frame, end_strand(frame, work));
}

void __cilkprof_o_here(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_here(frame, end_strand(frame, work));
}

void __cilkprof_o_strands_end(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_strands_end(frame, end_strand(frame, work));
}

/* Hybrid mode: from here to its end the strand is timed.  */
void __cilkprof_o_timing(uint64_t work) {
  frame_t *frame = THREAD.frames;
  work += frame->local_work;
  frame->local_work = work;
  if (frame->begin)
    return;
  frame->before_begin = work;
  frame->begin = __cilkprof_h_timing(0);
}

uint64_t __cilkprof_o_boundary(uint64_t instructions) {
  return __cilkprof_h_boundary(0, instructions);
}

/* Before setjmp: returns the innermost open block.  */
block_t *__cilkprof_o_set_jump(uint64_t work) {
  frame_t *frame = THREAD.frames;
  end_strand(frame, work);
  return frame->block;
}

/* Control came back without a return: to a landing pad, or a second time out of setjmp.  */
void __cilkprof_o_resume(frame_t *frame) {
  __cilkprof_h_resume(frame);
}

void __cilkprof_o_jumped(frame_t *frame, const block_t *outer) {
  __cilkprof_h_resume(frame);
  __cilkprof_close_blocks(frame, outer);
}
