/* Spawns that are deferred: the child is added to its frame and pushed on the deque.
   SPDX-License-Identifier: MIT  */

#include <sched.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

/* Appends the deferred child T to the list of FRAME.  The child continues the current strand; a new one begins after
   the spawn.  */
static void add_deferred_child(struct worker *w, struct frame *frame, struct task *t) {
  if (!frame->deferred) {
    frame->first = frame->last = NULL;
    frame->before = __cilkprof_r_views;
    frame->listed = 0;
    frame->collect_at = 64;
  } else if (frame->listed >= frame->collect_at)
    __cilkprof_r_collect(w, frame);
  t->frame = frame;
  t->next = NULL;
  t->views = __cilkprof_r_views;
  t->after.table = NULL;
  t->thrown.functions = NULL;
  t->birth = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree.rank++;
  atomic_store_explicit(&t->thief, NULL, memory_order_relaxed);
  atomic_store_explicit(&t->sampled.origin_path, 0, memory_order_relaxed);
  atomic_store_explicit(&t->done, false, memory_order_relaxed);
  *(frame->last ? &frame->last->next : &frame->first) = t;
  frame->last = t;
  frame->listed++;
  frame->deferred = 1;
}

/* Returns how many children should wait in one deque: one for each idle worker, because this thread may be busy for
   long in the child that it would call instead.  If all workers are busy, two for the next one to become idle: the
   first is usually large, and with more of them a program would too often access its memory in another order, because a
   deferred child runs after its continuation.  */
static long enough_waiting_children(void) {
  enum { LEAST = 2, MOST = DEQUE_MOST / 2 };
  long idle = __cilkprof_r_settings.nworkers - atomic_load_explicit(&__cilkprof_r_working, memory_order_relaxed);
  return idle < LEAST ? LEAST : idle > MOST ? MOST : idle;
}

/* Tells the thread of W to call its spawned children rather than to defer them.  A thief that took a child meanwhile
   set the flag before it was cleared here, so the size is checked again.  */
static void stop_deferring_children(struct worker *w) {
  set_worker_want(w, 0);
  if (atomic_load(&w->deque.bottom) - atomic_load(&w->deque.top) < enough_waiting_children())
    set_worker_want(w, 1);
}

/* Lets other threads run for a while, at random, so that thieves get a chance to take the child that was just deferred.
   For tests only.  */
static void let_thieves_steal(struct worker *w) {
  for (unsigned i = (unsigned)(next_random(w) >> 62); i; i--)
    sched_yield();
}

/* Defers the child T: adds it to FRAME, pushes it on the deque of its worker and wakes a thief.  If the deque is full,
   runs it at once.  */
void __cilkprof_r_defer(struct frame *frame, struct task *t) {
  struct worker *w = t->owner;
  add_deferred_child(w, frame, t);
  tsan_release(t);
  if (!deque_push(&w->deque, t)) {
    begin_running_task(w, t, frame);
    run_deferred_task(t);
    end_running_task(w, t);
    atomic_store_explicit(&t->done, true, memory_order_relaxed);
    __cilkprof_r_views = &t->after;
    return;
  }
  __cilkprof_r_views = &t->after;
  __cilkprof_r_wake_one();
  if (__cilkprof_r_settings.forced)
    let_thieves_steal(w);
  if (!__cilkprof_r_settings.all && deque_size(&w->deque) >= enough_waiting_children())
    stop_deferring_children(w);
}

/* Spawns CHILD from the function that has FRAME: defers it with a copy of the CLOSURE of SIZE bytes.  Calls it at once
   if the children of SITE are too short for another worker, if there is no other worker, or if there is no memory.  */
EXPORTED void __cilkprof_r_spawn(struct __cilkprof_r_frame *frame, void (*child)(void *), const void *closure,
                                 unsigned long size, struct __cilkprof_r_site *site) {
  struct task *t = __cilkprof_r_is_short(site, 1) ? NULL : __cilkprof_r_new_task(size, __CILKPROF_R_ALIGN);
  if (!t) {
    rethrow_kept_exception(__cilkprof_r_call_child(child, (void *)(uintptr_t)closure, site));
    return;
  }
  memcpy(t->closure, closure, size);
  t->function = child;
  t->site = site;
  t->sampled.site = __builtin_return_address(0);
  __cilkprof_r_defer((struct frame *)frame, t);
}
