/* Workers: the program's threads that spawn, and the helpers that the runtime starts.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

/* Held while workers come and go.  A slot is in use if its state is not NOBODY.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_end;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static int own_threads; /* how many of the program's own threads are workers */

/* Takes the first free slot for a worker from number FROM on, and returns its worker; NULL if there is none, or no
   memory.  Needs the lock.  */
struct worker *__cilkprof_r_take_slot(int from) {
  for (int i = from; i < SLOTS; i++) {
    struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_relaxed);
    if (w && atomic_load_explicit(&w->state, memory_order_relaxed) != NOBODY)
      continue;
    if (!w) {
      if (!(w = aligned_alloc(_Alignof(struct worker), sizeof *w)))
        return NULL;
      memset(w, 0, sizeof *w);
      w->number = i;
      w->random = (__cilkprof_r_settings.seed + (uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
      atomic_store_explicit(&__cilkprof_r_workers[i], w, memory_order_release);
      if (i >= atomic_load_explicit(&__cilkprof_r_slots, memory_order_relaxed))
        atomic_store_explicit(&__cilkprof_r_slots, i + 1, memory_order_release);
    }
    set_worker_state(w, MANAGING);
    return w;
  }
  return NULL;
}

/* Stops the helpers, if they have started, once they finish their tasks, and waits until they have ended.  The next
   deferred child starts them again.  Needs the lock.  */
void __cilkprof_r_stop_helpers(void) {
  if (atomic_load(&__cilkprof_r_stage) == NOT_STARTED)
    return;
  atomic_store(&__cilkprof_r_stopping, true);
  atomic_thread_fence(memory_order_seq_cst); /* as in wake_one_worker */
  __cilkprof_r_wake_hungry(true);
  while (__cilkprof_r_helpers && atomic_load(&__cilkprof_r_stopping))
    pthread_cond_wait(&left, &lock);
  if (!atomic_exchange(&__cilkprof_r_stopping, false))
    return; /* another thread has stopped them, too, and they may have started again */
  atomic_store(&__cilkprof_r_usual, false);
  atomic_store(&__cilkprof_r_stage, NOT_STARTED);
}

/* Gives up the slot of WORKER when its thread ends, and frees the tasks that it kept for reuse.  Where that is the last
   of the program's threads that spawned, the helpers end, too: a process whose first thread ends by pthread_exit would
   live as long as they do.  */
static void release_worker(void *worker) {
  struct worker *w = worker;
  for (struct task *t = w->free, *next; t; t = next) {
    next = t->next;
    free(t);
  }
  w->free = NULL;
  __cilkprof_s_thread_end();
  __cilkprof_r_self = NULL;
  pthread_mutex_lock(&lock);
  set_worker_state(w, NOBODY);
  if (w->helper) {
    w->helper = false;
    __cilkprof_r_helpers--;
    pthread_cond_broadcast(&left);
  } else if (!--own_threads)
    __cilkprof_r_stop_helpers();
  pthread_mutex_unlock(&lock);
}

/* Determines where on the stack of W, which is this thread's, a waiting join may run other tasks: any task in the first
   quarter, none in the last one.  */
static void find_worker_stack(struct worker *w) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  w->stack_from = w->stack_used_from = w->stack_to = 0;
  if (pthread_getattr_np(pthread_self(), &attributes))
    return;
  if (!pthread_attr_getstack(&attributes, &low, &size)) {
    w->stack_from = (uintptr_t)low + size / 4;
    w->stack_to = (uintptr_t)low + size;
    w->stack_used_from = w->stack_to - size / 4;
  }
  pthread_attr_destroy(&attributes);
}

/* Makes W the worker of this thread until it ends.  */
void __cilkprof_r_become(struct worker *w) {
  w->want = (_Atomic unsigned char *)&__cilkprof_r_want;
  w->undivided = &__cilkprof_r_range.undivided;
  atomic_store_explicit(&w->running, NULL, memory_order_relaxed);
  find_worker_stack(w);
  __cilkprof_r_self = w;
  pthread_setspecific(at_end, w);
  __cilkprof_r_tsan_thread();
}

/* Acquires the runtime's lock before a fork, so that the child process finds the workers in a consistent state.  */
static void lock_workers_before_fork(void) {
  pthread_mutex_lock(&lock);
}

/* Releases the runtime's lock in the parent process after a fork.  */
static void unlock_workers_after_fork(void) {
  pthread_mutex_unlock(&lock);
}

/* Resets the runtime in a forked child process, where only this thread exists, so that it can start helpers of its own.
   The children in the deques of other workers belong to the parent.  */
static void reset_workers_in_child(void) {
  for (int i = 0; i < atomic_load(&__cilkprof_r_slots); i++) {
    struct worker *w = atomic_load(&__cilkprof_r_workers[i]);
    if (!w || w == __cilkprof_r_self)
      continue;
    atomic_store(&w->state, NOBODY);
    w->helper = false;
    atomic_store(&w->asleep, 0);
    w->locked_ns = 0;
    atomic_store(&w->deque.top, 0);
    atomic_store(&w->deque.bottom, 0);
  }
  atomic_store(&__cilkprof_r_hungry, 0);
  atomic_store(&__cilkprof_r_locked, __cilkprof_r_self && __cilkprof_r_self->locked_ns);
  atomic_store(&__cilkprof_r_usual, false);
  atomic_store(&__cilkprof_r_stage, NOT_STARTED);
  atomic_store(&__cilkprof_r_stopping, false);
  __cilkprof_r_helpers = 0;
  own_threads = __cilkprof_r_self != NULL;
  __cilkprof_s_forked();
  pthread_mutex_unlock(&lock);
}

/* Reads the settings and registers what to do when a thread ends and when the process forks.  Called once, before the
   first worker.  */
static void prepare_workers(void) {
  __cilkprof_r_read_settings();
  pthread_key_create(&at_end, release_worker);
  pthread_atfork(lock_workers_before_fork, unlock_workers_after_fork, reset_workers_in_child);
}

/* Acquires the runtime's lock, which is held while workers come and go.  */
void __cilkprof_r_lock(void) {
  pthread_once(&once, prepare_workers);
  pthread_mutex_lock(&lock);
}

/* Releases the runtime's lock.  */
void __cilkprof_r_unlock(void) {
  pthread_mutex_unlock(&lock);
}

/* Returns the worker of this thread, and makes the thread a worker if it is none.  The program's first thread is worker
   0, helpers follow, then the other threads.  NULL if there are too many, or in a signal handler.  */
struct worker *__cilkprof_r_enter(void) {
  if (__cilkprof_r_self || is_worker_in_handler())
    return __cilkprof_r_self;
  int saved = errno;
  __cilkprof_r_lock();
  struct worker *first = atomic_load_explicit(&__cilkprof_r_workers[0], memory_order_relaxed);
  bool taken = first && atomic_load_explicit(&first->state, memory_order_relaxed) != NOBODY;
  struct worker *w = __cilkprof_r_take_slot(taken ? __cilkprof_r_settings.nworkers : 0);
  own_threads += w != NULL;
  __cilkprof_r_unlock();
  if (w) {
    __cilkprof_r_become(w);
    set_worker_state(w, WORKING);
    begin_sampling_worker(w);
  }
  errno = saved;
  return w;
}
