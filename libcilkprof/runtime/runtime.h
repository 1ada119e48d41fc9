/* What the files of the runtime share.
   SPDX-License-Identifier: MIT

   A worker is a thread that spawns, or that the runtime started to help.  A task is a child that was deferred: it
   waits in the deque of the worker that spawned it, and is run by that worker at the join or by a thief.  A function
   never changes its thread; the tasks of a frame are created, managed and released by the thread that runs the
   function.  */

#ifndef CILKPROF_PARALLEL_RUNTIME_H
#define CILKPROF_PARALLEL_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcilkprof/common/ticks.h"
#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/runtime/deque.h"
#include "libcilkprof/runtime/exceptions.h"
#include "libcilkprof/runtime/tsan.h"
#include "libcilkprof/sampler/sampler.h"

#define EXPORTED __attribute__((visibility("default")))
#define THREAD   __thread __attribute__((tls_model("initial-exec")))

/* Without this, compilers do not know that what is declared here is part of the same library.  */
#pragma GCC visibility push(hidden)

/* The views that one strand of the serial order uses.  TABLE is NULL while there are none.  */
struct __cilkprof_r_views {
  struct view_table *table;
};

/* The runtime's definition of struct __cilkprof_r_frame.  */
struct __attribute__((may_alias)) frame {
  unsigned long deferred;            /* the number of its tasks */
  struct task *first, *last;         /* the list of them, in serial order */
  struct __cilkprof_r_views *before; /* views of the strand before the first task */
  void *unused[4];
};
_Static_assert(sizeof(struct frame) == sizeof(struct __cilkprof_r_frame), "the frame is the compiler's");

enum {
  SMALL_CLOSURE = 128,
  LEAST_PATIENCE_US = 20 /* nobody gives up what he waits for before: a join to run any task, a worker to sleep */
};

/* A deferred child.  It continues the strand that spawned it, and a new strand begins after the spawn.  A task that is
   kept for reuse has no views, no exception and is not done, so that a spawn need not clear these.  */
struct task {
  void (*function)(void *);
  void *closure;
  struct __cilkprof_r_site *site; /* its cilk_spawn; NULL for a part of a loop */
  struct frame *frame;
  struct worker *owner; /* the worker that spawned it */
  struct task *next;    /* the next task of the frame, or of the free list */
  struct __cilkprof_r_views *views, after;
  struct kept thrown;
  struct __cilkprof_r_pedigree birth,
      outer;                    /* pedigree of the spawn; the thread's own, saved while it runs the child */
  struct worker *_Atomic thief; /* whoever took it, or the task that was here before: a hint */
  struct sampled_task sampled;
  uint64_t began; /* in ticks, if it is measured */
  atomic_bool done;
  _Alignas(__CILKPROF_R_ALIGN) char small[SMALL_CLOSURE]; /* the closure, if it is small enough */
};

/* A loop that is divided, and the one around it.  */
struct open_loop {
  struct __cilkprof_r_site *site;
  struct open_loop *outer;
};

/* The block that a thread spawns: the frame to which it belongs, and what it threw if it was run at once.  */
struct spawned_block {
  struct frame *frame;
  struct kept thrown;
};

/* What a worker does, for the sampler.  */
enum state { NOBODY, WORKING, MANAGING, WAITING };

/* Workers are never freed, because thieves may look at any of them; threads that come later reuse them.  */
struct worker {
  struct deque deque;
  _Alignas(CACHE_LINES) _Atomic unsigned asleep; /* sleep.c */
  struct task *_Atomic awaited; /* the task that it waits for; whoever completes it wakes this worker */
  _Atomic unsigned state;
  _Alignas(CACHE_LINES) _Atomic unsigned char *want; /* the thread's __cilkprof_r_want */
  unsigned long *undivided;                          /* that of its __cilkprof_r_range */
  struct task *free;
  struct fibers *fibers; /* tsan_fibers.c */
  uint64_t random;
  uint64_t patience; /* sleep.c: for so many ticks it looks for work before it sleeps */
  uintptr_t stack_from, stack_used_from,
      stack_to;                         /* join.c: a waiting join helps while the stack pointer is between them */
  struct sampled_task *_Atomic running; /* the innermost task, for the sampler */
  uint64_t locked_ns;                   /* when it began to wait for a lock, or 0 */
  _Atomic uint64_t fetches_since;       /* when it last began to fetch a task, in ticks, if the run is sampled */
  unsigned nested;                      /* join.c: waiting joins that run other tasks, one in another */
  unsigned unmeasured;                  /* so many of its own children are run before one is measured again */
  uint64_t paid_until;                  /* spawn.c: by when the children that it deferred beyond one have paid off */
  uint32_t sampled_number;              /* the thread's number for the sampler */
  int number;
  bool helper; /* started by the runtime */
};

