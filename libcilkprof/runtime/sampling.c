/* The agent by which the sampler asks for the state of the workers, and the start and end of sampling.
   SPDX-License-Identifier: MIT  */

#include <time.h>
#include <unistd.h>

#include "libcilkprof/runtime/runtime.h"

EXPORTED int __cilkprof_r_sampled;

static int processors;
static _Atomic int locked; /* how many workers wait for a lock */

static int workers(void) {
  return __cilkprof_r_settings.nworkers;
}

static int available(void) {
  return processors;
}

static int waiting(void) {
  return atomic_load_explicit(&locked, memory_order_relaxed);
}

static int working(void) {
  return atomic_load_explicit(&__cilkprof_r_working, memory_order_relaxed) - waiting();
}

static bool has_work(void) {
  struct worker *w = __cilkprof_r_self;
  return w && !w->locked_ns && atomic_load_explicit(&w->state, memory_order_relaxed) == WORKING;
}

static struct sampled_task *running(void) {
  return atomic_load_explicit(&__cilkprof_r_self->running, memory_order_relaxed);
}

static const struct sampler_agent agent = {
    CILKPROF_SAMPLED_CILK, workers, available, working, waiting, has_work, running};

/* Defined if the program is compiled for the profiler.  */
extern char __cilkprof_engine __attribute__((weak));

/* Starts sampling, once per process.  Needs the lock, unless there is only one thread.  */
void __cilkprof_r_sample_if_wanted(void) {
  static int asked;
  if (asked == getpid())
    return;
  asked = getpid();
  unsigned hz = &__cilkprof_engine ? 0 : __cilkprof_s_wanted();
  if (hz && tsan_watches()) {
    static const char line[] = "cilkprof: CILKPROF_SAMPLE: ThreadSanitizer delays signals; no samples are taken\n";
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written; /* there is no other place to report errors */
  }
  if (!hz || tsan_watches())
    return;
  int allowed = __cilkprof_r_processors();
  processors = allowed < workers() ? allowed : workers();
  __cilkprof_s_start(&agent, hz);
  __cilkprof_r_sampled = atomic_load(&__cilkprof_s_on);
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The worker stays in state WORKING: sampling must not affect scheduling.  */
EXPORTED void __cilkprof_r_lock_waits(const void *taken) {
  struct worker *w = __cilkprof_r_self;
  if (!w || atomic_load_explicit(&w->state, memory_order_relaxed) != WORKING)
    return;
  if (!taken) {
    w->locked_ns = now_ns();
    atomic_fetch_add_explicit(&locked, 1, memory_order_relaxed);
  } else if (w->locked_ns) {
    uint64_t since = w->locked_ns;
    atomic_fetch_sub_explicit(&locked, 1, memory_order_relaxed);
    w->locked_ns = 0;
    __cilkprof_s_waited(now_ns() - since, taken);
  }
}

EXPORTED void __cilkprof_r_sampling_ends(int surely) {
  if (surely)
    __cilkprof_s_finish();
  else
    __cilkprof_s_snapshot();
}

/* Sampling starts with the program, not with its first spawn.  */
static __attribute__((constructor)) void start(void) {
  if (!&__cilkprof_engine && __cilkprof_s_wanted() && __cilkprof_r_enter()) {
    __cilkprof_r_lock();
    __cilkprof_r_sample_if_wanted();
    __cilkprof_r_unlock();
  }
}

/* Destructors with the lowest priority run last.  */
static __attribute__((destructor(101))) void finish(void) {
  __cilkprof_s_finish();
}
