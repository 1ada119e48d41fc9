/* Helpers: threads that the runtime starts with the first deferred child, and stops only when the program asks for
   it.
   SPDX-License-Identifier: MIT  */

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include "libcilkprof/runtime/runtime.h"

static void *work(void *worker) {
  struct worker *w = worker;
  __cilkprof_r_become(w);
  __cilkprof_s_thread_begin();
  for (unsigned looks = 0; !atomic_load_explicit(&__cilkprof_r_stopping, memory_order_relaxed);) {
    struct task *t = __cilkprof_r_steal(w);
    if (t) {
      __cilkprof_r_run_stolen(w, t);
      looks = 0;
    } else if (looks++ < LOOKS)
      __cilkprof_r_pause(looks);
    else
      __cilkprof_r_rest(w, NULL, true);
  }
  return NULL;
}

/* Helpers block all signals, which the program's threads handle, except synchronous ones and those of profilers.  */
static void block_signals(sigset_t *before) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGVTALRM, SIGSTKFLT};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(&blocked, own[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static size_t wanted_stack(void) {
  struct rlimit limit;
  size_t stack = (size_t)64 << 20;
  if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur > stack)
    stack = limit.rlim_cur;
  return stack;
}

/* Tries smaller stacks if there is not enough memory; *STACK stays smaller for the helpers that follow.  */
static bool start_helper(struct worker *w, size_t *stack) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes))
    return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = false;
  for (; *stack >= 256 << 10; *stack /= 2) {
    pthread_attr_setstacksize(&attributes, *stack);
    started = !pthread_create(&thread, &attributes, work, w);
    if (started)
      break;
  }
  pthread_attr_destroy(&attributes);
  return started;
}

/* Starts as many of the missing helpers as possible.  */
static void start_helpers(void) {
  size_t stack = wanted_stack();
  sigset_t before;
  block_signals(&before);
  while (__cilkprof_r_helpers < __cilkprof_r_settings.nworkers - 1) {
    struct worker *w = __cilkprof_r_take_slot(1);
    if (!w)
      break;
    if (!start_helper(w, &stack)) {
      __cilkprof_r_set_state(w, NOBODY);
      break;
    }
    w->helper = true;
    __cilkprof_r_helpers++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Returns this thread's worker after starting the helpers; NULL if nothing should be deferred.  */
struct worker *__cilkprof_r_start(void) {
  struct worker *w = __cilkprof_r_enter();
  __cilkprof_r_lock();
  if (atomic_load(&__cilkprof_r_stage) == NOT_STARTED) {
    __cilkprof_r_sample_if_wanted();
    start_helpers();
    bool alone = !__cilkprof_r_helpers && !__cilkprof_r_settings.all;
    atomic_store(&__cilkprof_r_stage, alone ? ALONE : STARTED);
  }
  __cilkprof_r_unlock();
  if (w && atomic_load(&__cilkprof_r_stage) == STARTED)
    return w;
  __cilkprof_r_want = 0;
  return NULL;
}

/* Stops the helpers once they finish their tasks.  The next deferred child starts them again.  Within a task this
   does nothing: a helper may be waiting for this thread.  */
void __cilkprof_r_stop(void) {
  if (__cilkprof_r_self && (__cilkprof_r_self->depth || __cilkprof_r_self->helper))
    return;
  __cilkprof_r_lock();
  if (atomic_load(&__cilkprof_r_stage) != NOT_STARTED) {
    atomic_store(&__cilkprof_r_stopping, true);
    __cilkprof_r_wake_all();
    __cilkprof_r_wait_for_helpers();
    atomic_store(&__cilkprof_r_stopping, false);
    atomic_store(&__cilkprof_r_stage, NOT_STARTED);
  }
  __cilkprof_r_unlock();
  __cilkprof_r_want = 1;
}
