/* Ends of the program that skip its exit handlers: _exit, and the exec functions.
   SPDX-License-Identifier: MIT

   The program's calls of these functions are calls of code without instrumentation.  So every open frame is in memory
   and complete, and the profile is complete, too.  */

#include <errno.h>

#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/run/run.h"
#include "libcilkprof/common/ending.h"

/* Returns whether this process may change the engine's memory: a child of vfork uses the memory of its parent.  */
static int owns_engine_memory(void) {
  return getpid() == ENGINE.process;
}

/* Writes the profile before _exit ends the process with STATUS; common/ending.h calls it.  A child of vfork writes
   nothing.  */
static void before_exit(int status) {
  if (!owns_engine_memory())
    return;
  __cilkprof_usage_status(status);
  __cilkprof_end();
}

/* Writes the profile before an exec function is called, and removes the live file.  A forked process writes nothing: it
   has done nothing worth it before it runs another program.  Returns whether after_exec must make a live file
   again.  */
static int before_exec(void) {
  int was_live = __cilkprof_live_path() != NULL;
  __cilkprof_reference_end();
  if (!owns_engine_memory() || ENGINE.process != ENGINE.pid || __cilkprof_snapshot() < 0)
    return 0;
  __cilkprof_live_end(1);
  return was_live;
}

/* Continues when an exec function has failed: makes a live file again if WAS_LIVE, which before_exec returned, is set.
   Keeps errno and returns -1.  */
static int after_exec(int was_live) {
  int error = errno;
  if (was_live)
    __cilkprof_live_start();
  errno = error;
  return -1;
}
