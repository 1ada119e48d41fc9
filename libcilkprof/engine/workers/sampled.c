/* Samples of workers: which of them work, and which passages they run.
   SPDX-License-Identifier: MIT

   Every thread that records is sampled, and its samples wait with what it records then (span/samples.c).  What a thread
   does while it waits for others is not the program's work, and has no samples.  */

#include <pthread.h>

#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/workers/workers.h"

static __thread struct {
  struct sampled_task *running; /* the innermost passage */
  int changes;                  /* the state of the thread is being replaced */
} sampled;

/* Gives this thread STATE in the place of its own.  A sample that is taken meanwhile belongs to nobody.  */
void __cilkprof_worker_becomes(const struct __cilkprof_thread *state) {
  sampled.changes = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  THREAD = *state;
  __cilkprof_samples_expected();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  sampled.changes = 0;
}

/* Returns whether this thread does what is recorded.  */
bool __cilkprof_is_worker_recording(void) {
  return !sampled.changes && THREAD.profiled && !THREAD.absent;
}

/* Returns the innermost passage that this thread runs, or NULL.  */
struct sampled_task *__cilkprof_running_passage(void) {
  return sampled.running;
}

/* Notes that this thread runs TASK, a passage that was spawned or divided at PLACE, until it ends: its frames are those
   below BOUNDARY, an address.  */
void __cilkprof_sampled_passage_begin(struct sampled_task *task, const struct sampled_place *place,
                                      const void *boundary) {
  *task = (struct sampled_task){.outer = sampled.running, .boundary = (uintptr_t)boundary, .place = place};
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  sampled.running = task;
}

/* Notes that the passage TASK has ended.  */
void __cilkprof_sampled_passage_end(const struct sampled_task *task) {
  sampled.running = task->outer;
}

static pthread_key_t key;
static int has_key;

/* Stops sampling this thread, which ends.  */
static void stop_sampling_thread(void *nothing) {
  (void)nothing;
  __cilkprof_s_thread_end();
}

/* Makes the key of thread-specific data whose destructor stops sampling a thread.  */
static void make_sampled_worker_key(void) {
  has_key = pthread_key_create(&key, stop_sampling_thread) == 0;
}

/* Begins to sample this thread, if the run is sampled.  */
void __cilkprof_sample_worker(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_sampled_worker_key);
  if (ENGINE.profiled->samples && has_key && pthread_setspecific(key, &key) == 0)
    __cilkprof_s_thread_begin();
}
