/* Ends that pass by the exit handlers: _exit and the calls that put another program in this one's place.
   SPDX-License-Identifier: MIT

   They are calls of code without instrumentation, so every open frame is whole and the profile is too.  */

#include <errno.h>

#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/run/run.h"
#include "libcilkprof/common/ending.h"

/* A process that vfork made must leave the memory of its parent alone.  */
static int owns_memory(void) {
  return getpid() == ENGINE.process;
}

static void before_exit(int status) {
  if (!owns_memory())
    return;
  __cilkprof_usage_status(status);
  __cilkprof_end();
}

/* A forked process that runs another program has done nothing of its own to be written.  */
static int before_exec(void) {
  int was_live = __cilkprof_live_path() != NULL;
  __cilkprof_reference_end();
  if (!owns_memory() || ENGINE.process != ENGINE.pid || __cilkprof_snapshot() < 0)
    return 0;
  __cilkprof_live_end(1);
  return was_live;
}

/* The other program could not be run: this one goes on.  */
static int after_exec(int was_live) {
  int error = errno;
  if (was_live)
    __cilkprof_live_start();
  errno = error;
  return -1;
}
