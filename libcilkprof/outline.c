/* The events as functions, for instrumented functions with so many of them that inlining would only make them large.
   SPDX-License-Identifier: MIT

   Frames are linked here, and a frame's key was given when it was entered.  */

#include "libcilkprof/engine.h"

extern EXPORT frame_t *__cilkprof_o_enter_linked(function_t *function, uint64_t key);
extern EXPORT void __cilkprof_o_unlink(frame_t *frame);
extern EXPORT void __cilkprof_o_call(frame_t *frame, uint64_t local_work, site_t *site);
extern EXPORT void __cilkprof_o_returned(frame_t *frame, site_t *site);
extern EXPORT void __cilkprof_o_spawn(frame_t *frame, uint64_t local_work, site_t *site);
extern EXPORT void __cilkprof_o_spawn_returned(frame_t *frame, uint64_t local_work, site_t *site);
extern EXPORT void __cilkprof_o_sync(frame_t *frame, uint64_t local_work);
extern EXPORT void __cilkprof_o_leave(frame_t *frame, uint64_t local_work);
extern EXPORT void __cilkprof_o_resume(frame_t *frame);
extern EXPORT void __cilkprof_o_iterate(frame_t *frame, uint64_t local_work);

frame_t *__cilkprof_o_enter_linked(function_t *function, uint64_t key) {
  frame_t *frame = __cilkprof_h_enter_linked(function);
  frame->key = key;
  return frame;
}

void __cilkprof_o_unlink(frame_t *frame) {
  __cilkprof_h_unlink(frame);
}

void __cilkprof_o_call(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_h_call(frame, local_work, site);
}

void __cilkprof_o_returned(frame_t *frame, site_t *site) {
  __cilkprof_h_returned(frame, site);
}

void __cilkprof_o_spawn(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_h_spawn(frame, local_work, site);
}

void __cilkprof_o_spawn_returned(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_h_spawn_returned(frame, local_work, site);
}

void __cilkprof_o_sync(frame_t *frame, uint64_t local_work) {
  __cilkprof_h_sync(frame, local_work);
}

void __cilkprof_o_leave(frame_t *frame, uint64_t local_work) {
  __cilkprof_h_leave(frame, local_work);
}

void __cilkprof_o_resume(frame_t *frame) {
  __cilkprof_h_resume(frame);
}

void __cilkprof_o_iterate(frame_t *frame, uint64_t local_work) {
  __cilkprof_h_iterate(frame, local_work);
}
