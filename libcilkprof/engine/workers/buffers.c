/* Memory that one worker takes and another gives back.
   SPDX-License-Identifier: MIT

   A thief takes memory for the result of a child, and the worker that joins the child gives it back.  Where it is
   always the same one that steals, the memory must find its way back to it: a thread keeps some of what it is given,
   and the rest is for all.  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/workers/workers.h"

enum { LEAST = 8, CLASSES = 40, CHUNK = 1 << 16, KEPT = 1 << 13 };

/* A buffer: what is before the memory that is used.  */
struct buffer {
  struct buffer *next;
  uint64_t class; /* it has 2 to the power of LEAST + CLASS bytes */
};

/* Those that this thread can use, how many these are, and the rest of the chunk from which small ones are taken.  */
static __thread struct buffer *unused[CLASSES];
static __thread uint32_t kept[CLASSES];
static __thread char *chunk, *chunk_end;

/* Those that any thread can use.  */
static struct {
  int taken; /* a lock, for which nobody waits: another thread may have had it when the process was forked */
  struct buffer *unused[CLASSES];
} all;

/* Locks ALL.  Returns whether nobody else has.  */
static int lock_buffers_of_all(void) {
  return !__atomic_exchange_n(&all.taken, 1, __ATOMIC_ACQUIRE);
}

/* Unlocks ALL.  */
static void unlock_buffers_of_all(void) {
  __atomic_store_n(&all.taken, 0, __ATOMIC_RELEASE);
}

/* Returns a buffer of CLASS that any thread can use, or NULL.  */
static struct buffer *take_buffer_of_all(uint64_t class) {
  if (!lock_buffers_of_all())
    return NULL;
  struct buffer *buffer = all.unused[class];
  if (buffer)
    all.unused[class] = buffer->next;
  unlock_buffers_of_all();
  return buffer;
}

/* Lets any thread use BUFFER.  Returns whether it can.  */
static int give_buffer_to_all(struct buffer *buffer) {
  if (!lock_buffers_of_all())
    return 0;
  buffer->next = all.unused[buffer->class];
  all.unused[buffer->class] = buffer;
  unlock_buffers_of_all();
  return 1;
}

/* Returns new memory for a buffer of BYTES; NULL if there is none.  */
static struct buffer *new_buffer_memory(size_t bytes) {
  if (bytes > CHUNK / 4)
    return __cilkprof_reserve(bytes);
  if ((size_t)(chunk_end - chunk) < bytes) {
    char *memory = __cilkprof_reserve(CHUNK);
    if (!memory)
      return NULL;
    chunk = memory;
    chunk_end = memory + CHUNK;
  }
  chunk += bytes;
  return (struct buffer *)(chunk - bytes);
}

/* Returns memory of BYTES, whose contents are arbitrary; NULL if there is none.  */
void *__cilkprof_buffer_take(size_t bytes) {
  uint64_t class = 0;
  while (((size_t)1 << (LEAST + class)) - sizeof(struct buffer) < bytes)
    class ++;
  struct buffer *buffer = unused[class];
  if (buffer) {
    unused[class] = buffer->next;
    kept[class]--;
  } else if (!(buffer = take_buffer_of_all(class)) && !(buffer = new_buffer_memory((size_t)1 << (LEAST + class))))
    return NULL;
  buffer->class = class;
  return buffer + 1;
}

/* Gives the memory MEMORY back, which any thread has taken.  */
void __cilkprof_buffer_give(void *memory) {
  struct buffer *buffer = (struct buffer *)memory - 1;
  uint64_t class = buffer->class;
  if (kept[class] >= (uint64_t)KEPT >> (LEAST + class) && give_buffer_to_all(buffer))
    return;
  buffer->next = unused[class];
  unused[class] = buffer;
  kept[class]++;
}
