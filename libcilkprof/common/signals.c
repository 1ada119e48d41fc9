/* Ignoring and blocking signals for a while.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/common/system.h"

/* Ignores SIGXFSZ and SIGPIPE, so that neither a file size limit nor a closed pipe ends the program while the profile
   is written.  Stores in *SAVED what __cilkprof_restore_signals needs.  */
void __cilkprof_ignore_signals(struct cilkprof_signals *saved) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGXFSZ, &ignore, &saved->too_large);
  sigaction(SIGPIPE, &ignore, &saved->no_reader);
}

/* Undoes __cilkprof_ignore_signals, which has filled in SAVED.  */
void __cilkprof_restore_signals(const struct cilkprof_signals *saved) {
  sigaction(SIGXFSZ, &saved->too_large, NULL);
  sigaction(SIGPIPE, &saved->no_reader, NULL);
}

/* Blocks all signals of this thread while its state is inconsistent, and stores the mask before in *BEFORE.  */
void __cilkprof_block_signals(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, before);
}

/* Undoes __cilkprof_block_signals: restores the mask BEFORE of this thread.  */
void __cilkprof_unblock_signals(const sigset_t *before) {
  pthread_sigmask(SIG_SETMASK, before, NULL);
}
