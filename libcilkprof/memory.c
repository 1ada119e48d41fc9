/* Memory of the engine's own: the program's allocator may be what is being profiled, or not work yet.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <sys/mman.h>

#include "libcilkprof/live.h"

/* For what is never freed: a pool that only grows.  Sites are in it, so it belongs to the live file.  */
void *__cilkprof_allocate(size_t bytes) {
  enum { POOL_BYTES = 1 << 16, ALIGNMENT = 64 };
  static char *pool, *end;
  bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if ((size_t)(end - pool) < bytes) {
    size_t more = bytes < POOL_BYTES ? POOL_BYTES : bytes;
    char *memory = __cilkprof_live_pool(more);
    if (!memory)
      return NULL;
    pool = memory;
    end = memory + more;
  }
  pool += bytes;
  return pool - bytes;
}

void *__cilkprof_reserve(size_t bytes) {
  int error = errno;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = error;
  return memory == MAP_FAILED ? NULL : memory;
}
