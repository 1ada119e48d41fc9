/* The join of a frame's children: children that no thief took are run here, the others are waited for.  Then their
   views and exceptions are combined in serial order.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

/* While a join waits, it runs other tasks on the same stack.  Tasks left by the thief of the awaited child are as
   harmless as running the child itself; any other task may need a deep stack, so it is run only while little of the
   stack is used.  */
enum room { NO_ROOM, FOR_DESCENDANTS, FOR_ANY };

/* Where workers are profiled, each task that is run in a join needs memory for what is recorded of it.  So there are
   few that are not the thief's, one in another, and not many in all: with 2 and 4, fib needs 400 KB more on 8 workers,
   and is no faster.  */
enum { FEW_NESTED = 1, MANY_NESTED = 2 };

/* Returns which tasks a waiting join may run on the stack of W, by how much of the stack is used, and by how many joins
   already do.  None on a stack that is not the thread's own.  */
static enum room worker_join_stack_room(const struct worker *w) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  unsigned nested = __cilkprof_r_unrecorded ? w->nested : 0;
  if (here >= w->stack_to || here <= w->stack_from || nested >= MANY_NESTED)
    return NO_ROOM; /* or a stack that is not the thread's own */
  return here > w->stack_used_from && nested < FEW_NESTED ? FOR_ANY : FOR_DESCENDANTS;
}

/* Lets the thread of W, which has taken a child from its deque, defer another one if none is left there.  */
static inline __attribute__((always_inline)) void defer_again_if_none_waits(struct worker *w) {
  if (deque_size(&w->deque) <= 0)
    __atomic_store_n(&__cilkprof_r_want, 1, __ATOMIC_RELAXED);
}

/* Runs the child T, which no thief took, in the worker W that spawned it.  WATCHED is __cilkprof_r_watched.  */
static inline __attribute__((always_inline)) void run_unstolen_child(struct worker *w, struct task *t, bool watched) {
  defer_again_if_none_waits(w);
  if (watched)
    begin_running_deferred_task(w, t, t->frame);
  run_deferred_task(w, t, watched);
  if (watched)
    end_running_deferred_task(w, t);
  atomic_store_explicit(&t->done, true, memory_order_relaxed);
}

/* Runs a task while T, which was stolen, is not done: a task of its thief, because T waits for those; else, if ROOM is
   FOR_ANY and the time PATIENT_UNTIL has come, an older child of this thread, or any task.  Until then T may be done at
   any moment: a join that took another's child at once would delay its own frame by all of that child, and make the
   worker that spawned it wait in turn, which would take the child of a third.  Returns false if there is no task.  */
static bool help_other_worker_while_joining(struct worker *w, struct task *t, enum room room, uint64_t patient_until) {
  struct worker *thief = atomic_load_explicit(&t->thief, memory_order_relaxed);
  struct task *other = thief ? __cilkprof_r_steal_from(w, thief) : NULL;
  if (!other && room == FOR_ANY && read_ticks() >= patient_until) {
    if ((other = deque_take(&w->deque))) {
      run_unstolen_child(w, other, __cilkprof_r_watched);
      return true;
    }
    other = __cilkprof_r_steal(w);
  }
  if (other)
    __cilkprof_r_run_stolen(w, other);
  return other != NULL;
}

/* Waits until the stolen child T is done.  Meanwhile the worker W runs other tasks, and sleeps if there are none.  If
   steals are forced it runs any at once, so that tests see them in all orders.  */
static __attribute__((noinline)) void await_stolen_child(struct worker *w, struct task *t) {
  enum room left = worker_join_stack_room(w);
  uint64_t patience = __cilkprof_r_settings.forced ? 0 : LEAST_PATIENCE_US * __cilkprof_r_settings.ticks_per_us;
  uint64_t patient_until = read_ticks() + patience;
  bool by_work = false;
  set_worker_state(w, WAITING);
  if (__cilkprof_r_watched) {
    atomic_store_explicit(&w->fetches_since, read_ticks(), memory_order_relaxed);
    __cilkprof_s_state(CILKPROF_THREAD_WAITS, NULL);
  }
  for (struct search search = {0, 0}; !is_deferred_task_done(t);) {
    w->nested++;
    bool helped = left != NO_ROOM && help_other_worker_while_joining(w, t, left, patient_until);
    w->nested--;
    if (helped) {
      search.looks = 0;
      by_work = false;
    } else
      by_work |= __cilkprof_r_wait(w, &search, t, left == FOR_ANY);
  }
  if (by_work)
    wake_one_worker();
  set_worker_state(w, WORKING);
  if (__cilkprof_r_watched)
    __cilkprof_s_state(CILKPROF_THREAD_WORKS, NULL);
}

/* Waits for all children of FRAME that are not done.  */
static __attribute__((noinline)) void await_deferred_children(struct worker *w, struct frame *frame) {
  for (struct task *t = frame->first; t; t = t->next) {
    if (!is_deferred_task_done(t))
      await_stolen_child(w, t);
    if (__cilkprof_r_settings.tsan)
      __tsan_acquire(&t->done);
  }
}

/* Merges the views of the strands after the children of FRAME, which are done, and releases the tasks.  Returns the
   exception of the first child that has one.  WATCHED is __cilkprof_r_watched.  */
