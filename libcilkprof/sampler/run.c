/* The beginning and the end of sampling.
   SPDX-License-Identifier: MIT

   CILKPROF_SAMPLE     1: the run is sampled
   CILKPROF_SAMPLE_HZ  how often, for each second of a thread's CPU time  */

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libcilkprof/sampler/recorder.h"
#include "libcilkprof/common/file.h"
#include "libcilkprof/common/system.h"

enum { DEFAULT_HZ = 1000, MOST_HZ = 100000 };

atomic_bool __cilkprof_s_on;
struct recorder __cilkprof_s_recorder;

unsigned __cilkprof_s_wanted(void) {
  if (!__cilkprof_environment_number("CILKPROF_SAMPLE", 0, 0))
    return 0;
  uint64_t hz = __cilkprof_environment_number("CILKPROF_SAMPLE_HZ", 1, DEFAULT_HZ);
  return hz < MOST_HZ ? (unsigned)hz : MOST_HZ;
}

/* at_quick_exit itself is in a part of the C library that is linked before this one.  */
extern int __cxa_at_quick_exit(void (*function)(void *), void *owner);
extern SAMPLES_HIDDEN void *__dso_handle;

static void at_quick_exit_handler(void *closure) {
  (void)closure;
  __cilkprof_s_finish();
}

static bool start(void) {
  if (!__cilkprof_s_memory_start())
    return false;
  RECORDER.shared->sampling = (struct cilkprof_sampling){
      .sampled = RECORDER.agent->sampled,
      .clock = CILKPROF_SAMPLING_PERF,
      .processors = (uint64_t)RECORDER.agent->processors(),
      .workers = (uint64_t)RECORDER.agent->workers(),
      .hz = RECORDER.hz,
      .runs = 1,
  };
  uint64_t entry;
  __cilkprof_s_object_of(getauxval(AT_ENTRY), &entry); /* the program is the first of the objects */
  if (!__cilkprof_s_handler_start()) {
    __cilkprof_s_memory_end(true);
    return false;
  }
  RECORDER.monotonic_ns = samples_time(CLOCK_MONOTONIC);
  RECORDER.start_ns = samples_time(CLOCK_REALTIME);
  atomic_store(&__cilkprof_s_on, true);
  __cilkprof_s_thread_begin();
  return SELF != NULL;
}

void __cilkprof_s_start(const struct samples_agent *agent, unsigned hz) {
  int error = errno;
  RECORDER.agent = agent;
  RECORDER.hz = hz;
  RECORDER.pid = getpid();
  if (!RECORDER.first) {
    RECORDER.first = RECORDER.pid;
    __cilkprof_file_start();
    __cilkprof_command_start();
    __cxa_at_quick_exit(at_quick_exit_handler, &__dso_handle);
  }
  __cilkprof_s_objects_start();
  if (!start()) {
    atomic_store(&__cilkprof_s_on, false);
    __cilkprof_say("CILKPROF_SAMPLE", "no memory or no timer is to be had", "the program runs without being sampled");
  }
  errno = error;
}

/* Handlers that are under way end soon.  One that was killed in the middle would not.  */
static void await_handlers(void) {
  enum { LOOKS = 10000 };
  for (int i = 0; i < MOST_THREADS; i++) {
    struct thread *thread = atomic_load(&RECORDER.threads[i]);
    for (int looks = 0; thread && atomic_load(&thread->in_handler) && looks < LOOKS; looks++)
      sched_yield();
  }
}

static bool write_profile(void) {
  RECORDER.shared->sampling.elapsed_ns = samples_time(CLOCK_MONOTONIC) - RECORDER.monotonic_ns;
  await_handlers();
  __cilkprof_s_clock_rest();
  if (__cilkprof_file_write(RECORDER.pid, RECORDER.first, __cilkprof_s_write) == 0)
    return true;
  __cilkprof_file_say(NULL, __cilkprof_s_live_path() ? "only its .live file is left" : "no profile is written");
  return false;
}

/* Of two threads that end the program, one.  A process that vfork made leaves the memory of its parent alone.  */
static bool stop(void) {
  return RECORDER.pid == getpid() && atomic_exchange(&__cilkprof_s_on, false);
}

void __cilkprof_s_finish(void) {
  int error = errno;
  if (stop())
    __cilkprof_s_memory_end(write_profile());
  errno = error;
}

void __cilkprof_s_snapshot(void) {
  int error = errno;
  if (stop()) {
    __cilkprof_s_memory_end(write_profile());
    atomic_store(&__cilkprof_s_on, true);
  }
  errno = error;
}

void __cilkprof_s_forked(void) {
  if (!RECORDER.shared)
    return;
  atomic_store(&__cilkprof_s_on, false);
  if (SELF)
    __cilkprof_s_thread_end();
  for (int i = 0; i < MOST_THREADS; i++) {
    struct thread *thread = atomic_load(&RECORDER.threads[i]);
    if (thread) {
      atomic_store(&thread->taken, false);
      atomic_store(&thread->in_handler, false);
      thread->free = 0;
      thread->bucket_ns = 0;
      memset(thread->work_ns, 0, sizeof thread->work_ns);
    }
  }
  __cilkprof_s_memory_forked();
  atomic_store(&RECORDER.free, 0);
  RECORDER.shared = NULL;
}
