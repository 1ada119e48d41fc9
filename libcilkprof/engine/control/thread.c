/* Threads other than the profiled one: they run through the same code, and nothing that they do is recorded.
   SPDX-License-Identifier: MIT

   Such a thread has a sink in place of a log (log.c), only as many frames as its calls are likely to nest, and no
   blocks: what finds no memory is untracked, which is no loss here.  If there is no memory at all, the thread gets one
   of a few frames that were reserved when the engine started, or are part of its data.  Its memory is returned when it
   ends.  A worker that finds no memory to record what it runs does the same for as long as that takes (workers/).  */

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

struct unprofiled_memory {
  size_t bytes; /* 0: it is an element of LAST */
  size_t count; /* of frames, without the last */
  int taken;
  struct unprofiled_memory *next; /* one that the same thread does not use */
  entry_t sink[SINK_ENTRIES];
  frame_t none;     /* the one before the first, which calls nothing */
  frame_t frames[]; /* the last is shared by invocations for which no other is left */
};

/* Memory of threads for which there is no other: with one frame, for a loop whose body has none of its own, and the
   shared one.  No two threads use the same element, as they would overwrite each other's pointers.  */
static union last_memory {
  struct unprofiled_memory memory;
  char bytes[sizeof(struct unprofiled_memory) + 2 * sizeof(frame_t)];
} first[FIRST], *last = first; /* LAST elements that are reserved; or FIRST, if there was no memory for those either */
static size_t last_count = FIRST;

static pthread_key_t key;
static int has_key;

/* Returns memory for a thread that is not profiled; NULL: there is none for now.  */
static struct unprofiled_memory *reserve_thread_memory(void) {
  for (size_t count = FRAMES; count >= FRAMES_LEAST; count /= 4) {
    size_t bytes = sizeof(struct unprofiled_memory) + (count + 1) * sizeof(frame_t);
    struct unprofiled_memory *memory = __cilkprof_reserve(bytes);
    if (memory) {
      memory->bytes = bytes;
      memory->count = count;
      return memory;
    }
  }
  for (size_t i = 0; i < last_count; i++)
    if (!__atomic_exchange_n(&last[i].memory.taken, 1, __ATOMIC_ACQUIRE)) {
      last[i].memory.count = 1;
      return &last[i].memory;
    }
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
  struct unprofiled_memory *memory = argument;
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

/* Returns memory for a thread that is not profiled; if there is none, waits until there is.  */
static struct unprofiled_memory *wait_for_thread_memory(void) {
  struct unprofiled_memory *memory;
  while (!(memory = reserve_thread_memory()))
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return memory;
}

/* Makes this thread, whose state is empty, use the frames and the sink of MEMORY; nothing that it does is recorded.  */
static void use_unprofiled_memory(struct unprofiled_memory *memory) {
  __cilkprof_use_frames(memory->frames, memory->count, NULL, 0);
  THREAD.sink = memory->sink;
  THREAD.top = marked_log_top(memory->sink);
  stop_thread_recording();
  THREAD.long_strand = THREAD.short_strand = THREAD.look_after = UINT64_MAX;
  THREAD.foreign.key = 1;
}

/* Sets up a thread that is not profiled and has reached instrumented code: it gets frames and a sink, and nothing that
   it does is recorded.  */
void __cilkprof_thread_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  sigset_t before;
  __cilkprof_block_signals(&before);
  struct unprofiled_memory *memory = wait_for_thread_memory();
  pthread_once(&once, make_thread_key);
  if (__atomic_load_n(&has_key, __ATOMIC_ACQUIRE))
    pthread_setspecific(key, memory);
  use_unprofiled_memory(memory);
  __cilkprof_signals_start();
  __cilkprof_unblock_signals(&before);
  set_profile_flags(CILKPROF_OTHER_THREADS);
}

#ifdef __CILKPROF_PARALLEL
static __thread struct unprofiled_memory *unused;

/* Makes this thread run code that is not recorded from here on, for lack of memory.  The caller keeps the state of the
   thread, and restores it.  Returns the memory that is used meanwhile, of which the thread keeps as much as was ever
   in use at once: it finds some without waiting, however often it comes here.  */
struct unprofiled_memory *__cilkprof_begin_without_recorder(void) {
  sigset_t before;
  __cilkprof_block_signals(&before);
  struct unprofiled_memory *memory = unused ? unused : wait_for_thread_memory();
  unused = memory->next;
  THREAD = (struct __cilkprof_thread){.interrupted = THREAD.interrupted, .signals = THREAD.signals};
  use_unprofiled_memory(memory);
  THREAD.top = __cilkprof_p_log_top(); /* a function that is only called by instrumented ones does not look at marks */
  __cilkprof_unblock_signals(&before);
  return memory;
}

/* Gives MEMORY back, when this thread records again.  */
void __cilkprof_end_without_recorder(struct unprofiled_memory *memory) {
  memory->next = unused;
  unused = memory;
}
#endif
