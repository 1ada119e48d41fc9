/* Helpers: threads that the runtime starts with the first deferred child, and stops only when the program asks for
   it.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include "libcilkprof/runtime/runtime.h"

/* Runs a helper thread as the worker WORKER: steals tasks and runs them, and sleeps while there are none, until the
   runtime stops.  Returns NULL.  */
static void *run_helper_thread(void *worker) {
  struct worker *w = worker;
  __cilkprof_r_become(w);
  begin_sampling_worker(w);
  for (struct search search = {0, 0}; !atomic_load_explicit(&__cilkprof_r_stopping, memory_order_relaxed);) {
    struct task *t = __cilkprof_r_steal(w);
    if (t) {
      __cilkprof_r_run_stolen(w, t);
      search.looks = 0;
    } else
      __cilkprof_r_wait(w, &search, NULL, true);
  }
  return NULL;
}

/* Blocks signals before helpers are started, which inherit the mask; the former one goes to *BEFORE.  The program's
   threads handle all signals except synchronous ones and those of profilers.  */
static void block_helper_signals(sigset_t *before) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGVTALRM, SIGSTKFLT};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(&blocked, own[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, before);
}

/* Returns the stack size that helpers should have, in bytes: 64 MiB, or the limit of the first thread's stack if that
   is larger; 1 GiB if it has no limit.  */
static size_t helper_stack_size(void) {
  struct rlimit limit;
  size_t stack = (size_t)64 << 20;
  if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur > stack)
    stack = limit.rlim_cur == RLIM_INFINITY ? (size_t)1 << 30 : limit.rlim_cur;
  return stack;
}

/* Starts a thread for the helper W, with a stack of *STACK bytes.  Returns false if that fails.  Tries smaller stacks
   if there is not enough memory; *STACK stays smaller for the helpers that follow.  */
static bool start_helper_thread(struct worker *w, size_t *stack) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes))
    return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = false;
  for (; *stack >= 256 << 10; *stack /= 2) {
    pthread_attr_setstacksize(&attributes, *stack);
    started = !pthread_create(&thread, &attributes, run_helper_thread, w);
    if (started)
      break;
  }
  pthread_attr_destroy(&attributes);
  return started;
}

/* Starts as many of the missing helpers as possible, so that there are as many workers as configured.  Needs the
   lock.  */
static void start_helper_threads(void) {
  size_t stack = helper_stack_size();
  sigset_t before;
  block_helper_signals(&before);
  while (__cilkprof_r_helpers < __cilkprof_r_settings.nworkers - 1) {
    struct worker *w = __cilkprof_r_take_slot(1);
    if (!w)
      break;
    if (!start_helper_thread(w, &stack)) {
      set_worker_state(w, NOBODY);
      break;
    }
    w->helper = true;
    __cilkprof_r_helpers++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Starts the helpers, if they are not running, and returns this thread's worker; NULL if nothing should be deferred,
   because nobody would take it.  */
struct worker *__cilkprof_r_start(void) {
  int saved = errno;
  struct worker *w = __cilkprof_r_enter();
  __cilkprof_r_lock();
  if (atomic_load(&__cilkprof_r_stage) == NOT_STARTED) {
    __cilkprof_r_sample_if_wanted();
    start_helper_threads();
    bool alone = !__cilkprof_r_helpers && !__cilkprof_r_settings.all;
    atomic_store(&__cilkprof_r_stage, alone ? ALONE : STARTED);
    atomic_store(&__cilkprof_r_usual, !alone && !__cilkprof_r_watched);
  }
  __cilkprof_r_unlock();
  errno = saved;
  if (w && atomic_load(&__cilkprof_r_stage) == STARTED)
    return w;
  __cilkprof_r_want = 0;
  return NULL;
}

/* Stops the helpers once they finish their tasks.  The next deferred child starts them again.  Within a child or
   a loop this does nothing: a helper may be waiting for this thread.  */
void __cilkprof_r_stop(void) {
  if (__cilkprof_r_self && (is_within_task() || __cilkprof_r_self->helper))
    return;
  __cilkprof_r_lock();
  __cilkprof_r_stop_helpers();
  __cilkprof_r_unlock();
  __cilkprof_r_want = 1;
}
