/* Threads other than the profiled one: they run through the same code, and nothing that they do is recorded.
   SPDX-License-Identifier: MIT

   Such a thread has a sink in place of a log (log.c), only as many frames as its calls are likely to nest, and no
   blocks: what finds no memory is untracked, which is no loss here.  If there is no memory at all, the thread gets one
   of a few frames that were reserved when the engine started, or are part of its data.  Its memory is returned when it
   ends.  */

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

enum {
  FRAMES = 1 << 12,
  FRAMES_LEAST = 1 << 4,
  LAST = 1 << 10, /* threads for which there is no memory, */
  FIRST = 1 << 5, /* and where there was none from the start */
};

struct memory {
  size_t bytes; /* 0: it is an element of LAST */
  int taken;
  entry_t sink[SINK_ENTRIES];
  frame_t none;     /* the one before the first, which calls nothing */
  frame_t frames[]; /* the last is shared by invocations for which no other is left */
};

/* Memory of threads for which there is no other: with the shared frame alone.  No two threads use the same element, as
   they would overwrite each other's pointers.  */
static union last_memory {
  struct memory memory;
  char bytes[sizeof(struct memory) + sizeof(frame_t)];
} first[FIRST], *last = first; /* LAST elements that are reserved; or FIRST, if there was no memory for those either */
static size_t last_count = FIRST;

static pthread_key_t key;
static int has_key;

/* Returns memory for a thread that is not profiled, and how many frames it has in COUNT; NULL: there is none for
   now.  */
static struct memory *reserve_thread_memory(size_t *count) {
  for (*count = FRAMES; *count >= FRAMES_LEAST; *count /= 4) {
    size_t bytes = sizeof(struct memory) + (*count + 1) * sizeof(frame_t);
    struct memory *memory = __cilkprof_reserve(bytes);
    if (memory) {
      memory->bytes = bytes;
      return memory;
    }
  }
  *count = 0;
  for (size_t i = 0; i < last_count; i++)
    if (!__atomic_exchange_n(&last[i].memory.taken, 1, __ATOMIC_ACQUIRE))
      return &last[i].memory;
  return NULL;
}

/* Reserves memory for threads that will find none, when the engine starts.  */
void __cilkprof_threads_start(void) {
  union last_memory *reserved = __cilkprof_reserve(LAST * sizeof *last);
  if (!reserved)
    return;
  last = reserved;
  last_count = LAST;
}

/* Ends a thread that is not profiled and returns its memory, ARGUMENT.  Destructors of the program may run after this
   one; if they do, the thread is set up again.  */
static void end_unprofiled_thread(void *argument) {
  struct memory *memory = argument;
  sigset_t before;
  __cilkprof_block_signals(&before);
  __cilkprof_signals_end();
  THREAD = (struct __cilkprof_thread){.top = (entry_t *)1};
  if (memory->bytes)
    munmap(memory, memory->bytes);
  else
    __atomic_store_n(&memory->taken, 0, __ATOMIC_RELEASE);
  __cilkprof_unblock_signals(&before);
}

/* Makes the key of thread-specific data whose destructor ends threads that are not profiled.  */
static void make_thread_key(void) {
  has_key = pthread_key_create(&key, end_unprofiled_thread) == 0;
}

/* Deletes the key of thread-specific data when the engine is unloaded: it may be in a library that is unloaded before
   the threads end.  */
static __attribute__((destructor)) void delete_thread_key(void) {
  if (__atomic_exchange_n(&has_key, 0, __ATOMIC_ACQ_REL))
    pthread_key_delete(key);
}

/* Sets up a thread that is not profiled and has reached instrumented code: it gets frames and a sink, and nothing that
   it does is recorded.  */
void __cilkprof_thread_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct memory *memory;
  size_t count;
  sigset_t before;
  __cilkprof_block_signals(&before);
  while (!(memory = reserve_thread_memory(&count)))
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  pthread_once(&once, make_thread_key);
  if (__atomic_load_n(&has_key, __ATOMIC_ACQUIRE))
    pthread_setspecific(key, memory);
  __cilkprof_use_frames(memory->frames, count, NULL, 0);
  __cilkprof_signals_start();
  THREAD.sink = memory->sink;
  THREAD.top = marked_log_top(memory->sink);
  stop_thread_recording();
  THREAD.long_strand = THREAD.short_strand = THREAD.look_after = UINT64_MAX;
  THREAD.foreign.key = 1;
  __cilkprof_unblock_signals(&before);
  set_profile_flags(CILKPROF_OTHER_THREADS);
}
