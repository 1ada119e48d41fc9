/* Reference runs: the program without events, several times if it is short.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

enum { MOST = 3 };
static const uint64_t ENOUGH_NS = 2000000000;

/* Returns the time of a monotonic clock in nanoseconds, to measure how long the reference runs take.  */
static uint64_t reference_clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Reads what the last reference run reports as its CPU time and page faults into USED.  Returns false if it has
   reported nothing.  */
static bool take_reference_usage(struct cilkprof_usage *used) {
  char text[128];
  return take_launched_answer(text, sizeof text) && sscanf(text, CILKPROF_USAGE_READ, &used->cpu_ns, &used->system_ns,
                                                           &used->minor_faults, &used->major_faults) == 4;
}

/* Returns whether files may have so many bytes as a reference run tells.  */
static bool may_launched_files_grow(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= 128;
}

/* Returns whether a run that ended with STATUS counts as a reference; if not, prints why.  A nonzero status may be a
   result, as of a program that searches for something, if every run ends with it.  */
static bool counts_as_reference(const struct program *program, const struct reference *before, int status,
                                bool read_input, bool answered) {
  static const char unchecked[] = "the times of the profile are not checked";
  if (WIFSIGNALED(status))
    say(program->name, "the reference run was killed by signal %d (%s); %s", WTERMSIG(status),
        strsignal(WTERMSIG(status)), unchecked);
  else if (read_input)
    say(program->name,
        "it reads standard input, which can be read only once; %s; redirect the input from a file (<FILE)", unchecked);
  else if (before->runs > 0 && status != before->status)
    say(program->name, "reference runs exited with status %d and %d; %s", WEXITSTATUS(before->status),
        WEXITSTATUS(status), unchecked);
  else if (!answered && !may_launched_files_grow())
    say(program->name, "the limit of file sizes (ulimit -f) is too small for the time of the reference run; %s",
        unchecked);
  else if (!answered)
    say(program->name, "the reference run did not end in its first thread; %s", unchecked);
  else
    return true;
  return false;
}

/* Runs PROGRAM once without its events and without output, and adds the result to REFERENCE: the status, and the usage
   if it is the shortest so far.  Returns false if the run does not count.  */
static bool run_reference_once(const struct program *program, struct reference *reference) {
  enum input input = launched_input_kind();
  struct run_setup setup = {
      .settings = {{CILKPROF_REFERENCE_TO, launched_answer_path()}},
      .input = input == INPUT_ONCE ? open_launched_stdin_probe() : 0,
      .silent = true,
  };
  struct cilkprof_usage used;
  show_launcher_progress("reference run %u", reference->runs + 1);
  int status = run_launched_program(program, &setup).status;
  clear_launcher_progress();
  bool read_input = input == INPUT_ONCE && close_launched_stdin_probe(setup.input),
       answered = take_reference_usage(&used);
  rewind_launched_input();
  bool good = !launcher_interruption() && counts_as_reference(program, reference, status, read_input, answered);
  reference->status = status;
  if (good && (reference->runs++ == 0 || used.cpu_ns < reference->best.cpu_ns))
    reference->best = used;
  return good;
}

/* Runs PROGRAM without its events, RUNS times or, if that is 0, as often as is worth it.  Returns the shortest run.  */
struct reference measure_reference_runs(const struct program *program, unsigned runs) {
  struct reference reference = {0};
  uint64_t start = reference_clock_ns();
  bool more = true;
  launched_answer_path(); /* create it before anything is run */
  while (more) {
    bool good = run_reference_once(program, &reference);
    uint64_t took = reference_clock_ns() - start;
    if (!good)
      reference.runs = 0;
    more = good &&
           (runs > 0 ? reference.runs < runs : reference.runs < MOST && took + took / (reference.runs + 1) < ENOUGH_NS);
  }
  return reference;
}
