/* Writing the profile while the program runs.
   SPDX-License-Identifier: MIT

   Writing ends all open invocations, folds the log and books pending calls.  A copy of the process does that, as the
   program would if it ended now, while the process itself waits and is not changed.  All state of the engine is in the
   copy as well.  The program does not see the copy as a child: it sends no signal, and wait() does not find it.  */

#include <errno.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/run/run.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/time/clock.h"

/* Copies the process as fork does, but without running the program's fork handlers, and so that the copy sends no
   signal when it ends.  Returns the PID of the copy, 0 in the copy, or -1.  */
static pid_t copy_process_for_snapshot(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  return (pid_t)syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL); /* no flags, no new stack, no signal at its end */
#else
#error "cilkprof: the order of clone's arguments is not known for this processor"
#endif
}

/* Copies the process for a snapshot, as a callback of dl_iterate_phdr, and stores the result of
   copy_process_for_snapshot in *COPY.  The copy looks at the loaded objects, which another thread might be changing.
   During a callback none is, and this thread holds the loader's lock, in the copy as well.  Returns 1, so that there is
   no second callback.  The process and its copy both return from here.  */
static int copy_snapshot_process_with_loader_lock(struct dl_phdr_info *info, size_t size, void *copy) {
  (void)info;
  (void)size;
  *(pid_t *)copy = copy_process_for_snapshot();
  return 1;
}

/* Waits for the end of COPY, the process that writes a snapshot.  Returns 0 if it succeeded, else -1.  */
static int wait_for_snapshot_copy(pid_t copy) {
  int status;
  while (waitpid(copy, &status, __WCLONE) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* Writes the profile in a copy of the process, which then ends, and waits for it.  Returns 0, or -1 if nothing was
   written.  */
static int write_snapshot_in_copy(void) {
  int pid = getpid();
  pid_t copy = -1;
  dl_iterate_phdr(copy_snapshot_process_with_loader_lock, &copy);
  if (copy < 0) {
    __cilkprof_say("no profile is written now", "fork failed",
                   __cilkprof_live_path() ? "its .live file goes on" : NULL);
    return -1;
  }
  if (copy == 0) {
    ENGINE.finished = 1; /* the end of the copy must not write another profile */
    if (__cilkprof_live_detach() < 0)
      _exit(1);
    __cilkprof_regions_end(1);
    _exit(__cilkprof_finish(pid) < 0);
  }
  return wait_for_snapshot_copy(copy);
}

/* Writes the profile as if the program ended now; the program goes on as if nothing had happened, and the time is not
   counted as its own.  May be called only where every open frame is linked, that is, during a foreign call of
   instrumented code.  Returns 0, or -1 if nothing was written.  */
int __cilkprof_snapshot(void) {
  if (!ENGINE.started || ENGINE.finished || !THREAD.recording)
    return -1;
  int error = errno;
  sigset_t before;
  struct cilkprof_pause pause;
  __cilkprof_clock_pause(&pause);
  __cilkprof_block_signals(&before);
  __cilkprof_usage_stop();
  int result = write_snapshot_in_copy();
  __cilkprof_unblock_signals(&before);
  __cilkprof_frames_continue(&pause);
  errno = error;
  return result;
}