enum { MAX_WORKERS = 1024, SLOTS = 2 * MAX_WORKERS };

/* A search for work that had no success yet.  */
struct search {
  unsigned looks;
  uint64_t since; /* in ticks, if LOOKS is not 0 */
};

/* Read before the first worker starts.  */
struct settings {
  int nworkers;
  bool all;    /* defer every child: for ThreadSanitizer, and for tests */
  bool forced; /* and let thieves take it */
  bool tsan;   /* the program is linked with ThreadSanitizer, which must be notified of spawns and joins */
  uint64_t seed;
  uint64_t ticks_per_us;
};
extern struct settings __cilkprof_r_settings;
void __cilkprof_r_read_settings(void);
bool __cilkprof_r_read_nworkers(const char *text, int *number);
int __cilkprof_r_processors(void);

/* state.c */
extern THREAD struct worker *__cilkprof_r_self;
extern THREAD struct open_loop *__cilkprof_r_loops; /* the innermost one that this thread runs a part of */
extern THREAD struct spawned_block __cilkprof_r_spawned_block;
extern bool __cilkprof_r_watched;                          /* tasks are sampled, under ThreadSanitizer, or forced */
extern atomic_bool __cilkprof_r_usual;                     /* helpers have started, and nothing is watched */
extern struct worker *_Atomic __cilkprof_r_workers[SLOTS]; /* NULL where a slot was never used */
extern _Atomic int __cilkprof_r_slots;                     /* slots from this one on were never used */
extern _Atomic int __cilkprof_r_hungry;                    /* how many sleep, or are about to, until there is work */
extern _Atomic int __cilkprof_r_locked;                    /* how many wait for a lock of the program, if sampled */
extern int __cilkprof_r_helpers;                           /* how many helpers there are; needs the lock */
enum stage { NOT_STARTED, STARTED, ALONE /* nobody would take a child, so none is deferred */ };
extern _Atomic enum stage __cilkprof_r_stage;
extern atomic_bool __cilkprof_r_stopping;

/* handler.c */
extern THREAD uintptr_t __cilkprof_r_handler; /* where on its stack the innermost signal handler of the program began */
bool __cilkprof_r_still_in_handler(void);

/* sleep.c */
bool __cilkprof_r_wait(struct worker *w, struct search *search, struct task *awaited, bool steals);
void __cilkprof_r_wake_hungry(bool all);
void __cilkprof_r_wake_waiting(struct worker *w, const struct task *done);

/* tsan_fibers.c */
void __cilkprof_r_tsan_thread(void);
void __cilkprof_r_tsan_call(struct task *t);

/* worker.c */
void __cilkprof_r_lock(void);
void __cilkprof_r_unlock(void);
void __cilkprof_r_stop_helpers(void);
struct worker *__cilkprof_r_take_slot(int from);
void __cilkprof_r_become(struct worker *w);
struct worker *__cilkprof_r_enter(void);

/* sampling.c */
void __cilkprof_r_sample_if_wanted(void);

/* steal.c */
struct task *__cilkprof_r_steal(struct worker *w);
struct task *__cilkprof_r_steal_from(struct worker *w, struct worker *victim);
void __cilkprof_r_run_stolen(struct worker *w, struct task *t);

/* threads.c */
struct worker *__cilkprof_r_start(void);
void __cilkprof_r_stop(void);

/* site.c */
bool __cilkprof_r_is_undivided(struct __cilkprof_r_site *s, unsigned long count);
void __cilkprof_r_call_measured(struct __cilkprof_r_site *s, unsigned long count, void (*function)(void *), void *data);
void __cilkprof_r_learn(struct __cilkprof_r_site *s, unsigned long count, uint64_t ticks, bool plainly);
void __cilkprof_r_open_loop(struct open_loop *loop, struct __cilkprof_r_site *site);

