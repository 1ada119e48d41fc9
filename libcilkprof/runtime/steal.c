/* Thieves: workers that take what waits elsewhere, and run it.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

/* The victim is told that it may defer another.  It is still there: it cannot leave the frame of what was taken.  */
struct task *__cilkprof_r_steal_from(struct worker *w, struct worker *victim) {
  if (deque_size(&victim->deque) <= 0)
    return NULL;
  struct task *t = deque_steal(&victim->deque);
  if (!t)
    return NULL;
  set_want(victim, 1);
  atomic_store_explicit(&t->thief, w, memory_order_relaxed);
  if (deque_size(&victim->deque) > 0)
    __cilkprof_r_wake_one();
  return t;
}

/* From anyone, beginning with one at random.  */
struct task *__cilkprof_r_steal(struct worker *w) {
  unsigned slots = (unsigned)atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire);
  unsigned at = (unsigned)(next_random(w) >> 32) % slots;
  for (unsigned i = 0; i < slots; i++, at = at + 1 < slots ? at + 1 : 0) {
    struct worker *victim = atomic_load_explicit(&__cilkprof_r_workers[at], memory_order_acquire);
    struct task *t = victim && victim != w ? __cilkprof_r_steal_from(w, victim) : NULL;
    if (t)
      return t;
  }
  return NULL;
}

/* T, of another worker, is no longer this one's once it is done: its owner may have left the frame.  */
void __cilkprof_r_run_stolen(struct worker *w, struct task *t) {
  struct worker *owner = t->owner;
  enum state before = atomic_load_explicit(&w->state, memory_order_relaxed);
  task_begins(w, t, NULL);
  __cilkprof_r_set_state(w, WORKING);
  w->depth++;
  run_task(t);
  w->depth--;
  __cilkprof_r_set_state(w, before); /* who sees that it is done sees that this worker is idle */
  task_ends(w, t);
  atomic_store_explicit(&t->done, true, memory_order_release);
  __cilkprof_r_wake_waiting(owner, t);
}
