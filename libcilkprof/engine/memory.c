/* The engine's own memory.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "libcilkprof/engine/memory.h"

void *(*__cilkprof_pool)(size_t bytes) = __cilkprof_reserve;

/* For what is never freed: a pool that only grows.  Sites are in it, so it belongs to the live file.  */
void *__cilkprof_allocate(size_t bytes) {
  enum { POOL_BYTES = 1 << 16, ALIGNMENT = 64 };
  static char *pool, *end;
  bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if ((size_t)(end - pool) < bytes) {
    size_t more = bytes < POOL_BYTES ? POOL_BYTES : bytes;
    char *memory = __cilkprof_pool(more);
    if (!memory)
      return NULL;
    pool = memory;
    end = memory + more;
  }
  pool += bytes;
  return pool - bytes;
}

/* Where address space is limited, most of it is for the program: whoever asks for much makes do with less.  */
static int is_too_much(size_t bytes) {
  enum { SHARE = 16, LITTLE = 4 << 20 };
  struct rlimit limit;
  return bytes > LITTLE && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         bytes > limit.rlim_cur / SHARE;
}

void *__cilkprof_reserve(size_t bytes) {
  int error = errno;
  void *memory = MAP_FAILED;
  if (!is_too_much(bytes))
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = error;
  return memory == MAP_FAILED ? NULL : memory;
}