static inline __attribute__((always_inline)) struct kept release_deferred_children(struct worker *w,
                                                                                   struct frame *frame, bool watched) {
  struct kept first = {NULL, NULL};
  frame->deferred = 0;
  __cilkprof_r_views = frame->before;
  for (struct task *t = frame->first, *next; t; t = next) {
    next = t->next;
    if (__builtin_expect(t->after.table != NULL, 0))
      __cilkprof_r_merge(frame->before, &t->after);
    if (__builtin_expect(t->thrown.functions != NULL, 0)) {
      if (first.functions)
        forget_kept_exception(t->thrown);
      else
        first = t->thrown;
    }
    if (watched)
      settle_deferred_task_samples(t, frame);
    release_deferred_task(w, t, watched);
  }
  return first;
}

/* Joins the deferred children of FRAME, and returns the first of their exceptions in serial order.  Takes the newest
   children first, while thieves take the oldest.  Deeper frames have been joined already, so the children of this frame
   are at the bottom of the deque.  A child uses the views from before its spawn, so views may be merged only when all
   children are done.  WATCHED is __cilkprof_r_watched.  */
static inline __attribute__((always_inline)) struct kept join_deferred_frame(struct frame *frame, bool watched) {
  struct worker *w = __cilkprof_r_self;
  unsigned long left = frame->deferred;
  for (struct task *t; left && (t = deque_newest(&w->deque)) && t->frame == frame && (t = deque_take(&w->deque));
       left--)
    run_unstolen_child(w, t, watched);
  if (__builtin_expect(left || watched, 0))
    await_deferred_children(w, frame);
  return release_deferred_children(w, frame, watched);
}

/* Joins the deferred children of FRAME in a program whose tasks are watched.  */
static __attribute__((noinline)) struct kept join_watched_deferred_frame(struct frame *frame) {
  return join_deferred_frame(frame, true);
}

/* Joins the deferred children of FRAME.  Returns the first of their exceptions in serial order, if any, rather than
   throwing it.  */
struct kept __cilkprof_r_join_frame(struct frame *frame) {
  return __builtin_expect(__cilkprof_r_watched, 0) ? join_watched_deferred_frame(frame)
                                                   : join_deferred_frame(frame, false);
}

/* Runs the child T of FRAME, its only one, which no thief took, in the worker W that spawned it, and releases it.  This
   is what most joins do, with as little as possible on the stack.  */
static inline __attribute__((always_inline)) void join_only_child(struct worker *w, struct frame *frame,
                                                                  struct task *t) {
  defer_again_if_none_waits(w);
  enter_task_strand(t);
  call_deferred_child(w, t);
  __cilkprof_r_pedigree = t->outer;
  __cilkprof_r_views = frame->before;
  frame->deferred = 0;
  if (__builtin_expect(t->after.table != NULL, 0))
    __cilkprof_r_merge(frame->before, &t->after);
  keep_task(w, t);
  if (__builtin_expect(__cilkprof_r_range.thrown != NULL, 0))
    rethrow_kept_exception(take_kept_exception());
}

/* Waits for all children of OF, a frame, as a sync does.  If any have thrown exceptions, rethrows that of the first
   child in serial order.  */
EXPORTED void __cilkprof_r_join(struct __cilkprof_r_frame *of) {
  struct frame *frame = (struct frame *)of;
  struct worker *w = __cilkprof_r_self;
  struct task *t = frame->last;
  if (__builtin_expect(frame->deferred == 1 && t->closure == t->small && !__cilkprof_r_watched, 1) &&
      deque_take_item(&w->deque, t))
    join_only_child(w, frame, t);
  else
    rethrow_kept_exception(__cilkprof_r_join_frame(frame));
}

/* Waits for all children of FRAME when the exception THROWN leaves it.  If a child threw one, that is thrown in the
   place of THROWN, because it is earlier in serial order; it is dropped if THROWN is a foreign exception.  */
EXPORTED void __cilkprof_r_join_thrown(struct __cilkprof_r_frame *frame, void *thrown) {
  struct kept kept = __cilkprof_r_join_frame((struct frame *)frame);
  if (kept.functions && !kept.functions->end(thrown))
    forget_kept_exception(kept);
  else
    rethrow_kept_exception(kept);
}

/* Removes children that are done from the list of FRAME before the join, so that any number of spawns needs bounded
   memory.  A child can be removed if the strand after it has ended or belongs to this thread; the views of that strand
   are merged into the one before.  Only the first exception in the list matters; later ones are dropped.  */
void __cilkprof_r_collect(struct worker *w, struct frame *frame) {
  struct task *before = NULL;
  bool thrown = false;
  for (struct task *t = frame->first, *next; t; t = next) {
    next = t->next;
    bool done = is_deferred_task_done(t), keeps = done && t->thrown.functions && !thrown;
    thrown |= done && t->thrown.functions;
    if (!done || keeps || (next && !is_deferred_task_done(next))) {
      before = t;
      continue;
    }
    if (__cilkprof_r_settings.tsan) {
      __tsan_acquire(&t->done);
      if (next)
        __tsan_acquire(&next->done);
    }
    struct __cilkprof_r_views *left = before ? &before->after : frame->before;
    __cilkprof_r_merge(left, &t->after);
    if (!next)
      __cilkprof_r_views = left;
    forget_kept_exception(t->thrown);
    *(before ? &before->next : &frame->first) = next;
    frame->deferred--;
    if (__cilkprof_r_watched)
      settle_deferred_task_samples(t, frame);
    release_deferred_task(w, t, __cilkprof_r_watched);
  }
  frame->last = before;
}
