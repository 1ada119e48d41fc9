/* Basic services for instrumented and sampled programs: messages, signals, numbers in environment variables.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COMMON_SYSTEM_H
#define CILKPROF_COMMON_SYSTEM_H

#include <signal.h>
#include <stdint.h>

#define CILKPROF_HIDDEN __attribute__((visibility("hidden")))

/* message.c: prints one line on standard error.  */
CILKPROF_HIDDEN void __cilkprof_say(const char *what, const char *why, const char *advice);

/* signals.c: while the profile is written, neither a file size limit nor a closed pipe may end the program.  */
struct cilkprof_signals {
  struct sigaction too_large, no_reader;
};
CILKPROF_HIDDEN void __cilkprof_ignore_signals(struct cilkprof_signals *saved);
CILKPROF_HIDDEN void __cilkprof_restore_signals(const struct cilkprof_signals *saved);
/* Blocks all signals while a thread's state is inconsistent.  */
CILKPROF_HIDDEN void __cilkprof_block_signals(sigset_t *before);
CILKPROF_HIDDEN void __cilkprof_unblock_signals(const sigset_t *before);

/* delay.c: how long a thread, or the calling one if THREAD is 0, was ready to run and had no processor.  */
#define CILKPROF_NO_DELAY UINT64_MAX /* the system does not say */
CILKPROF_HIDDEN uint64_t __cilkprof_delay_ns(int thread);

/* environment.c: an unsigned number in the environment; DEFAULT_VALUE if it is not set or invalid.  */
CILKPROF_HIDDEN uint64_t __cilkprof_environment_number(const char *name, uint64_t least, uint64_t default_value);
/* Returns what the environment variable NAME says to this process, after its PID and a colon, or NULL if it is for none
   or another process.  */
CILKPROF_HIDDEN const char *__cilkprof_process_setting(const char *name);

#endif
