/* Start and end of sampling.
   SPDX-License-Identifier: MIT

   CILKPROF_SAMPLE     1: the run is sampled
   CILKPROF_SAMPLE_HZ  how often, for each second of a thread's CPU time  */

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libcilkprof/sampler/state.h"
#include "libcilkprof/common/file.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/common/ticks.h"

enum { DEFAULT_HZ = 1000, MAX_HZ = 100000 };

/* Returns the sampling frequency that cilkprof-run or the environment asks for; 0 if no samples are wanted.  A forked
   child is sampled if its parent is.  */
unsigned __cilkprof_s_wanted(void) {
  static const char *asked;
  uint64_t hz = 0;
  if (!asked)
    asked = __cilkprof_process_setting(CILKPROF_SAMPLED_AT);
  if (!asked && !__cilkprof_environment_number("CILKPROF_SAMPLE", 0, 0))
    return 0;
  if (asked)
    hz = strtoull(asked, NULL, 10);
  if (!hz)
    hz = __cilkprof_environment_number("CILKPROF_SAMPLE_HZ", 1, DEFAULT_HZ);
  return hz < MAX_HZ ? (unsigned)hz : MAX_HZ;
}

/* at_quick_exit is in the static part of the C library, which is linked before this file.  */
extern int __cxa_at_quick_exit(void (*function)(void *), void *owner);
extern SAMPLER_HIDDEN void *__dso_handle;

/* Ends sampling and writes the profile when the program calls quick_exit.  */
static void finish_sampling_at_quick_exit(void *closure) {
  (void)closure;
  __cilkprof_s_finish();
}

/* Starts sampling for the agent and the frequency in SAMPLER: memory, signal handler, and the clock of this thread.
   Returns false if one of these is not available.  */
static bool start_sampling(void) {
  if (!__cilkprof_s_memory_start())
    return false;
  SAMPLER.shared->sampling = (struct cilkprof_sampling){
      .sampled = SAMPLER.agent->sampled,
      .clock = CILKPROF_SAMPLING_PERF,
      .processors = (uint64_t)SAMPLER.agent->processors(),
      .workers = (uint64_t)SAMPLER.agent->workers(),
      .hz = SAMPLER.hz,
      .runs = 1,
      .delayed_ns = CILKPROF_NO_DELAY, /* until the end */
  };
  __cilkprof_s_counters_start();
  uint64_t entry;
  __cilkprof_s_object_of(getauxval(AT_ENTRY), &entry); /* so that the executable is the first object */
  if (!__cilkprof_s_handler_start()) {
    __cilkprof_s_memory_end(true);
    return false;
  }
  SAMPLER.monotonic_ns = sampler_clock_ns(CLOCK_MONOTONIC);
  SAMPLER.start_ticks = read_ticks();
  SAMPLER.start_ns = sampler_clock_ns(CLOCK_REALTIME);
  atomic_store(&__cilkprof_s_on, true);
  __cilkprof_s_thread_begin();
  if (!SELF)
    __cilkprof_s_memory_end(true);
  return SELF != NULL;
}

/* Starts sampling, with this thread.  Prints a message if that is not possible.  */
void __cilkprof_s_start(const struct sampler_agent *agent, unsigned hz) {
  int error = errno;
  SAMPLER.agent = agent;
  SAMPLER.hz = hz;
  SAMPLER.pid = getpid();
  if (!SAMPLER.first) {
    SAMPLER.first = SAMPLER.pid;
    if (!agent->took) {
      __cilkprof_file_start();
      __cilkprof_command_start();
      __cxa_at_quick_exit(finish_sampling_at_quick_exit, &__dso_handle);
    }
  }
  __cilkprof_s_objects_start();
  if (!start_sampling()) {
    atomic_store(&__cilkprof_s_on, false);
    __cilkprof_say(agent->took ? "CILKPROF_SAMPLE_HZ" : "CILKPROF_SAMPLE", "out of memory or timers",
                   "the program runs without sampling");
  }
  errno = error;
}

/* Waits for signal handlers that are taking samples, which is short.  The limit is for a handler whose thread was
   killed.  */
static void await_sampling_handlers(void) {
  enum { LOOKS = 10000 };
  for (int i = 0; i < MAX_THREADS; i++) {
    struct sampled_thread *thread = atomic_load(&SAMPLER.threads[i]);
    for (int looks = 0; thread && atomic_load(&thread->in_handler) && looks < LOOKS; looks++)
      sched_yield();
  }
}

/* Writes the profile of the samples so far.  Returns false, after a message, if that fails.  */
static bool write_sampled_profile(void) {
  SAMPLER.shared->sampling.elapsed_ns = sampler_clock_ns(CLOCK_MONOTONIC) - SAMPLER.monotonic_ns;
  await_sampling_handlers();
  __cilkprof_s_clock_rest();
  __cilkprof_s_delay_finish();
  if (__cilkprof_file_write(SAMPLER.pid, SAMPLER.first, __cilkprof_s_write) == 0)
    return true;
  __cilkprof_file_say(NULL, __cilkprof_s_live_path() ? "only its .live file is left" : "no profile is written");
  return false;
}

/* Turns sampling off.  Returns true for only one of several threads that end the program, and never in a process made
   by vfork, which shares the memory of its parent.  */
static bool stop_sampling(void) {
  return SAMPLER.pid == getpid() && atomic_exchange(&__cilkprof_s_on, false);
}

/* Ends sampling and writes the profile, unless that has been done.  */
void __cilkprof_s_finish(void) {
  int error = errno;
  if (stop_sampling())
    __cilkprof_s_memory_end(write_sampled_profile());
  errno = error;
}

/* Ends sampling for an agent that writes the profile itself.  */
void __cilkprof_s_stop(void) {
  if (stop_sampling()) {
    await_sampling_handlers();
    __cilkprof_s_clock_rest();
    __cilkprof_s_thread_end();
  }
}

/* Writes the profile so far, and goes on sampling: the program may end here or not.  */
void __cilkprof_s_snapshot(void) {
  int error = errno;
  if (stop_sampling()) {
    __cilkprof_s_memory_end(write_sampled_profile());
    atomic_store(&__cilkprof_s_on, true);
  }
  errno = error;
}

/* Ends sampling in a forked child process, whose samples are the parent's, and resets the state, so that it can start
   again.  */
void __cilkprof_s_forked(void) {
  if (!SAMPLER.shared)
    return;
  atomic_store(&__cilkprof_s_on, false);
  if (SELF)
    __cilkprof_s_thread_end();
  for (int i = 0; i < MAX_THREADS; i++) {
    struct sampled_thread *thread = atomic_load(&SAMPLER.threads[i]);
    if (thread) {
      if (atomic_load(&thread->taken))
        __cilkprof_s_clock_end(thread); /* its descriptors are this process's, too */
      atomic_store(&thread->taken, false);
      atomic_store(&thread->in_handler, false);
      thread->free = 0;
      thread->bucket_ns = 0;
      memset(thread->work_ns, 0, sizeof thread->work_ns);
      thread->outer_path = 0;
      atomic_store(&thread->moment_count, 0);
    }
  }
  __cilkprof_s_memory_forked();
  atomic_store(&SAMPLER.free, 0);
  atomic_store(&SAMPLER.delayed_ns, 0);
  atomic_store(&SAMPLER.delays_unknown, false);
  SAMPLER.shared = NULL;
}
