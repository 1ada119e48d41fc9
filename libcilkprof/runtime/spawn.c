/* Spawns that are deferred: the child is added to its frame and pushed on the deque.
   SPDX-License-Identifier: MIT  */

#include <sched.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

enum { COLLECT_FROM = 64 /* so many children of a frame are listed before some are removed */ };

/* Appends the deferred child T to the list of FRAME.  The child continues the current strand; a new one begins after
   the spawn.  */
static inline void add_deferred_child(struct frame *frame, struct task *t) {
  if (!frame->deferred) {
    frame->first = t;
    frame->before = __cilkprof_r_views;
  } else
    frame->last->next = t;
  frame->last = t;
  frame->deferred++;
  t->frame = frame;
  t->next = NULL;
  t->views = __cilkprof_r_views;
  t->birth = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree.rank++;
}

/* Returns true if the thread of W, which has just deferred a child, should defer the next one, too.  One waits for the
   next worker to become idle: it is usually large.  More are for several idle workers, as this thread may be busy for
   long in the child that it would call instead.  Of these one is let in per PRICE_US, which costs little time, and many
   at once after a while without.  Whether any worker is idle is not asked: in a recursion with few large children some
   always are, and all its short ones would be deferred.  */
static bool should_defer_another_child(struct worker *w) {
  enum { MOST = MAX_DEQUE_ITEMS / 2, PRICE_US = 5 };
  uint64_t now = read_ticks(), price = PRICE_US * __cilkprof_r_settings.ticks_per_us;
  if (now - w->paid_until > MOST * price)
    w->paid_until = now - MOST * price;
  if (deque_size(&w->deque) >= MOST || now - w->paid_until < price)
    return false;
  w->paid_until += price;
  return true;
}

/* Lets other threads run for a while, at random, so that thieves get a chance to take the child that was just deferred.
   For tests only.  */
static void let_thieves_steal(struct worker *w) {
  for (unsigned i = (unsigned)(next_worker_random(w) >> 62); i; i--)
    sched_yield();
}

/* Runs the child T of FRAME at once, in its owner W, because the deque is full.  */
static __attribute__((noinline)) void run_deferred_child_at_once(struct worker *w, struct frame *frame,
                                                                 struct task *t) {
  if (__cilkprof_r_watched)
    begin_running_deferred_task(w, t, frame);
  run_deferred_task(w, t, __cilkprof_r_watched);
  if (__cilkprof_r_watched)
    end_running_deferred_task(w, t);
  atomic_store_explicit(&t->done, true, memory_order_relaxed);
  __cilkprof_r_views = &t->after;
}

/* Wakes a worker that sleeps, if there is one, because a child is in the deque of W.  Tells the thread of W to call its
   spawned children rather than to defer them, if enough are there, and unless all are to be deferred.  A thief that
   took the last child meanwhile set the flag before it was cleared here, so the size is checked again.  */
static __attribute__((noinline)) void announce_deferred_child(struct worker *w) {
  wake_one_worker();
  if (__cilkprof_r_settings.all || should_defer_another_child(w))
    return;
  set_worker_want(w, 0);
  if (atomic_load(&w->deque.bottom) - atomic_load(&w->deque.top) <= 0)
    set_worker_want(w, 1);
}

/* Removes children of FRAME that are done from its list, where that may be worth it: where its length is a power of
   2.  */
static void collect_deferred_if_long(struct worker *w, struct frame *frame) {
  if (frame->deferred >= COLLECT_FROM && !(frame->deferred & (frame->deferred - 1)))
    __cilkprof_r_collect(w, frame);
}

/* Defers the child T, which a spawn that returns to SITE made, or a loop if that is NULL: adds it to FRAME, pushes it
   on the deque of its worker and wakes a thief.  If the deque is full, runs it at once.  */
