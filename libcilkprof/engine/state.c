/* Defines the state of the process, of each thread, and of the threads that are not profiled.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/profiled_thread.h"

EXPORT __thread struct __cilkprof_thread __cilkprof_self = {.top = (entry_t *)1};
struct engine __cilkprof_engine;
struct __cilkprof_profiled_thread __cilkprof_nobody;
function_t __cilkprof_outside;
