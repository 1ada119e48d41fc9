/* Threads that start: calls of the C library's function arrive here, because this library is loaded before that.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "libcilkprof/sampler/tbb/tbb.h"

/* What a new thread runs.  */
struct start {
  void *(*function)(void *);
  void *argument;
  bool is_worker; /* oneTBB starts it */
};

static pthread_key_t ending;
static pthread_once_t ending_once = PTHREAD_ONCE_INIT;

/* Ends the sampling of this thread, however it ends.  */
static void end_sampled_tbb_thread(void *unused) {
  (void)unused;
  __cilkprof_s_thread_end();
  tbb_thread_end();
}

/* Makes the key whose destructor runs at the end of every thread.  */
static void make_thread_ending_key(void) {
  pthread_key_create(&ending, end_sampled_tbb_thread);
}

/* Runs what the new thread was started for, GIVEN, with samples.  What a worker runs is tasks.  */
static void *run_sampled_tbb_thread(void *given) {
  struct start start = *(struct start *)given;
  free(given);
  pthread_once(&ending_once, make_thread_ending_key);
  pthread_setspecific(ending, &ending_once);
  tbb_thread_begin();
  __cilkprof_s_thread_begin();
  struct tbb_wait life;
  if (start.is_worker)
    tbb_wait_begin(&life, NULL, (uintptr_t)__builtin_frame_address(0));
  void *result = start.function(start.argument);
  if (start.is_worker)
    tbb_wait_end(&life);
  return result;
}

/* Starts a thread, which is sampled from its start.  */
EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                            void *argument) {
  int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  FIND_NEXT(next, "pthread_create")
  struct start *start = atomic_load(&__cilkprof_s_on) ? malloc(sizeof *start) : NULL;
  if (!start)
    return next(thread, attributes, function, argument);
  *start = (struct start){function, argument, tbb_is_library((uintptr_t)__builtin_return_address(0))};
  int error = next(thread, attributes, run_sampled_tbb_thread, start);
  if (error)
    free(start);
  return error;
}
