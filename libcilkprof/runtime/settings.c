/* Settings from the environment: the number of workers, and options for tests.
   SPDX-License-Identifier: MIT

   CILK_NWORKERS          workers; default: the processors that this process may use
   CILKPROF_FORCE_STEALS  a number, for tests: every child is deferred, thieves get a chance at each, and whom they
                          steal from depends on the number; 0: every child is deferred, and no more  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/runtime/runtime.h"

struct settings __cilkprof_r_settings;

/* Defined if the program is compiled for the profiler, which runs it serially; but not if the second one is defined,
   too: then it profiles all workers.  */
extern char __cilkprof_engine __attribute__((weak)), __cilkprofiled_spawn[] __attribute__((weak));

/* Prints LINE, which ends with a newline, on standard error.  Errors are ignored.  */
static void print_runtime_message(const char *line) {
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  ssize_t written = write(STDERR_FILENO, line, strlen(line));
  (void)written; /* there is no other place to report errors */
  __cilkprof_restore_signals(&saved);
}

_Noreturn void __cilkprof_r_no_memory(void) {
  print_runtime_message("cilkprof: out of memory for a spawned task or a reducer\n");
  abort();
}

/* Reads a number of workers, from 1 to MAX_WORKERS, from TEXT into *NUMBER.  Returns false if TEXT is no such
   number.  */
bool __cilkprof_r_read_nworkers(const char *text, int *number) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > MAX_WORKERS)
    return false;
  *number = (int)value;
  return true;
}

/* Returns the number of workers that CILK_NWORKERS asks for, or else the number of processors, with a message if the
   variable is not valid.  A program that is compiled for the serial profiler has one worker.  */
static int nworkers_from_environment(void) {
  const char *text = secure_getenv("CILK_NWORKERS");
  int number = 1;
  if (&__cilkprof_engine && !__cilkprofiled_spawn)
    return 1;
  if (text && __cilkprof_r_read_nworkers(text, &number))
    return number;
  number = __cilkprof_r_processors();
  if (text && *text) {
    char line[128];
    snprintf(line, sizeof line, "cilkprof: CILK_NWORKERS=%.40s: not a number of workers; using %d\n", text, number);
    print_runtime_message(line);
  }
  return number;
}

/* Reads the settings of the runtime from the environment into __cilkprof_r_settings, before the first worker
   starts.  */
void __cilkprof_r_read_settings(void) {
  const char *seed = secure_getenv("CILKPROF_FORCE_STEALS");
  struct settings *s = &__cilkprof_r_settings;
  s->nworkers = nworkers_from_environment();
  s->seed = seed ? strtoull(seed, NULL, 10) : 0;
  s->forced = s->seed != 0;
  s->tsan = tsan_watches();
  s->all = seed || s->tsan;
  __cilkprof_r_watched |= s->tsan || s->forced;
  s->ticks_per_us = ticks_per_microsecond();
}
