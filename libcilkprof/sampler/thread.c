/* The threads that are sampled.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "libcilkprof/sampler/state.h"

/* Allocates the state of a sampled thread; NULL if there is no memory.  */
static struct sampled_thread *map_sampled_thread(void) {
  void *memory = mmap(NULL, sizeof(struct sampled_thread), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Takes a free slot for the state of a sampled thread, and returns it; NULL if there is no memory, or if there are too
   many threads.  */
static struct sampled_thread *take_sampled_thread(void) {
  for (unsigned i = 0; i < MAX_THREADS; i++) {
    struct sampled_thread *thread = atomic_load(&SAMPLER.threads[i]);
    if (!thread) {
      struct sampled_thread *made = map_sampled_thread();
      if (!made)
        return NULL;
      if (!atomic_compare_exchange_strong(&SAMPLER.threads[i], &thread, made))
        munmap(made, sizeof *made);
      else
        thread = made;
    }
    if (!atomic_exchange(&thread->taken, true)) {
      thread->index = i;
      return thread;
    }
  }
  return NULL;
}

/* Finds the bounds of the stack of THREAD, which is the calling one.  Other stacks, which a program may allocate
   itself, are not known.  */
static void find_sampled_stack(struct sampled_thread *thread) {
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

/* Begins to sample this thread, if sampling is on and the thread is not sampled yet.  Preserves errno.  */
void __cilkprof_s_thread_begin(void) {
  int error = errno;
  if (!SELF && atomic_load(&__cilkprof_s_on)) {
    struct sampled_thread *thread = take_sampled_thread();
    if (thread) {
      thread->depth = 0;
      thread->waited_ns = 0; /* of the thread that had this state before: too short to matter */
      find_sampled_stack(thread);
      thread->busy = false;
      __cilkprof_s_delay_begin(thread);
      SELF = thread;
      if (__cilkprof_s_clock_begin(thread)) {
        sampler_add_to_counter(&SAMPLER.shared->sampling.threads, 1);
        thread->outer_path = 0;
        atomic_store(&thread->state, CILKPROF_THREAD_ENDED);
        __cilkprof_s_state(SAMPLER.agent->has_work() ? CILKPROF_THREAD_WORKS : CILKPROF_THREAD_IDLE, NULL);
      } else {
        SELF = NULL;
        atomic_store(&thread->taken, false);
      }
    }
  }
  errno = error;
}

/* Returns where the stack of this thread ends; 0 if it is not sampled.  */
uintptr_t __cilkprof_s_stack_end(void) {
  return SELF ? SELF->stack_end : 0;
}

/* Stops sampling this thread, and releases its clock and its state for another thread.  Preserves errno.  */
void __cilkprof_s_thread_end(void) {
  int error = errno;
  struct sampled_thread *thread = SELF;
  if (thread) {
    thread->busy = true; /* what follows is no work of the program */
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load(&__cilkprof_s_on)) {
      __cilkprof_s_clock_rest();
      __cilkprof_s_delay_add(thread);
      __cilkprof_s_state(CILKPROF_THREAD_ENDED, NULL);
    }
    __cilkprof_s_clock_end(thread);
    __cilkprof_s_origin_calls_end();
    __cilkprof_s_origins_end();
    SELF = NULL;
    atomic_store(&thread->taken, false);
  }
  errno = error;
}
