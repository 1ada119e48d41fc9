/* The events of children that other workers may run, in programs for parallel runs (-fcilkprof=parallel).
   SPDX-License-Identifier: MIT

   In other programs these events have no body, and the compiler does not use them.  */

#ifndef CILKPROF_DEFERRED_H
#define CILKPROF_DEFERRED_H

#pragma GCC system_header

#ifdef __CILKPROF_PARALLEL
#include "parallel.h"

/* The function that spawns a child, when it does: what a deferred child needs to know of it.  */
struct __cilkprof_spawner {
  struct __cilkprof_entry *base, *top; /* its part of the log */
  struct __cilkprof_deferral *deferred;
  __cilkprof_u64 own, here, burdened_own, burdened_here; /* its own work on the path to the child, and the path */
};
/* Adds a child of SPAWNER that is called at SITE to those that are deferred, if it may be: its closure has SIZE bytes,
   and the runtime has LEARNT of the spawn.  Returns the child, or 0.  */
__CILKPROF_COLD struct __cilkprof_deferral *__cilkprof_deferral(const struct __cilkprof_spawner *spawner,
                                                                struct __cilkprof_site *site, __cilkprof_u64 size,
                                                                const struct __cilkprof_r_site *learnt);
/* Passes the child to the runtime, which may also call it at once.  */
extern __attribute__((cold)) void __cilkprof_defer(struct __cilkprof_deferral *child, struct __cilkprof_r_frame *in,
                                                   void (*function)(void *), const void *closure, __cilkprof_u64 size,
                                                   struct __cilkprof_r_site *learnt);
/* Waits for the children that were deferred by the function with the runtime's frame IN.  TOP is the top of its part of
   the log.  */
extern __attribute__((cold)) void __cilkprof_join_at(struct __cilkprof_r_frame *in, struct __cilkprof_entry *top);

/* Returns what a child needs to know of the function of FRAME, which spawns it and has done LOCAL_WORK itself.  */
__CILKPROF_PART struct __cilkprof_spawner __cilkprof_p_spawner(const struct __cilkprof_frame *frame,
                                                               __cilkprof_u64 local_work) {
  struct __cilkprof_spawner spawner;
  spawner.base = frame->base;
  spawner.top = frame->top;
  spawner.deferred = frame->deferred;
  spawner.own = local_work - frame->off_span;
  spawner.here = frame->span + spawner.own;
  spawner.burdened_own = local_work - frame->off_burdened_span;
  spawner.burdened_here = frame->burdened_span + spawner.burdened_own;
  return spawner;
}

/* Notes in FRAME that CHILD is deferred.  From here on, the log has a new segment.  */
__CILKPROF_PART void __cilkprof_p_deferred(struct __cilkprof_frame *frame, struct __cilkprof_deferral *child) {
  frame->deferred = child;
  frame->base = frame->segment = frame->merge = frame->top;
  frame->off_burdened_span -= __cilkprof_self.burden;
}

/* Returns a child of FRAME that is deferred, if that is possible, or 0; the parameters are those of
   __cilkprof_h_spawn_child.  Nothing here throws: an event has no code that cleans up after an exception.  */
__CILKPROF_PART struct __cilkprof_deferral *__cilkprof_p_deferral(struct __cilkprof_frame *frame,
                                                                  __cilkprof_u64 local_work,
                                                                  struct __cilkprof_site *site, __cilkprof_u64 size,
                                                                  const struct __cilkprof_r_site *learnt) {
  __cilkprof_p_samples(frame);
  struct __cilkprof_spawner spawner = __cilkprof_p_spawner(frame, local_work);
  struct __cilkprof_deferral *child = __cilkprof_deferral(&spawner, site, size, learnt);
  if (child) {
    __cilkprof_p_deferred(frame, child);
    frame->local_work = local_work;
  }
  return child;
}
#endif

/* Event in the place of a call at SITE that the function of FRAME spawns; it has done LOCAL_WORK itself so far.  If the
   runtime wants one, and it is possible, CHILD with CLOSURE, of SIZE bytes, is deferred; else HERE is called, which is
   CHILD or a copy that is inlined.  Both make the same call, so what is counted does not depend on it.  IN is the
   function's frame of the runtime, which has LEARNT of the spawn.  THROWS: the child may have kept an exception.  */
__CILKPROF_EVENT void __cilkprof_h_spawn_child(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                               struct __cilkprof_site *site, void *in, void (*child)(void *),
                                               void (*here)(void *), void *closure, __cilkprof_u64 size, void *learnt,
                                               __cilkprof_u64 throws) {
#ifdef __CILKPROF_PARALLEL
  struct __cilkprof_deferral *deferral =
      __CILKPROF_RARE(__cilkprof_r_want)
          ? __cilkprof_p_deferral(frame, local_work, site, size, (const struct __cilkprof_r_site *)learnt)
          : 0;
  if (__CILKPROF_RARE(deferral)) {
    __cilkprof_defer(deferral, (struct __cilkprof_r_frame *)in, child, closure, size,
                     (struct __cilkprof_r_site *)learnt);
    return;
  }
  __cilkprof_p_spawn(frame, local_work, site);
  here(closure);
  if (throws && __CILKPROF_RARE(__cilkprof_r_range.thrown != 0))
    __cilkprof_r_loop_end(); /* throws it */
  __cilkprof_p_spawn_returned(frame, local_work, site);
#else
  (void)frame, (void)local_work, (void)site, (void)in, (void)child, (void)here, (void)closure, (void)size, (void)learnt,
      (void)throws;
#endif
}

/* Event in the place of a join in the runtime: waits for the children that the function of FRAME, with the runtime's
   frame IN, has deferred, if there are any.  An event follows that adds what they did.  */
__CILKPROF_EVENT void __cilkprof_h_join_frame(struct __cilkprof_frame *frame, void *in) {
#ifdef __CILKPROF_PARALLEL
  if (__CILKPROF_RARE(((struct __cilkprof_r_frame *)in)->deferred)) {
    __cilkprof_p_samples(frame); /* a child that runs meanwhile has others */
    __cilkprof_join_at((struct __cilkprof_r_frame *)in, frame->top);
  }
#else
  (void)frame, (void)in;
#endif
}

#endif
