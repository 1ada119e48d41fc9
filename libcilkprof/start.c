/* The beginning and the end of a measurement.
   SPDX-License-Identifier: MIT

   It begins when an instrumented function is first entered, in that thread: main, or a constructor before it.  It ends
   when the process does, after the program's own exit handlers.  */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/engine.h"
#include "libcilkprof/live.h"
#include "libcilkprof/whatif.h"

/* at_quick_exit itself is in a part of the C library that is linked before this one.  */
extern int __cxa_at_quick_exit(void (*function)(void *), void *owner);
extern HIDDEN void *__dso_handle;

enum { DEFAULT_BURDEN = 15000, DEFAULT_LOOP_WORKERS = 128, THREAD_LOG_BYTES = 1 << 26, THREAD_LOG_LEAST = 1 << 16 };

EXPORT __thread struct __cilkprof_thread __cilkprof_self = {.top = (record_t *)1};
struct engine __cilkprof_engine;

void __cilkprof_ignore_signals(struct cilkprof_signals *saved) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGXFSZ, &ignore, &saved->too_large);
  sigaction(SIGPIPE, &ignore, &saved->no_reader);
}

void __cilkprof_restore_signals(const struct cilkprof_signals *saved) {
  sigaction(SIGXFSZ, &saved->too_large, NULL);
  sigaction(SIGPIPE, &saved->no_reader, NULL);
}

void __cilkprof_say(const char *what, const char *why, const char *advice) {
  char line[1024];
  size_t length = 0;
  const char *parts[] = {"cilkprof: ", what, ": ", why, advice ? "; " : "", advice ? advice : "", "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (const char *c = parts[i]; *c && length < sizeof line; c++)
      line[length++] = *c;
  line[length - 1] = '\n';
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  ssize_t written = write(STDERR_FILENO, line, length);
  (void)written; /* there is nowhere else to say it */
  __cilkprof_restore_signals(&saved);
}

/* An unsigned number in the environment; DEFAULT_VALUE where there is none.  */
static uint64_t environment_number(const char *name, uint64_t least, uint64_t default_value) {
  const char *text = secure_getenv(name);
  if (!text || !*text)
    return default_value;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno || *end || *text == '-' || value < least || value > UINT64_MAX >> 20) {
    __cilkprof_say(name, "not a number that can be used", "the default is used instead");
    return default_value;
  }
  return value;
}

/* When there is no memory at all, the program runs on what it was loaded with.  Nothing of it is ever read; threads
   that share it write the same kind of things to the same places.  */
static void *use_last_memory(void) {
  static record_t log[1 << 14];
  static frame_t frames[1 << 10];
  static block_t blocks[1 << 8];
  THREAD.frames = frames; /* the first of each is never used: they are the innermost of none */
  THREAD.frames_end = frames + (1 << 10) - 1;
  THREAD.blocks = blocks;
  THREAD.blocks_end = blocks + (1 << 8) - 1;
  THREAD.interrupted = NULL;
  __cilkprof_stack_start(frames + 1, THREAD.frames_end, blocks + 1, THREAD.blocks_end);
  return log;
}

/* Other threads run through the same code; what they do is not recorded, and their log is never read.  */
static void start_thread(void) {
  void *log = NULL;
  for (size_t bytes = THREAD_LOG_BYTES; bytes >= THREAD_LOG_LEAST && !(log = __cilkprof_reserve(bytes)); bytes /= 4)
    ;
  if (!log || __cilkprof_frames_start() < 0 || __cilkprof_signals_start() < 0)
    log = use_last_memory();
  THREAD.top = (record_t *)((uint64_t)log | 1);
  THREAD.limit = NULL; /* nothing is ever pushed */
  THREAD.long_strand = THREAD.short_strand = THREAD.look_after = UINT64_MAX;
  __atomic_fetch_or(&ENGINE.flags, CILKPROF_OTHER_THREADS, __ATOMIC_RELAXED);
}

static void at_quick_exit_handler(void *nothing) {
  (void)nothing;
  __cilkprof_end();
}

static void start_engine(const function_t *function) {
  ENGINE.mode = (enum cilkprof_mode) * function->mode;
  ENGINE.pid = ENGINE.process = getpid();
  ENGINE.burden = environment_number("CILKPROF_BURDEN", 0, DEFAULT_BURDEN);
  ENGINE.loop_workers = environment_number("CILKPROF_LOOP_WORKERS", 1, DEFAULT_LOOP_WORKERS);
  __cilkprof_objects_start();
  __cilkprof_output_start();
  THREAD.recording = 1;
  if (__cilkprof_log_start() < 0 || __cilkprof_frames_start() < 0 || __cilkprof_signals_start() < 0) {
    __cilkprof_say("memory", "none is left", "the program runs without being profiled");
    ENGINE.finished = 1;
    THREAD.recording = 0;
    start_thread();
    return;
  }
  if (environment_number("CILKPROF_CONTEXTS", 0, 0) && __cilkprof_contexts_start() < 0)
    __cilkprof_say("memory", "none is left for calling contexts", "the profile has none");
  __cilkprof_whatif_start();
  __cxa_at_quick_exit(at_quick_exit_handler, &__dso_handle);
  __cilkprof_forks_start();
  __cilkprof_clock_start();
  __cilkprof_requests_start(environment_number("CILKPROF_INTERVAL", 1, 0));
  if (environment_number("CILKPROF_LIVE", 0, 1)) {
    struct cilkprof_pause pause;
    __cilkprof_clock_pause(&pause);
    __cilkprof_live_start();
    __cilkprof_skip_time(__cilkprof_clock_continue(&pause));
  }
}

void __cilkprof_start(const function_t *function) {
  int error = errno;
  THREAD.foreign.key = 1;
  if (!__atomic_exchange_n(&ENGINE.started, 1, __ATOMIC_ACQ_REL))
    start_engine(function);
  else
    start_thread();
  errno = error;
}

int __cilkprof_finish(int pid) {
  ENGINE.finished = 1;
  __cilkprof_regions_end(0);
  __cilkprof_abandon_all();
  __cilkprof_settle();
  int result = __cilkprof_output(pid);
  THREAD.recording = 0;
  return result;
}

void __cilkprof_end(void) {
  if (!ENGINE.started || ENGINE.finished)
    return;
  int error = errno;
  __cilkprof_signals_abandoned(NULL);
  if (THREAD.recording)
    __cilkprof_live_end(__cilkprof_finish(getpid()) == 0);
  else
    __cilkprof_say("no profile", "the program ended in a thread that is not profiled",
                   __cilkprof_live_path() ? "only its .live file is left" : NULL);
  errno = error;
}

/* The earliest priority runs last: what the program's own destructors do is measured too.  */
static __attribute__((destructor(101))) void finish(void) {
  __cilkprof_end();
}
