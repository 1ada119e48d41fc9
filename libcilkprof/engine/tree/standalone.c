/* Starts the engine in an annotated program without events: it is measured by the clock, from before main on.
   SPDX-License-Identifier: MIT

   The flags that pkg-config prints for cilkprof-annotate link this file.  In a program with events, these start the
   engine.  */

#include <errno.h>

#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/tree/record.h"

extern EXPORT const uint64_t __cilkprof_mode_clock;
extern const char __cilkprof_standalone;
const char __cilkprof_standalone = 1;

/* Starts the engine, and a tree that is measured by the clock, before main in an annotated program without events.  */
static __attribute__((constructor)) void start_standalone_tree(void) {
  int error = errno;
  if (!ENGINE.started) {
    HOST.start(&(function_t){.mode = &__cilkprof_mode_clock});
    if (THREAD.recording)
      __cilkprof_tree_start(1);
  }
  errno = error;
}