void __cilkprof_r_defer(struct frame *frame, struct task *t, const void *site) {
  struct worker *w = t->owner;
  collect_deferred_if_long(w, frame);
  add_deferred_child(frame, t);
  if (__cilkprof_r_watched) {
    t->sampled.site = site;
    if (site)
      t->sampled.code = site;
    t->sampled.origin = NULL;
    atomic_store_explicit(&t->sampled.origin_path, 0, memory_order_relaxed);
    if (__cilkprof_r_settings.tsan)
      __tsan_release(t);
  }
  if (!deque_push(&w->deque, t)) {
    run_deferred_child_at_once(w, frame, t);
    return;
  }
  __cilkprof_r_views = &t->after;
  announce_deferred_child(w);
  if (__cilkprof_r_settings.forced)
    let_thieves_steal(w);
}

/* Calls CHILD of SITE at once rather than to defer it, and throws what it throws.  */
static __attribute__((noinline)) void call_undeferred_child_at_once(void (*child)(void *), const void *closure,
                                                                    struct __cilkprof_r_site *site) {
  rethrow_kept_exception(__cilkprof_r_call_child(child, (void *)(uintptr_t)closure, site));
}

/* Spawns CHILD of SITE, with a copy of the CLOSURE of SIZE bytes, from the function that has FRAME, where
   is_usual_deferred_spawn is false: the helpers have not started or the run is watched, this thread is no worker or has
   no task to use again, the closure is large or of an odd size, or FRAME has many children.  Calls CHILD at once if no
   other worker could run it or there is no memory.  CODE is where the spawn returns to.  It is not inlined, so that the
   usual case need not save registers.  */
static __attribute__((noinline)) void spawn_deferred_otherwise(struct frame *frame, void (*child)(void *),
                                                               const void *closure, unsigned long size,
                                                               struct __cilkprof_r_site *site, const void *code) {
  struct task *t = new_deferred_task(size, __CILKPROF_R_ALIGN);
  if (!t) {
    call_undeferred_child_at_once(child, closure, site);
    return;
  }
  memcpy(t->closure, closure, size);
  t->function = child;
  t->site = site;
  __cilkprof_r_defer(frame, t, code);
}

/* Returns true if a closure of SIZE bytes is one that the compiler makes, of a few words, and W has a task that was
   used before, which can be added to FRAME without further ado.  */
static inline bool is_usual_deferred_spawn(struct worker *w, struct frame *frame, size_t size) {
  enum { ODD_SIZES = ~(SMALL_CLOSURE - __CILKPROF_R_CLOSURE) };
  return atomic_load_explicit(&__cilkprof_r_usual, memory_order_relaxed) && w && w->free &&
         !(size & (size_t)ODD_SIZES) && frame->deferred < COLLECT_FROM;
}

/* Spawns CHILD from the function that has FRAME: defers it with a copy of the CLOSURE of SIZE bytes.  Calls it at once
   if the children of SITE are too short for another worker, if there is no other worker, or if there is no memory.
   What most spawns need is here, and calls nothing, so that no registers have to be saved.  */
EXPORTED void __cilkprof_r_spawn(struct __cilkprof_r_frame *in, void (*child)(void *), const void *closure,
                                 unsigned long size, struct __cilkprof_r_site *site) {
  struct worker *w = __cilkprof_r_self;
  struct frame *frame = (struct frame *)in;
  if (short_parallel_runs(site)) {
    call_undeferred_child_at_once(child, closure, site);
    return;
  }
  if (__builtin_expect(!is_usual_deferred_spawn(w, frame, size), 0)) {
    spawn_deferred_otherwise(frame, child, closure, size, site, __builtin_return_address(0));
    return;
  }
  struct task *t = w->free;
  w->free = t->next;
  for (size_t i = 0; i < size; i += __CILKPROF_R_CLOSURE)
    memcpy(t->small + i, (const char *)closure + i, __CILKPROF_R_CLOSURE);
  t->function = child;
  t->site = site;
  add_deferred_child(frame, t);
  if (!deque_push(&w->deque, t)) {
    run_deferred_child_at_once(w, frame, t);
    return;
  }
  __cilkprof_r_views = &t->after;
  announce_deferred_child(w);
}
