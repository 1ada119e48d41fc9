/* The join of a frame's children: children that no thief took are run here, the others are waited for.  Then their
   views and exceptions are combined in serial order.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

static bool is_done(struct task *t) {
  return atomic_load_explicit(&t->done, memory_order_acquire);
}

/* While a join waits, it runs other tasks on the same stack.  Tasks left by the thief of the awaited child are as
   harmless as running the child itself; any other task may need a deep stack, so it is run only while little of the
   stack is used.  */
enum room { NO_ROOM, FOR_DESCENDANTS, FOR_ANY };

static enum room room(struct worker *w) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here >= w->stack_to || here <= w->stack_from)
    return NO_ROOM; /* or a stack that is not the thread's own */
  return here > w->stack_used_from ? FOR_ANY : FOR_DESCENDANTS;
}

/* Runs a child that no thief took.  */
static inline __attribute__((always_inline)) void run_own(struct worker *w, struct task *t) {
  set_want(w, 1);
  w->depth++;
  task_begins(w, t, t->frame);
  run_task(t);
  task_ends(w, t);
  w->depth--;
  atomic_store_explicit(&t->done, true, memory_order_relaxed);
}

/* Runs something while T, which was stolen, is not done: a task of its thief, because T waits for those; else an
   older child of this thread, or any task.  */
static bool help(struct worker *w, struct task *t, enum room room) {
  struct worker *thief = atomic_load_explicit(&t->thief, memory_order_relaxed);
  struct task *other = thief ? __cilkprof_r_steal_from(w, thief) : NULL;
  if (!other && room == FOR_ANY) {
    if ((other = deque_take(&w->deque))) {
      run_own(w, other);
      return true;
    }
    other = __cilkprof_r_steal(w);
  }
  if (other)
    __cilkprof_r_run_stolen(w, other);
  return other != NULL;
}

static __attribute__((noinline)) void await(struct worker *w, struct task *t) {
  enum room left = room(w);
  bool by_work = false;
  __cilkprof_r_set_state(w, WAITING);
  for (unsigned looks = 0; !is_done(t);) {
    if (left != NO_ROOM && help(w, t, left)) {
      looks = 0;
      by_work = false;
    } else if (looks++ < LOOKS)
      __cilkprof_r_pause(looks);
    else
      by_work = __cilkprof_r_rest(w, t, left == FOR_ANY);
  }
  if (by_work)
    __cilkprof_r_wake_one();
  __cilkprof_r_set_state(w, WORKING);
}

/* Waits for all children, and returns the exception of the first that has one.  A child uses the views from before
   its spawn, so views may be merged only when all children are done.  */
static __attribute__((noinline)) struct kept settle(struct worker *w, struct frame *frame) {
  struct kept first = {NULL, NULL};
  for (struct task *t = frame->first; t; t = t->next) {
    if (!is_done(t))
      await(w, t);
    tsan_acquire(&t->done);
  }
  frame->deferred = 0;
  __cilkprof_r_views = frame->before;
  for (struct task *t = frame->first, *next; t; t = next) {
    next = t->next;
    __cilkprof_r_merge(frame->before, &t->after);
    if (first.functions)
      forget_if(t->thrown);
    else
      first = t->thrown;
    task_is_over(t, frame);
    __cilkprof_r_release_task(w, t);
  }
  return first;
}

/* Takes the newest children first, while thieves take the oldest.  Deeper frames have been joined already, so the
   children of this frame are at the bottom of the deque.  */
static inline __attribute__((always_inline)) struct kept join(struct frame *frame) {
  struct worker *w = __cilkprof_r_self;
  for (struct task *t; (t = deque_newest(&w->deque)) && t->frame == frame && (t = deque_take(&w->deque));)
    run_own(w, t);
  return settle(w, frame);
}

struct kept __cilkprof_r_join_frame(struct frame *frame) {
  return join(frame);
}

EXPORTED void __cilkprof_r_join(struct __cilkprof_r_frame *frame) {
  rethrow_if(join((struct frame *)frame));
}

EXPORTED void __cilkprof_r_join_thrown(struct __cilkprof_r_frame *frame, void *thrown) {
  struct kept kept = join((struct frame *)frame);
  if (kept.functions && !kept.functions->end(thrown))
    forget_if(kept);
  else
    rethrow_if(kept);
}

/* Removes children that are done from the list before the join, so that any number of spawns needs bounded memory.
   A child can be removed if the strand after it has ended or belongs to this thread; the views of that strand are
   merged into the one before.  Only the first exception in the list matters; later ones are dropped.  */
void __cilkprof_r_collect(struct worker *w, struct frame *frame) {
  struct task *before = NULL;
  bool thrown = false;
  for (struct task *t = frame->first, *next; t; t = next) {
    next = t->next;
    bool done = is_done(t), keeps = done && t->thrown.functions && !thrown;
    thrown |= done && t->thrown.functions;
    if (!done || keeps || (next && !is_done(next))) {
      before = t;
      continue;
    }
    tsan_acquire(&t->done);
    if (next)
      tsan_acquire(&next->done);
    struct __cilkprof_r_views *left = before ? &before->after : frame->before;
    __cilkprof_r_merge(left, &t->after);
    if (!next)
      __cilkprof_r_views = left;
    forget_if(t->thrown);
    *(before ? &before->next : &frame->first) = next;
    frame->listed--;
    task_is_over(t, frame);
    __cilkprof_r_release_task(w, t);
  }
  frame->last = before;
  frame->collect_at = 2 * frame->listed + 64;
}
