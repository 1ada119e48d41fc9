/* Memory that one worker takes and another gives back.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/workers/workers.h"

enum { LEAST = 8, CLASSES = 40, CHUNK = 1 << 16 };

/* A buffer: what is before the memory that is used.  */
struct buffer {
  struct buffer *next;
  uint64_t class; /* it has 2 to the power of LEAST + CLASS bytes */
};

/* Those that this thread can use, and the rest of the chunk from which small ones are taken.  */
static __thread struct buffer *unused[CLASSES];
static __thread char *chunk, *chunk_end;

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
  if (buffer)
    unused[class] = buffer->next;
  else if (!(buffer = new_buffer_memory((size_t)1 << (LEAST + class))))
    return NULL;
  buffer->class = class;
  return buffer + 1;
}

/* Gives the memory MEMORY back, which any thread has taken, for this one to use.  */
void __cilkprof_buffer_give(void *memory) {
  struct buffer *buffer = (struct buffer *)memory - 1;
  buffer->next = unused[buffer->class];
  unused[buffer->class] = buffer;
}
