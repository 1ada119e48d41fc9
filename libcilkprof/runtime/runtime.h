/* What the files of the runtime share.
   SPDX-License-Identifier: MIT

   A thread that spawns, or that was started to help, is a worker.  A child that is deferred is a task: it waits in
   the deque of the worker that spawned it, and is run by that worker at the join, or by another that took it.  A
   function stays in its thread; a frame's tasks are made, looked after and released by the one thread that runs the
   function.  */

#ifndef CILKPROF_PARALLEL_RUNTIME_H
#define CILKPROF_PARALLEL_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/runtime/deque.h"
#include "libcilkprof/runtime/exceptions.h"
#include "libcilkprof/runtime/tsan.h"
#include "libcilkprof/sampler/sampler.h"

#define EXPORTED __attribute__((visibility("default")))
#define THREAD   __thread __attribute__((tls_model("initial-exec")))

/* The views of one strand of the serial order: a table, NULL while it has none.  */
struct __cilkprof_r_views {
  struct view_table *table;
};

/* What struct __cilkprof_r_frame is to the runtime.  */
struct __attribute__((may_alias)) frame {
  unsigned long deferred;
  struct task *first, *last;         /* in serial order */
  struct __cilkprof_r_views *before; /* of the strand that ended with the first of them */
  unsigned long listed, collect_at;  /* how many they are, and when to see which are done */
  void *unused[2];
};
_Static_assert(sizeof(struct frame) == sizeof(struct __cilkprof_r_frame), "the frame is the compiler's");

enum { SMALL_CLOSURE = 128 };

/* A child continues the strand that spawned it, and what follows the spawn begins a new one.  */
struct task {
  void (*function)(void *);
  void *closure;
  struct frame *frame;
  struct worker *owner; /* who spawned it */
  struct task *next;    /* that the frame spawned after it, or in a list of free ones */
  struct __cilkprof_r_views *views, after;
  struct kept thrown;
  struct __cilkprof_r_pedigree birth, outer; /* of the spawn; of the thread while it runs the child */
  struct worker *_Atomic thief;
  struct sampled_task sampled;
  atomic_bool done;
  _Alignas(__CILKPROF_R_ALIGN) char small[SMALL_CLOSURE]; /* the closure, if it fits */
};

/* For those who watch a run: what a worker does.  */
enum state { NOBODY, WORKING, MANAGING, WAITING };

/* Never freed, so that thieves may look at any; used again by other threads.  */
struct worker {
  struct deque deque;
  _Alignas(CACHE_LINES) _Atomic unsigned asleep; /* sleep.c */
  struct task *_Atomic awaited;                  /* who ends it wakes this one */
  _Atomic unsigned state;
  _Alignas(CACHE_LINES) _Atomic unsigned char *want; /* the thread's __cilkprof_r_want */
  struct task *free;
  struct fibers *fibers; /* tsan_fibers.c */
  uint64_t random;
  uintptr_t stack_from, stack_used_from, stack_to; /* join.c: while a join that waits is between them it helps */
  struct sampled_task *_Atomic running;            /* the innermost; sampling.c */
  uint64_t locked_ns;                              /* since when it waits for a lock; 0: it does not */
  int number;
  int depth;   /* of tasks, one within another */
  bool helper; /* one that was started by the runtime */
};

enum { MOST_WORKERS = 1024, SLOTS = 2 * MOST_WORKERS, LOOKS = 256 /* for work, before a worker sleeps */ };

/* Decided when the workers are started.  */
struct settings {
  int nworkers;
  bool all;    /* every child is deferred: for ThreadSanitizer, and for tests */
  bool forced; /* and thieves are let to it */
  uint64_t seed;
};
extern struct settings __cilkprof_r_settings;
void __cilkprof_r_read_settings(void);
bool __cilkprof_r_read_nworkers(const char *text, int *number);
int __cilkprof_r_processors(void);

/* state.c */
extern THREAD struct worker *__cilkprof_r_self;
extern THREAD struct kept __cilkprof_r_thrown;             /* the first exception of what this thread runs */
extern struct worker *_Atomic __cilkprof_r_workers[SLOTS]; /* NULL where a slot was never used */
extern _Atomic int __cilkprof_r_slots;                     /* slots from this one on were never used */
extern _Atomic int __cilkprof_r_working;                   /* how many workers are in state WORKING */
extern _Atomic int __cilkprof_r_hungry;                    /* how many sleep, or are about to, until there is work */
extern int __cilkprof_r_helpers;                           /* how many helpers there are; needs the lock */
enum stage { NOT_STARTED, STARTED, ALONE /* nobody would take a child, so none is deferred */ };
extern _Atomic enum stage __cilkprof_r_stage;
extern atomic_bool __cilkprof_r_stopping;

