/* What the recorder of samples is told of the runtime.
   SPDX-License-Identifier: MIT  */

#include <unistd.h>

#include "libcilkprof/parallel/runtime.h"

static int processors;

static int workers(void) {
  return __cilkprof_r_settings.nworkers;
}

static int available(void) {
  return processors;
}

static int working(void) {
  return atomic_load_explicit(&__cilkprof_r_working, memory_order_relaxed);
}

static bool has_work(void) {
  return __cilkprof_r_self && atomic_load_explicit(&__cilkprof_r_self->state, memory_order_relaxed) == WORKING;
}

static struct samples_task *running(void) {
  return atomic_load_explicit(&__cilkprof_r_self->running, memory_order_relaxed);
}

static const struct samples_agent agent = {CILKPROF_SAMPLED_CILK, workers, available, working, has_work, running};

/* There if the program is profiled.  */
extern char __cilkprof_engine __attribute__((weak));

/* Once in a process; the lock is held, or there is no other thread.  */
void __cilkprof_r_sample_if_wanted(void) {
  static int asked;
  if (asked == getpid())
    return;
  asked = getpid();
  unsigned hz = &__cilkprof_engine ? 0 : __cilkprof_s_wanted();
  if (!hz)
    return;
  int allowed = __cilkprof_r_processors();
  processors = allowed < workers() ? allowed : workers();
  __cilkprof_s_start(&agent, hz);
}

/* From the program's start on, and not from where it first spawns.  */
static __attribute__((constructor)) void start(void) {
  if (!&__cilkprof_engine && __cilkprof_s_wanted() && __cilkprof_r_enter()) {
    __cilkprof_r_lock();
    __cilkprof_r_sample_if_wanted();
    __cilkprof_r_unlock();
  }
}

/* The earliest priority runs last.  */
static __attribute__((destructor(101))) void finish(void) {
  __cilkprof_s_finish();
}
