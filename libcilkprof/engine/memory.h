/* The engine's own memory: the program's allocator may be what is being profiled, or may not work yet.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ENGINE_MEMORY_H
#define CILKPROF_ENGINE_MEMORY_H

#include "libcilkprof/engine/engine.h"

/* Address space, which becomes memory where it is written to; NULL when there is none.  errno is kept.  */
HIDDEN void *__cilkprof_reserve(size_t bytes);
/* Zeros that are never freed; NULL when there is no memory.  They come from __cilkprof_pool: a live file's memory, or
   __cilkprof_reserve.  */
HIDDEN void *__cilkprof_allocate(size_t bytes);
extern HIDDEN void *(*__cilkprof_pool)(size_t bytes);

#endif
