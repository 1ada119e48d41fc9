/* The engine's own memory: reserved address space, and a pool of memory that is never freed.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "libcilkprof/engine/memory.h"

void *(*__cilkprof_pool)(size_t bytes) = __cilkprof_reserve;

#ifdef __CILKPROF_PARALLEL
#define POOL_OF __thread /* workers allocate at the same time */
#else
#define POOL_OF
#endif

/* Returns BYTES of zeroed memory that is never freed, aligned to 64 bytes, or NULL if there is none.  It comes from a
   pool that only grows and that is part of the live file, because sites are allocated here.  */
void *__cilkprof_allocate(size_t bytes) {
  enum { POOL_BYTES = 1 << 16, ALIGNMENT = 64 };
  static POOL_OF char *pool, *end;
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

/* Returns whether BYTES would take too large a share of an address space that is limited: most of it is left to the
   program.  Callers then ask for less.  */
static int is_too_large_to_reserve(size_t bytes) {
  enum { SHARE = 16, LITTLE = 4 << 20 };
  struct rlimit limit;
  return bytes > LITTLE && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         bytes > limit.rlim_cur / SHARE;
}

/* Reserves BYTES of zeroed address space for the engine; pages of it take memory when they are first written to.
   Returns NULL if there is none, or if it would be too large a share of a limited address space.  Preserves errno.  */
void *__cilkprof_reserve(size_t bytes) {
  int error = errno;
  void *memory = MAP_FAILED;
  if (!is_too_large_to_reserve(bytes))
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = error;
  return memory == MAP_FAILED ? NULL : memory;
}