/* task.c */
struct task *__cilkprof_r_make_task(size_t size, size_t align);
void __cilkprof_r_free_task(struct task *t);
struct kept __cilkprof_r_call_child(void (*function)(void *), void *closure, struct __cilkprof_r_site *site);
void __cilkprof_r_call_measured_child(struct worker *w, struct task *t);

/* join.c */
struct kept __cilkprof_r_join_frame(struct frame *frame);
void __cilkprof_r_collect(struct worker *w, struct frame *frame);

/* spawn.c */
void __cilkprof_r_defer(struct frame *frame, struct task *t, const void *site);

/* views.c */
void __cilkprof_r_merge(struct __cilkprof_r_views *left, struct __cilkprof_r_views *right);
void *__cilkprof_r_find_view(const void *reducer);
void __cilkprof_r_call_for_views(void (*function)(void *), void *data);
void *__cilkprof_r_add_view(void *reducer, void *leftmost, void *view, const struct __cilkprof_r_monoid *monoid);

/* Prints that there is no memory and aborts.  */
_Noreturn void __cilkprof_r_no_memory(void);

/* Returns the next random number of the worker W, to choose a victim or a fiber, by Marsaglia's xorshift.  */
static inline uint64_t next_worker_random(struct worker *w) {
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return w->random;
}

/* Returns the exception that this thread has kept, and keeps it no longer.  There is one only from the end of a child,
   a loop body or a block that threw it to where the runtime takes it: whatever the program runs finds none.  */
static inline struct kept take_kept_exception(void) {
  struct kept kept = {__cilkprof_r_range.thrown, __cilkprof_r_range.exception};
  __cilkprof_r_range.thrown = NULL;
  return kept;
}

/* Throws the exception KEPT again; returns if there is none.  */
static inline void rethrow_kept_exception(struct kept kept) {
  if (kept.functions)
    kept.functions->rethrow(kept.exception);
}

/* Drops the exception KEPT, if there is one, which is not to be thrown.  */
static inline void forget_kept_exception(struct kept kept) {
  if (kept.functions)
    kept.functions->forget(kept.exception);
}

/* Sets the flag of W's thread that tells it to defer its next spawned child, or not to if WANT is 0.  Thieves set it,
   too.  */
static inline void set_worker_want(struct worker *w, unsigned char want) {
  atomic_store(w->want, want);
}

/* Sets what the worker W does.  */
static inline void set_worker_state(struct worker *w, enum state state) {
  atomic_store_explicit(&w->state, state, memory_order_relaxed);
}

/* Returns true if this thread runs a signal handler of the program.  */
static inline bool is_worker_in_handler(void) {
  return __builtin_expect(__cilkprof_r_handler != 0, 0) && __cilkprof_r_still_in_handler();
}

/* Returns true if this thread is within a child or a loop, as far as the runtime knows.  These have a pedigree of two
   terms at least.  */
static inline bool is_within_task(void) {
  return __cilkprof_r_pedigree.parent != NULL;
}

/* Returns true if the deferred child T has ended; then what it did is visible to this thread.  */
static inline bool is_deferred_task_done(struct task *t) {
  return atomic_load_explicit(&t->done, memory_order_acquire);
}

/* Returns how many iterations of SITE are too few to be handed to another worker; a child counts as one.  */
static inline unsigned long short_parallel_runs(struct __cilkprof_r_site *site) {
  return __atomic_load_n(&site->plain, __ATOMIC_RELAXED);
}

/* Calls FUNCTION(DATA), COUNT iterations of SITE that are not divided, in this thread, and sometimes measures them.  */
static inline void call_undivided_by_worker(struct __cilkprof_r_site *site, unsigned long count,
                                            void (*function)(void *), void *data) {
  if (!__cilkprof_r_range.plain_runs) {
    __cilkprof_r_call_measured(site, count, function, data);
    return;
  }
  __cilkprof_r_range.plain_runs--;
  function(data);
}

/* Returns a task with a closure of SIZE bytes, aligned to ALIGN: one that was used before, if possible.  NULL means
   that the child must be called directly: no other worker could run it, or there is no memory.  */
static inline __attribute__((always_inline)) struct task *new_deferred_task(size_t size, size_t align) {
  struct worker *w = __cilkprof_r_self;
  struct task *t = w && size <= SMALL_CLOSURE && align <= _Alignof(struct task) ? w->free : NULL;
  if (!t || atomic_load_explicit(&__cilkprof_r_stage, memory_order_relaxed) != STARTED)
    return __cilkprof_r_make_task(size, align);
  w->free = t->next;
  return t;
}

