/* The events of OpenMP's tasks.
   SPDX-License-Identifier: MIT

   This is a part of events.h.  Tasks are blocks, except those that are a single call.  Such calls are the hot path of
   programs with many tasks.  */

#ifndef CILKPROF_TASKS_H
#define CILKPROF_TASKS_H

#pragma GCC system_header

__CILKPROF_ENGINE __cilkprof_u64 __cilkprof_task_begin(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                       struct __cilkprof_site *spawned, struct __cilkprof_site *called,
                                                       __cilkprof_u64 deferred, __cilkprof_u64 flags,
                                                       const void *depend);
__CILKPROF_ENGINE void __cilkprof_task_call_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work);
__CILKPROF_ENGINE void __cilkprof_taskwait(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                           __cilkprof_u64 what);
__CILKPROF_ENGINE void __cilkprof_team_run(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                           struct __cilkprof_site *spawned, struct __cilkprof_site *called,
                                           void (*body)(void *), void *data, __cilkprof_u64 threads);
__CILKPROF_ENGINE void __cilkprof_adopt(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                        struct __cilkprof_site *site);
__CILKPROF_ENGINE void __cilkprof_tasks_leave(struct __cilkprof_frame *frame, __cilkprof_u64 local_work);

/* Event before an OpenMP task that is a single call.  A task that is not deferred is called, at the site CALLED and not
   SPAWNED, but it is still a task: the tasks that it makes are its own and not its caller's.  */
__CILKPROF_EVENT void __cilkprof_h_task_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                             struct __cilkprof_site *spawned, struct __cilkprof_site *called) {
  if (__CILKPROF_RARE(!__cilkprof_self.deferring)) {
    __cilkprof_p_call(frame, local_work, called, __CILKPROF_CALL_TASK);
    return;
  }
  __cilkprof_p_samples(frame);
  frame->outer_segment = frame->segment;
  frame->segment = frame->top;
  __cilkprof_p_call(frame, local_work, spawned, __CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK);
}

/* Event before an OpenMP task that is a single call and has an if or final clause.  A final task makes all code final
   that runs before it ends.  The frame that untracked invocations share would not tell when that is, so nothing becomes
   final there.  */
__CILKPROF_EVENT void __cilkprof_h_task_call_if(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                struct __cilkprof_site *spawned, struct __cilkprof_site *called,
                                                __cilkprof_u64 deferred, __cilkprof_u64 flags) {
  __cilkprof_u64 kind = __CILKPROF_CALL_TASK;
  if (deferred && __cilkprof_self.deferring) {
    __cilkprof_p_samples(frame);
    frame->outer_segment = frame->segment;
    frame->segment = frame->top;
    kind |= __CILKPROF_CALL_SPAWN;
  } else
    spawned = called;
  if (flags & __CILKPROF_TASK_FINAL && !__cilkprof_self.final && frame < __cilkprof_self.frames_end) {
    __cilkprof_self.final = 1;
    __cilkprof_self.deferring = 0;
    kind |= __CILKPROF_CALL_FINAL;
  }
  __cilkprof_p_call(frame, local_work, spawned, kind);
}

/* Returns the part of FRAME, which made a task, in the burdened path to that task.  It has a burden, because the task
   moves to another processor; with a spawn of Cilk, the continuation does.  */
__CILKPROF_PART __cilkprof_u64 __cilkprof_p_own_to_task(const struct __cilkprof_frame *frame,
                                                        __cilkprof_u64 local_work) {
  return local_work - frame->off_burdened_span + __cilkprof_self.burden;
}

/* Books a spawned task of SITE that has returned, and left no tasks behind, and adds it to FRAME, which made it; keeps
   the path to its end if it is the longest.  */
__CILKPROF_PART void __cilkprof_p_task_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                struct __cilkprof_site *site) {
  __cilkprof_u64 joined = frame->spawned == __CILKPROF_CHILDREN_JOINED;
  struct __cilkprof_entry *top = __cilkprof_p_book_child(frame, frame->segment, local_work, site);
  __cilkprof_p_child_returned(frame, local_work - frame->off_span, __cilkprof_p_own_to_task(frame, local_work), top);
  frame->off_burdened_span -= __cilkprof_self.burden / __CILKPROF_MAKING;
  __cilkprof_p_lanes_child(frame, local_work);
  frame->spawned = joined ? __CILKPROF_CHILDREN_JOINED : __CILKPROF_CHILDREN_TASKS;
}

/* Event after an OpenMP task that is a single call: books it, and adds it to FRAME, which made it.  */
__CILKPROF_EVENT void __cilkprof_h_task_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  __cilkprof_u64 kind = frame->site & __CILKPROF_CALL_KIND;
  struct __cilkprof_site *site = (struct __cilkprof_site *)(frame->site - kind);
  if (__CILKPROF_RARE(kind != (__CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK)))
    __cilkprof_task_call_returned(frame, local_work);
  else
    __cilkprof_p_task_returned(frame, local_work, site);
}

/* Event at a taskwait or where else a thread may wait, as WHAT says, one of __CILKPROF_WAIT_...: joins the children of
   the current task.  If the function of FRAME is the call that the task is, all children are its own, and a taskwait
   only syncs.  */
__CILKPROF_EVENT void __cilkprof_h_taskwait(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                            __cilkprof_u64 what) {
  if (what || frame->block || !(frame[-1].site & (__CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK)))
    __cilkprof_taskwait(frame, local_work, what);
  else
    __cilkprof_p_sync(frame, local_work, 1);
}

/* Event before the return of a function in a program with OpenMP.  If FRAME has children, the engine joins them or
   leaves tasks behind, which may outlive the function.  */
__CILKPROF_EVENT void __cilkprof_h_tasks_leave(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  if (__CILKPROF_RARE(frame->spawned))
    __cilkprof_tasks_leave(frame, local_work);
}

#endif
