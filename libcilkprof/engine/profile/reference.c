/* The reference run: the program runs without events, to measure the time that it takes by itself.
   SPDX-License-Identifier: MIT

   cilkprof-run starts the program, and names the process and a file in an environment variable.  Then nothing is
   profiled in this process and in those that it starts.  Only the named process, when it ends, writes to the file what
   its first thread took.

   A program with raised privileges also runs without events, and writes nothing: it was started by somebody who has
   fewer rights than it, in a folder of their choice.  */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/common/protocol.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/common/system.h"

extern int __cxa_at_quick_exit(void (*function)(void *), void *owner);
extern HIDDEN void *__dso_handle;

static struct {
  int known, on; /* KNOWN: the environment has been read; ON: nothing is profiled */
  int pid;       /* of the process that writes; 0: it is not this one */
  char path[PATH_MAX];
  struct cilkprof_usage start;
} reference;

/* Returns whether the program has privileges that the user who started it does not have, and says that there will be no
   profile if so.  */
static int has_raised_privileges(void) {
  if (!getauxval(AT_SECURE))
    return 0;
  __cilkprof_say("no profile", "the program runs with raised privileges (set-user-ID, set-group-ID or capabilities)",
                 NULL);
  return 1;
}

/* Writes what a reference run took when the program calls quick_exit.  */
static void end_reference_at_quick_exit(void *nothing) {
  (void)nothing;
  __cilkprof_reference_end();
}

/* Starts measuring a reference run.  What this process takes is written to PATH when it ends.  */
static void start_reference_measurement(const char *path) {
  if (strlen(path) >= sizeof reference.path)
    return;
  strcpy(reference.path, path);
  reference.pid = ENGINE.pid = ENGINE.process = getpid();
  __cxa_at_quick_exit(end_reference_at_quick_exit, &__dso_handle);
  reference.start = __cilkprof_usage_now();
}

/* Makes this thread run without events, if this is a reference run.  In a program for parallel runs all that can spawn
   has events; they record nothing.  */
void __cilkprof_reference_thread(void) {
#ifndef __CILKPROF_PARALLEL
  if (reference.on)
    THREAD.counting = __CILKPROF_COUNTING_RUN;
#endif
}

/* Returns whether nothing is to be profiled, as in a reference run, which is started at the first call.  Called by
   every instrumented object that is loaded.  */
int __cilkprof_reference_start(void) {
  int error = errno;
  if (!reference.known) {
    const char *path = __cilkprof_process_setting(CILKPROF_REFERENCE_TO);
    reference.known = 1;
    reference.on = has_raised_privileges() || secure_getenv(CILKPROF_REFERENCE_TO) != NULL;
    __cilkprof_reference_thread();
    if (path)
      start_reference_measurement(path);
  }
  errno = error;
  return reference.on;
}

/* Writes what the first thread of a reference run took, before the process ends or becomes another program.  Another
   thread cannot measure that, and writes nothing: cilkprof-run sees that the file stays empty.  */
void __cilkprof_reference_end(void) {
  if (!reference.pid || getpid() != reference.pid || syscall(SYS_gettid) != reference.pid)
    return;
  int error = errno;
  char line[128];
  struct cilkprof_usage used = __cilkprof_usage_since(&reference.start);
  int length = snprintf(line, sizeof line, CILKPROF_USAGE_WRITE "\n", used.cpu_ns, used.system_ns, used.minor_faults,
                        used.major_faults);
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  int file = open(reference.path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
  ssize_t written = file < 0 ? -1 : write(file, line, (size_t)length);
  (void)written;
  if (file >= 0)
    close(file);
  __cilkprof_restore_signals(&saved);
  errno = error;
}
