/* A spawned child that is deferred: its memory, and how it comes to wait in the deque.
   SPDX-License-Identifier: MIT  */

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

/* A thread does not know that nobody will come for its children until it spawns the first.  */
EXPORTED THREAD unsigned char __cilkprof_r_want = 1;
EXPORTED THREAD struct __cilkprof_r_views *__cilkprof_r_views;
THREAD struct kept __cilkprof_r_thrown;
EXPORTED THREAD struct __cilkprof_r_pedigree __cilkprof_r_pedigree;

/* Called when the program or a library starts.  */
EXPORTED void __cilkprof_r_is_missing_link_with_fcilkplus(void) {}

EXPORTED void __cilkprof_r_keep(struct kept exception) {
  if (__cilkprof_r_thrown.functions)
    forget_if(exception);
  else
    __cilkprof_r_thrown = exception;
}

/* Calls a child, a body or a block at once.  What it keeps is returned.  */
struct kept __cilkprof_r_call(void (*function)(void *), void *closure) {
  struct kept thrown = {NULL, NULL};
  swap_kept(&thrown, &__cilkprof_r_thrown);
  function(closure);
  swap_kept(&thrown, &__cilkprof_r_thrown);
  return thrown;
}

/* The same of a child that is spawned and not deferred.  */
struct kept __cilkprof_r_call_child(void (*function)(void *), void *closure) {
  struct __cilkprof_r_pedigree birth = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){0, &birth};
  struct kept thrown = __cilkprof_r_call(function, closure);
  birth.rank++;
  __cilkprof_r_pedigree = birth;
  return thrown;
}

static size_t rounded(size_t size, size_t align) {
  return (size + align - 1) & ~(align - 1);
}

/* With room for a closure; NULL: the child is to be called directly, because nobody else could run it or because
   there is no memory.  */
struct task *__cilkprof_r_new_task(size_t size, size_t align) {
  struct worker *w = __cilkprof_r_self;
  if (!w || atomic_load_explicit(&__cilkprof_r_stage, memory_order_relaxed) != STARTED)
    w = __cilkprof_r_start();
  if (!w)
    return NULL;
  struct task *t = w->free;
  if (t)
    w->free = t->next;
  else if (!(t = aligned_alloc(_Alignof(struct task), sizeof *t)))
    return NULL;
  t->closure = t->small;
  t->watched.site = NULL;
  t->watched.origin = NULL;
  if (size > sizeof t->small || align > _Alignof(struct task))
    t->closure = aligned_alloc(align, rounded(size, align));
  t->owner = w;
  if (t->closure)
    return t;
  t->next = w->free;
  w->free = t;
  return NULL;
}

/* ThreadSanitizer gets each task fresh from malloc, because it takes what is done at one address for ordered.  */
void __cilkprof_r_release_task(struct worker *w, struct task *t) {
  if (t->closure != t->small)
    free(t->closure);
  if (tsan_watches()) {
    free(t);
    return;
  }
  t->next = w->free;
  w->free = t;
}

/* The frame's list, and the strands: the child continues this one, a new one begins behind the spawn.  */
static void add_to_frame(struct worker *w, struct frame *frame, struct task *t) {
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
  atomic_store_explicit(&t->watched.origin_path, 0, memory_order_relaxed);
  atomic_store_explicit(&t->done, false, memory_order_relaxed);
  *(frame->last ? &frame->last->next : &frame->first) = t;
  frame->last = t;
  frame->listed++;
  frame->deferred = 1;
}

/* How many are to wait in one thread.  One for each worker that has nothing to do: this thread may be in the child
   that it calls instead for long.  And when all work, two for the next that has not: the first is mostly large, and
   were they more, the order in which a program goes through its memory would be another one too often, as a child
   that is deferred is run behind what follows it.  */
static long enough(void) {
  enum { LEAST = 2, MOST = DEQUE_MOST / 2 };
  long idle = __cilkprof_r_settings.nworkers - atomic_load_explicit(&__cilkprof_r_working, memory_order_relaxed);
  return idle < LEAST ? LEAST : idle > MOST ? MOST : idle;
}

/* A thief that took one in the meantime set the byte before it was cleared here.  */
static void want_no_more(struct worker *w) {
  set_want(w, 0);
  if (atomic_load(&w->deque.bottom) - atomic_load(&w->deque.top) < enough())
    set_want(w, 1);
}

static void let_thieves_come(struct worker *w) {
  for (unsigned i = (unsigned)(__cilkprof_r_random(w) >> 62); i; i--)
    sched_yield();
}

void __cilkprof_r_defer(struct frame *frame, struct task *t) {
  struct worker *w = t->owner;
  add_to_frame(w, frame, t);
  tsan_release(t);
  if (!deque_push(&w->deque, t)) {
    task_begins(w, t, frame);
    run_task(t);
    task_ends(w, t);
    atomic_store_explicit(&t->done, true, memory_order_relaxed);
    __cilkprof_r_views = &t->after;
    return;
  }
  __cilkprof_r_views = &t->after;
  __cilkprof_r_wake_one();
  if (__cilkprof_r_settings.forced)
    let_thieves_come(w);
  if (!__cilkprof_r_settings.all && deque_size(&w->deque) >= enough())
    want_no_more(w);
}

EXPORTED void __cilkprof_r_spawn(struct __cilkprof_r_frame *frame, void (*child)(void *), const void *closure,
                                 unsigned long size) {
  struct task *t = __cilkprof_r_new_task(size, __CILKPROF_R_ALIGN);
  if (!t) {
    rethrow_if(__cilkprof_r_call_child(child, (void *)(uintptr_t)closure));
    return;
  }
  memcpy(t->closure, closure, size);
  t->function = child;
  t->watched.site = __builtin_return_address(0);
  __cilkprof_r_defer((struct frame *)frame, t);
}
