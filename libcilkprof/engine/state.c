/* The state itself: of the process, of every thread, of the recorder of a thread that is not profiled.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/recorder.h"

EXPORT __thread struct __cilkprof_thread __cilkprof_self = {.top = (entry_t *)1};
struct engine __cilkprof_engine;
struct __cilkprof_recorder __cilkprof_nobody;