/* sleep.c */
bool __cilkprof_r_rest(struct worker *w, struct task *awaited, bool steals);
void __cilkprof_r_wake_one(void);
void __cilkprof_r_wake_waiting(struct worker *w, const struct task *done);
void __cilkprof_r_wake_all(void);
void __cilkprof_r_pause(unsigned times);

/* tsan_fibers.c */
void __cilkprof_r_tsan_thread(void);
void __cilkprof_r_tsan_call(struct task *t);

/* worker.c */
void __cilkprof_r_lock(void);
void __cilkprof_r_unlock(void);
void __cilkprof_r_wait_for_helpers(void);
struct worker *__cilkprof_r_take_slot(int from);
void __cilkprof_r_become(struct worker *w);
struct worker *__cilkprof_r_enter(void);
void __cilkprof_r_set_state(struct worker *w, enum state state);

/* sampling.c */
void __cilkprof_r_sample_if_wanted(void);

/* steal.c */
struct task *__cilkprof_r_steal(struct worker *w);
struct task *__cilkprof_r_steal_from(struct worker *w, struct worker *victim);
void __cilkprof_r_run_stolen(struct worker *w, struct task *t);

/* threads.c */
struct worker *__cilkprof_r_start(void);
void __cilkprof_r_stop(void);

/* task.c */
struct task *__cilkprof_r_new_task(size_t size, size_t align);
void __cilkprof_r_release_task(struct worker *w, struct task *t);
struct kept __cilkprof_r_call(void (*function)(void *), void *closure);
struct kept __cilkprof_r_call_child(void (*function)(void *), void *closure);

/* join.c */
struct kept __cilkprof_r_join_frame(struct frame *frame);
void __cilkprof_r_collect(struct worker *w, struct frame *frame);

/* spawn.c */
void __cilkprof_r_defer(struct frame *frame, struct task *t);

/* views.c */
void __cilkprof_r_merge(struct __cilkprof_r_views *left, struct __cilkprof_r_views *right);
void *__cilkprof_r_find_view(const void *reducer);
void *__cilkprof_r_add_view(void *reducer, void *leftmost, void *view, const struct __cilkprof_r_monoid *monoid);

/* Says that there is no memory, and ends the program.  */
_Noreturn void __cilkprof_r_no_memory(void);

/* Marsaglia's xorshift.  */
static inline uint64_t next_random(struct worker *w) {
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return w->random;
}

static inline void swap_kept(struct kept *a, struct kept *b) {
  struct kept c = *a;
  *a = *b;
  *b = c;
}

static inline void rethrow_if(struct kept kept) {
  if (kept.functions)
    kept.functions->rethrow(kept.exception);
}

static inline void forget_if(struct kept kept) {
  if (kept.functions)
    kept.functions->forget(kept.exception);
}

static inline void set_want(struct worker *w, unsigned char want) {
  atomic_store(w->want, want);
}

/* Samples of this thread are T's from here on.  CREATOR: the frame that made it, if that is on this stack.  What T calls
   may have no frame of its own, and this function's stack pointer: this function counts as T's.  */
static inline __attribute__((always_inline)) void task_begins(struct worker *w, struct task *t, struct frame *creator) {
  t->sampled.outer = atomic_load_explicit(&w->running, memory_order_relaxed);
  t->sampled.boundary = (uintptr_t)__builtin_frame_address(0) + 1;
  t->sampled.creator = (uintptr_t)creator;
  t->sampled.serial = 0;
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&w->running, &t->sampled, memory_order_relaxed);
}

static inline void task_ends(struct worker *w, struct task *t) {
  atomic_store_explicit(&w->running, t->sampled.outer, memory_order_relaxed);
}

/* What was sampled in T, which another thread ran, is now known to be this frame's.  */
static inline void task_is_over(struct task *t, struct frame *frame) {
  if (__builtin_expect(atomic_load_explicit(&t->sampled.origin_path, memory_order_relaxed) != 0, 0))
    __cilkprof_s_over(&t->sampled, (uintptr_t)frame);
}

/* Runs T, which nobody else has, in this thread.  What it keeps is swapped with the thread's: the
   stack is left alone, where children of children are run.  The views are set again by the join.  */
static inline __attribute__((always_inline)) void run_task(struct task *t) {
  swap_kept(&t->thrown, &__cilkprof_r_thrown);
  t->outer = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){0, &t->birth};
  __cilkprof_r_views = t->views;
  if (__builtin_expect(tsan_watches(), 0))
    __cilkprof_r_tsan_call(t);
  else
    t->function(t->closure);
  __cilkprof_r_pedigree = t->outer;
  swap_kept(&t->thrown, &__cilkprof_r_thrown);
}

#endif
