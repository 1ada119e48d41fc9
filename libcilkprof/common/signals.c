/* Ignoring and blocking signals for a while.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/common/system.h"

void __cilkprof_ignore_signals(struct cilkprof_signals *saved) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGXFSZ, &ignore, &saved->too_large);
  sigaction(SIGPIPE, &ignore, &saved->no_reader);
}

void __cilkprof_restore_signals(const struct cilkprof_signals *saved) {
  sigaction(SIGXFSZ, &saved->too_large, NULL);
  sigaction(SIGPIPE, &saved->no_reader, NULL);
}

void __cilkprof_block_signals(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, before);
}

void __cilkprof_unblock_signals(const sigset_t *before) {
  pthread_sigmask(SIG_SETMASK, before, NULL);
}
