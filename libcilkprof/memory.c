/* Memory of the engine's own: the program's allocator may be what is being profiled, or not work yet.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <sys/mman.h>

#include "libcilkprof/engine.h"

void *__cilkprof_reserve(size_t bytes) {
  int error = errno;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = error;
  return memory == MAP_FAILED ? NULL : memory;
}
