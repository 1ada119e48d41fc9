/* Starting and ending the measurement.
   SPDX-License-Identifier: MIT

   It starts when the first instrumented function is entered: main, or a constructor before it.  The thread that enters
   it is the one that is profiled.  It ends with the process, after the program's own exit handlers.  */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/profile/sampling.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/run/run.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/tree/tree.h"
#ifdef __CILKPROF_PARALLEL
#include "libcilkprof/engine/workers/workers.h"
#endif

/* The engine cannot call at_quick_exit, which is in a part of the C library that is linked before the engine.  */
extern int __cxa_at_quick_exit(void (*function)(void *), void *owner);
extern HIDDEN void *__dso_handle;

enum { DEFAULT_BURDEN = 15000, DEFAULT_LOOP_WORKERS = 128 };

/* Writes the profile when the program calls quick_exit, which runs no destructors.  */
static void end_run_at_quick_exit(void *nothing) {
  (void)nothing;
  __cilkprof_end();
}

/* Makes this thread the profiled one, of which there is only one: reserves its log and its frames.  Returns 0, or -1 if
   there is no memory.  */
static int start_profiled_thread(void) {
  static struct __cilkprof_profiled_thread the_only_one;
  sigset_t before;
  __cilkprof_block_signals(&before);
  THREAD.profiled = ENGINE.profiled = &the_only_one;
  int failed = __cilkprof_log_start() < 0 || __cilkprof_frames_start() < 0 || __cilkprof_signals_start() < 0;
  THREAD.recording = !failed;
  THREAD.foreign = (struct __cilkprof_foreign){.key = THREAD.recording};
  __cilkprof_unblock_signals(&before);
  return failed ? -1 : 0;
}

/* Starts to record contexts, roots and what-if questions, where the user asks for them.  */
static void start_optional_parts(void) {
  if (__cilkprof_environment_number("CILKPROF_CONTEXTS", 0, 0) && __cilkprof_contexts_start() < 0)
    __cilkprof_say("out of memory", "no calling contexts are recorded", NULL);
  __cilkprof_roots_start();
  __cilkprof_whatif_start();
}

/* Starts to take requests for profiles while the program runs, and to keep its live file.  */
static void start_parts_for_running_program(void) {
  __cilkprof_requests_start(__cilkprof_environment_number("CILKPROF_INTERVAL", 1, 0));
  if (__cilkprof_environment_number("CILKPROF_LIVE", 0, 1)) {
    struct cilkprof_pause pause;
    __cilkprof_clock_pause(&pause);
    __cilkprof_live_start();
    __cilkprof_frames_continue(&pause);
  }
}

/* Says what the user asks for that is only there where one worker runs all in serial order: while several run, what
   they have recorded is in many places.  */
static void refuse_parts_in_parallel_run(void) {
  static const char *const names[] = {"CILKPROF_CONTEXTS", "CILKPROF_ROOT", "CILKPROF_INTERVAL", "CILKPROF_SIGNAL"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *name = names[i], *value = secure_getenv(name);
    if (value && *value && strcmp(value, "0") != 0)
      __cilkprof_say(name, "not for parallel runs", "ignored; CILK_NWORKERS=1 has it");
  }
}

/* Starts the measurement with FUNCTION, the first instrumented one that is entered: reads the settings from the
   environment and starts every part of the engine.  Without memory, the program runs without being profiled.  */
