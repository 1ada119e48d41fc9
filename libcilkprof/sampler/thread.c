/* The threads that are sampled.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "libcilkprof/sampler/state.h"

static struct sampled_thread *make(void) {
  void *memory = mmap(NULL, sizeof(struct sampled_thread), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Takes a free slot; NULL if there is no memory, or if there are too many threads.  */
static struct sampled_thread *take(void) {
  for (unsigned i = 0; i < MOST_THREADS; i++) {
    struct sampled_thread *thread = atomic_load(&SAMPLER.threads[i]);
    if (!thread) {
      struct sampled_thread *made = make();
      if (!made)
        return NULL;
      if (!atomic_compare_exchange_strong(&SAMPLER.threads[i], &thread, made))
        munmap(made, sizeof *made);
      else
        thread = made;
    }
    if (!atomic_exchange(&thread->taken, true))
      return thread;
  }
  return NULL;
}

/* Finds the bounds of the thread's stack.  Other stacks, which a program may allocate itself, are not known.  */
static void find_stack(struct sampled_thread *thread) {
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
  }
  thread->stack_begin = (uintptr_t)low;
  thread->stack_end = (uintptr_t)low + size;
}

void __cilkprof_s_thread_begin(void) {
  int error = errno;
  if (!SELF && atomic_load(&__cilkprof_s_on)) {
    struct sampled_thread *thread = take();
    if (thread) {
      thread->depth = 0;
      find_stack(thread);
      thread->busy = false;
      SELF = thread;
      if (__cilkprof_s_clock_begin(thread))
        sampler_count(&SAMPLER.shared->sampling.threads, 1);
      else {
        SELF = NULL;
        atomic_store(&thread->taken, false);
      }
    }
  }
  errno = error;
}

/* The thread is not sampled from here on.  */
void __cilkprof_s_thread_end(void) {
  int error = errno;
  struct sampled_thread *thread = SELF;
  if (thread) {
    if (atomic_load(&__cilkprof_s_on))
      __cilkprof_s_clock_rest();
    __cilkprof_s_clock_end(thread);
    __cilkprof_s_origin_calls_end();
    __cilkprof_s_origins_end();
    SELF = NULL;
    atomic_store(&thread->taken, false);
  }
  errno = error;
}
