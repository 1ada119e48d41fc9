/* The engine's own memory.  The engine does not use the program's allocator, which may itself be profiled, or may not
   be initialized yet.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ENGINE_MEMORY_H
#define CILKPROF_ENGINE_MEMORY_H

#include "libcilkprof/engine/engine.h"

/* Reserves BYTES of address space; pages of it take memory when they are first written to.  Returns NULL if there is
   none.  Preserves errno.  */
HIDDEN void *__cilkprof_reserve(size_t bytes);

/* Returns BYTES of zeroed memory that is never freed, or NULL if there is none.  It comes from __cilkprof_pool, which
   provides memory of the live file, or is __cilkprof_reserve.  */
HIDDEN void *__cilkprof_allocate(size_t bytes);
extern HIDDEN void *(*__cilkprof_pool)(size_t bytes);

#endif