/* Keeps T, which has no views, no exception and is not done, for the next child that its owner W defers.  */
static inline void keep_task(struct worker *w, struct task *t) {
  t->next = w->free;
  w->free = t;
}

/* Keeps T, which is done, for the next child that its owner W defers.  Under ThreadSanitizer tasks are not reused,
   because it considers accesses to reused memory as ordered.  WATCHED is __cilkprof_r_watched.  */
static inline __attribute__((always_inline)) void release_deferred_task(struct worker *w, struct task *t,
                                                                        bool watched) {
  if (__builtin_expect(t->closure != t->small || (watched && __cilkprof_r_settings.tsan), 0)) {
    __cilkprof_r_free_task(t);
    return;
  }
  t->thrown.functions = NULL;
  atomic_store_explicit(&t->done, false, memory_order_relaxed);
  keep_task(w, t);
}

/* Begins to sample the thread of W, the calling one, if the run is sampled.  */
static inline void begin_sampling_worker(struct worker *w) {
  __cilkprof_s_thread_begin();
  w->sampled_number = __cilkprof_s_thread_number();
}

/* Notes that the worker W runs T from here on, to which samples of this thread then belong.  CREATOR is the frame that
   spawned it, if it is on this stack.  A callee without a frame has the stack pointer of this function, so the boundary
   is above this frame.  */
static inline __attribute__((always_inline)) void begin_running_deferred_task(struct worker *w, struct task *t,
                                                                              struct frame *creator) {
  t->sampled.outer = atomic_load_explicit(&w->running, memory_order_relaxed);
  t->sampled.boundary = (uintptr_t)__builtin_frame_address(0) + 1;
  t->sampled.creator = (uintptr_t)creator;
  t->sampled.serial = 0;
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&w->running, &t->sampled, memory_order_relaxed);
}

/* Notes that the worker W no longer runs T: samples of this thread belong to the task that it ran before.  */
static inline void end_running_deferred_task(struct worker *w, struct task *t) {
  atomic_store_explicit(&w->running, t->sampled.outer, memory_order_relaxed);
}

/* Gives the samples of T, if another thread took any while it ran T, the call path of FRAME, which spawned it.  Called
   at the join.  */
static inline void settle_deferred_task_samples(struct task *t, struct frame *frame) {
  if (atomic_load_explicit(&t->sampled.origin_path, memory_order_relaxed) != 0)
    __cilkprof_s_over(&t->sampled, (uintptr_t)frame);
}

/* Wakes one of the workers that sleep until there is work, if any.  Called after work was added.  The fence makes the
   added work visible before the check who sleeps: otherwise a worker could miss it and sleep on.  */
static inline void wake_one_worker(void) {
  atomic_thread_fence(memory_order_seq_cst);
  if (__builtin_expect(atomic_load_explicit(&__cilkprof_r_hungry, memory_order_relaxed) > 0, 0))
    __cilkprof_r_wake_hungry(false);
}

/* Calls the child T in this thread, that of W, and measures one in four.  Parts of loops are measured in loops.  */
static inline __attribute__((always_inline)) void call_deferred_child(struct worker *w, struct task *t) {
  if (__builtin_expect(!w->unmeasured--, 0))
    __cilkprof_r_call_measured_child(w, t);
  else
    t->function(t->closure);
}

/* Changes from the strand of this thread to that of T.  What must be kept meanwhile is in T, not on the stack, because
   tasks nest deeply.  */
static inline void enter_task_strand(struct task *t) {
  t->outer = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){0, &t->birth};
  __cilkprof_r_views = t->views;
}

/* Runs T in this thread, that of W.  The join sets the views again.  WATCHED is __cilkprof_r_watched.  */
static inline __attribute__((always_inline)) void run_deferred_task(struct worker *w, struct task *t, bool watched) {
  enter_task_strand(t);
  if (watched && __cilkprof_r_settings.tsan)
    __cilkprof_r_tsan_call(t);
  else
    call_deferred_child(w, t);
  __cilkprof_r_pedigree = t->outer;
  if (__builtin_expect(__cilkprof_r_range.thrown != NULL, 0))
    t->thrown = take_kept_exception();
}

#pragma GCC visibility pop

#endif
