/* Reference runs: the program without events, several times if it is short.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

enum { MOST = 3 };
static const uint64_t ENOUGH_NS = 2000000000;

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool take_usage(struct cilkprof_usage *used) {
  char text[128];
  return answer_take(text, sizeof text) && sscanf(text, CILKPROF_USAGE_READ, &used->cpu_ns, &used->system_ns,
                                                  &used->minor_faults, &used->major_faults) == 4;
}

/* Returns whether a run that ended with STATUS counts as a reference; if not, prints why.  A nonzero status may be a
   result, as of a program that searches for something, if every run ends with it.  */
static bool counts(const struct program *program, const struct reference *before, int status, bool read_input,
                   bool answered) {
  static const char unchecked[] = "the time of its profile is not checked";
  if (WIFSIGNALED(status))
    say(program->name, "the reference run ended by signal %d (%s); %s", WTERMSIG(status), strsignal(WTERMSIG(status)),
        unchecked);
  else if (read_input)
    say(program->name, "it reads standard input, which can be read only once; %s, give the input as a file (<FILE)",
        unchecked);
  else if (before->runs > 0 && status != before->status)
    say(program->name, "reference runs ended with status %d and with %d; %s", WEXITSTATUS(before->status),
        WEXITSTATUS(status), unchecked);
  else if (!answered)
    say(program->name, "the reference run did not end in its first thread; %s", unchecked);
  else
    return true;
  return false;
}

static bool run_once(const struct program *program, struct reference *reference) {
  enum input input = input_kind();
  struct run_setup setup = {
      .setting = {CILKPROF_REFERENCE_TO, answer_path()},
      .input = input == INPUT_ONCE ? stdin_probe() : 0,
      .silent = true,
  };
  struct cilkprof_usage used;
  say_for_now("reference run %u", reference->runs + 1);
  int status = run(program, &setup);
  clear_status();
  bool read_input = input == INPUT_ONCE && stdin_probe_taken(setup.input), answered = take_usage(&used);
  input_rewind();
  bool good = !run_interrupted() && counts(program, reference, status, read_input, answered);
  reference->status = status;
  if (good && (reference->runs++ == 0 || used.cpu_ns < reference->best.cpu_ns))
    reference->best = used;
  return good;
}

struct reference reference_measure(const struct program *program, unsigned runs) {
  struct reference reference = {0};
  uint64_t start = now_ns();
  bool more = true;
  answer_path(); /* create it before anything is run */
  while (more) {
    bool good = run_once(program, &reference);
    uint64_t took = now_ns() - start;
    if (!good)
      reference.runs = 0;
    more = good &&
           (runs > 0 ? reference.runs < runs : reference.runs < MOST && took + took / (reference.runs + 1) < ENOUGH_NS);
  }
  return reference;
}