static void start_engine(const function_t *function) {
  __cilkprof_pool = __cilkprof_live_pool;
  __cilkprof_first_site = __cilkprof_live_first;
  ENGINE.mode = (enum cilkprof_mode) * function->mode;
  ENGINE.pid = ENGINE.process = getpid();
  ENGINE.burden = __cilkprof_environment_number("CILKPROF_BURDEN", 0, DEFAULT_BURDEN);
  ENGINE.follow_all = __cilkprof_environment_number("CILKPROF_FOLLOW", 0, 0) != 0;
  ENGINE.loop_workers = __cilkprof_environment_number("CILKPROF_LOOP_WORKERS", 1, DEFAULT_LOOP_WORKERS);
  __cilkprof_profile_objects_start();
  __cilkprof_profile_output_start();
  if (start_profiled_thread() < 0) {
    __cilkprof_say("out of memory", "the program runs without profiling", NULL);
    ENGINE.finished = 1;
    __cilkprof_thread_start();
    return;
  }
  ENGINE.in_order = 1;
#ifdef __CILKPROF_PARALLEL
  ENGINE.in_order = __cilkprof_is_one_worker();
#endif
  if (ENGINE.in_order)
    start_optional_parts();
  else
    refuse_parts_in_parallel_run();
  __cxa_at_quick_exit(end_run_at_quick_exit, &__dso_handle);
  __cilkprof_forks_start();
  __cilkprof_clock_start();
  if (ENGINE.in_order)
    start_parts_for_running_program();
#ifdef __CILKPROF_PARALLEL
  __cilkprof_workers_start();
#endif
  __cilkprof_usage_start();
  __cilkprof_sampling_start();
}

/* Starts a reference run, which measures what the program takes without events.  Code that cannot run without events
   runs as in a thread that is not profiled.  */
static void start_reference_run(void) {
  ENGINE.finished = 1;
  __cilkprof_thread_start();
}

/* Starts the engine, or, if it has been started, only the current thread, which has no state yet.  FUNCTION is the
   first instrumented one that is entered in it.  Keeps errno.  */
void __cilkprof_start(const function_t *function) {
  int error = errno;
  if (!__atomic_exchange_n(&ENGINE.started, 1, __ATOMIC_ACQ_REL)) {
    __cilkprof_threads_start();
    __cilkprof_reference_start() ? start_reference_run() : start_engine(function);
  } else
    __cilkprof_thread_start();
  __cilkprof_reference_thread();
  errno = error;
}

/* Ends the measurement: ends everything that is open, and writes the profile of process PID.  Returns 0, or -1 if it
   cannot be written.  */
int __cilkprof_finish(int pid) {
  ENGINE.finished = 1;
  __cilkprof_sampling_stop();
  __cilkprof_usage_stop();
  __cilkprof_regions_end(0);
  if (THREAD.team == __CILKPROF_TEAM_FIBERS) /* what other threads of the team have done is set aside */
    set_profile_flags(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  __cilkprof_abandon_all();
  __cilkprof_charged_end();
  __cilkprof_book_pending();
  __cilkprof_samples_end();
  __cilkprof_tree_finish();
  int result = __cilkprof_profile_output(pid);
  THREAD.recording = 0;
  return result;
}

/* Returns whether this thread runs a child of a parallel run that its parent waits for.  */
static int runs_awaited_child(void) {
#ifdef __CILKPROF_PARALLEL
  return THREAD.profiled && (THREAD.profiled != ENGINE.profiled || THREAD.profiled->passages.in_place);
#else
  return 0;
#endif
}

/* Says that there is no profile: the thread that ends the program is not the profiled one, or runs a child that its
   parent waits for.  */
static void say_there_is_no_profile(void) {
  if (runs_awaited_child()) {
    __cilkprof_say("no profile", "a spawned call or an iteration that other workers may run has ended the program",
                   "end it after the sync");
    return;
  }
  __cilkprof_say("no profile", "the program ended in a thread that is not profiled",
                 __cilkprof_live_path() ? "only its .live file is left" : NULL);
}

/* Writes the profile of a process that ends, if the thread that ends it is the profiled one, and ends its live file.
   Only the first call does anything.  Keeps errno.  */
void __cilkprof_end(void) {
  __cilkprof_reference_end();
  if (!ENGINE.started || ENGINE.finished)
    return;
  int error = errno;
  __cilkprof_signals_abandoned(NULL);
  __cilkprof_untracked_frames_left();
  if (THREAD.recording && THREAD.profiled == ENGINE.profiled && !runs_awaited_child())
    __cilkprof_live_end(__cilkprof_finish(getpid()) == 0);
  else
    say_there_is_no_profile();
  errno = error;
}

/* Ends the run when the program exits: writes the profile.  The destructor with the lowest priority number runs last,
   so the program's own destructors are measured, too.  */
static __attribute__((destructor(101))) void finish_engine_run(void) {
  __cilkprof_end();
}
