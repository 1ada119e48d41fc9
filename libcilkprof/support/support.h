/* What every room needs of the system.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SUPPORT_H
#define CILKPROF_SUPPORT_H

#include <signal.h>

#include "libcilkprof/engine.h"

/* memory.c: address space, which becomes memory where it is written to; NULL when there is none.  errno is kept.  */
HIDDEN void *__cilkprof_reserve(size_t bytes);
HIDDEN void *__cilkprof_allocate(size_t bytes); /* zeros, for good; NULL when there is no memory */
/* Where the latter comes from: of a live file, or __cilkprof_reserve.  */
extern HIDDEN void *(*__cilkprof_pool)(size_t bytes);

/* say.c: one line on standard error.  */
HIDDEN void __cilkprof_say(const char *what, const char *why, const char *advice);

/* masks.c: a limit on the size of files, or a closed pipe, must not end the program where the engine writes.  */
struct cilkprof_signals {
  struct sigaction too_large, no_reader;
};
HIDDEN void __cilkprof_ignore_signals(struct cilkprof_signals *saved);
HIDDEN void __cilkprof_restore_signals(const struct cilkprof_signals *saved);
/* While a handler would find half a thread.  */
HIDDEN void __cilkprof_block_signals(sigset_t *before);
HIDDEN void __cilkprof_unblock_signals(const sigset_t *before);

/* environment.c: an unsigned number in the environment; DEFAULT_VALUE where there is none.  */
HIDDEN uint64_t __cilkprof_environment_number(const char *name, uint64_t least, uint64_t default_value);

#endif
