/* Work stealing.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

/* Steals a task of VICTIM for W, and tells the victim to defer another child.  Returns NULL if there is none.  The
   victim's thread still exists, because it cannot leave the frame of a stolen task.  */
struct task *__cilkprof_r_steal_from(struct worker *w, struct worker *victim) {
  if (deque_size(&victim->deque) <= 0)
    return NULL;
  struct task *t = deque_steal(&victim->deque);
  if (!t)
    return NULL;
  set_worker_want(victim, 1);
  atomic_store_explicit(&t->thief, w, memory_order_relaxed);
  if (deque_size(&victim->deque) > 0)
    wake_one_worker();
  return t;
}

/* Steals a task for W from any other worker, starting with a random one.  Returns NULL if there is none.  */
struct task *__cilkprof_r_steal(struct worker *w) {
  unsigned slots = (unsigned)atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire);
  unsigned at = (unsigned)(next_worker_random(w) >> 32) % slots;
  for (unsigned i = 0; i < slots; i++, at = at + 1 < slots ? at + 1 : 0) {
    struct worker *victim = atomic_load_explicit(&__cilkprof_r_workers[at], memory_order_acquire);
    struct task *t = victim && victim != w ? __cilkprof_r_steal_from(w, victim) : NULL;
    if (t)
      return t;
  }
  return NULL;
}

/* Runs the stolen task T in the thread of W, and wakes its owner if that waits for it.  Once it is marked as done, T
   must not be accessed: its owner may have released it.  */
void __cilkprof_r_run_stolen(struct worker *w, struct task *t) {
  struct worker *owner = t->owner;
  enum state before = atomic_load_explicit(&w->state, memory_order_relaxed);
  bool watched = __cilkprof_r_watched;
  if (watched) {
    begin_running_deferred_task(w, t, NULL);
    __cilkprof_s_task_begins(t->sampled.code, owner->sampled_number);
  }
  set_worker_state(w, WORKING);
  run_deferred_task(w, t, watched);
  set_worker_state(w, before);
  if (watched) {
    uint64_t now = read_ticks();
    end_running_deferred_task(w, t);
    atomic_store_explicit(&w->fetches_since, now, memory_order_relaxed);
    __cilkprof_s_task_ends(before == WAITING ? CILKPROF_THREAD_WAITS : CILKPROF_THREAD_IDLE, now);
  }
  atomic_store_explicit(&t->done, true, memory_order_release);
  __cilkprof_r_wake_waiting(owner, t);
}
