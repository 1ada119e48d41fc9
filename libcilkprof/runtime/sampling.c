/* The agent by which the sampler asks for the state of the workers, and the start and end of sampling.
   SPDX-License-Identifier: MIT  */

#include <time.h>
#include <unistd.h>

#include "libcilkprof/runtime/runtime.h"

EXPORTED int __cilkprof_r_sampled;

static int processors;

/* Returns the configured number of workers, for the sampler.  */
static int configured_workers(void) {
  return __cilkprof_r_settings.nworkers;
}

/* Returns the number of processors that the workers can use, for the sampler: at most as many as there are workers.  */
static int processors_for_workers(void) {
  return processors;
}

/* Returns how many workers wait for a lock, for the sampler.  */
static int workers_waiting_for_locks(void) {
  return atomic_load_explicit(&__cilkprof_r_locked, memory_order_relaxed);
}

/* Returns true if the worker W works at the time NOW, in ticks, or fetches its next task, which is not idleness.  The
   sample may have interrupted the thread that it steals from: it runs out of tasks by that, more often than else.  */
static bool is_worker_busy(const struct worker *w, uint64_t now) {
  enum state state = atomic_load_explicit(&w->state, memory_order_relaxed);
  return state == WORKING ||
         (state != NOBODY &&
          is_sampled_fetch_short(now, atomic_load_explicit(&w->fetches_since, memory_order_relaxed)));
}

/* Returns how many workers have work, for the sampler; those that wait for a lock do not count.  */
static int workers_with_work(void) {
  int count = 0, slots = (int)atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire);
  uint64_t now = read_ticks();
  for (int i = 0; i < slots; i++) {
    const struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_acquire);
    count += w && is_worker_busy(w, now);
  }
  return count - workers_waiting_for_locks();
}

/* Returns true if this thread is a worker that has work and does not wait for a lock, for the sampler.  */
static bool is_worker_working(void) {
  struct worker *w = __cilkprof_r_self;
  return w && !w->locked_ns && is_worker_busy(w, read_ticks());
}

/* Returns the innermost task that this thread's worker runs, for the sampler; NULL if it runs none.  The thread must be
   a worker.  */
static struct sampled_task *worker_running_task(void) {
  return atomic_load_explicit(&__cilkprof_r_self->running, memory_order_relaxed);
}

static const struct sampler_agent agent = {
    .sampled = CILKPROF_SAMPLED_CILK,
    .workers = configured_workers,
    .processors = processors_for_workers,
    .working = workers_with_work,
    .waiting = workers_waiting_for_locks,
    .has_work = is_worker_working,
    .running = worker_running_task,
};

/* Defined if the program is compiled for the profiler.  */
extern char __cilkprof_engine __attribute__((weak));

/* Starts sampling if the environment asks for it, once per process.  Needs the lock, unless there is only one
   thread.  */
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
  processors = allowed < configured_workers() ? allowed : configured_workers();
  __cilkprof_s_start(&agent, hz);
  if (__cilkprof_r_self)
    __cilkprof_r_self->sampled_number = __cilkprof_s_thread_number();
  __cilkprof_r_sampled = atomic_load(&__cilkprof_s_on);
  __cilkprof_r_watched |= __cilkprof_r_sampled;
}

/* Returns the time of a monotonic clock in nanoseconds, to measure how long workers wait for locks.  */
static uint64_t worker_clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Notes that this thread begins to wait for a lock (TAKEN is NULL), or has acquired it in a call that returns to TAKEN:
   then the time is added to the samples.  The worker stays in state WORKING: sampling must not affect scheduling.  */
EXPORTED void __cilkprof_r_lock_waits(const void *taken) {
  struct worker *w = __cilkprof_r_self;
  if (!w || atomic_load_explicit(&w->state, memory_order_relaxed) != WORKING)
    return;
  if (!taken) {
    w->locked_ns = worker_clock_ns();
    atomic_fetch_add_explicit(&__cilkprof_r_locked, 1, memory_order_relaxed);
  } else if (w->locked_ns) {
    uint64_t since = w->locked_ns;
    atomic_fetch_sub_explicit(&__cilkprof_r_locked, 1, memory_order_relaxed);
    w->locked_ns = 0;
    __cilkprof_s_waited(worker_clock_ns() - since, taken);
  }
}

/* Writes the profile of a sampled program that ends here without running its exit handlers.  If it does not end SURELY,
   as before an exec that may fail, sampling goes on.  */
EXPORTED void __cilkprof_r_sampling_ends(int surely) {
  if (surely)
    __cilkprof_s_finish();
  else
    __cilkprof_s_snapshot();
}

/* Starts sampling before main runs, if the environment asks for it: sampling starts with the program, not with its
   first spawn.  */
static __attribute__((constructor)) void start_worker_sampling(void) {
  if (!&__cilkprof_engine && __cilkprof_s_wanted() && __cilkprof_r_enter()) {
    __cilkprof_r_lock();
    __cilkprof_r_sample_if_wanted();
    __cilkprof_r_unlock();
  }
}

/* Ends sampling and writes the profile when the program exits.  Destructors with the lowest priority run last.  */
static __attribute__((destructor(101))) void finish_worker_sampling(void) {
  __cilkprof_s_finish();
}
