/* How a preloaded library starts: what cilkprof-run tells it, and the environment of the program's children.
   SPDX-License-Identifier: MIT  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libcilkprof/sampler/preload/preload.h"
#include "libcilkprof/common/protocol.h"

/* Returns the number of processors that the program may use if cilkprof-run preloaded this library into this process;
   0 if it did not.  The environment variable for that also has the former value of LD_PRELOAD, which is restored for
   the children of the program, as they may be any programs.  */
int begin_preload(void) {
  const char *text = secure_getenv(CILKPROF_PRELOADED);
  int process, processors, length = 0;
  if (!text || sscanf(text, "%d:%d:%n", &process, &processors, &length) != 2 || !length || process != getpid())
    return 0;
  if (text[length])
    setenv("LD_PRELOAD", text + length, 1);
  else
    unsetenv("LD_PRELOAD");
  return processors > 0 ? processors : 1;
}

/* Removes what cilkprof-run has set in the environment, for the children of the program.  FORKED is called in every
   child.  */
void complete_preload(void (*forked)(void)) {
  unsetenv(CILKPROF_PRELOADED);
  unsetenv(CILKPROF_WRITTEN_TO);
  unsetenv(CILKPROF_OUT_TO);
  unsetenv(CILKPROF_SAMPLED_AT);
  unsetenv(CILKPROF_WATCHED);
  pthread_atfork(NULL, NULL, forked);
}

/* Ends sampling and writes the profile when the program exits.  Destructors with the lowest priority run last.  */
static __attribute__((destructor(101))) void end_preloaded_sampling_at_exit(void) {
  __cilkprof_s_finish();
}
