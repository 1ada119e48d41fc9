/* The run that is profiled, and whether another one would be better.
   SPDX-License-Identifier: MIT

   A program's work is that of long strands, whose time is known, and of short ones, whose time is counted or learnt.
   Where the sum is not what the reference runs took, it is the short ones that are wrong.  The profile cannot be put
   right afterwards: which path is the longest depends on it.  So the program is run once more with what was found
   out.  */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

/* Less than a tenth does not matter, and more than eight times is no correction.  Long strands may be few: where the
   rest is parallel, they are most of the span.  */
enum { PART = 10, MOST = 8, FEW = 10000 };

static bool take_measured(double *all_ns, double *long_ns) {
  char text[64];
  return answer_take(text, sizeof text) && sscanf(text, "%lf %lf", all_ns, long_ns) == 2;
}

/* What long strands are to be worth beside the short ones, so that all that was measured is what the reference took;
   CILKPROF_TIMED_SCALE: what they took, as it is or no correction is to be had.  */
static uint64_t scale_for(double reference_ns, double all_ns, double long_ns) {
  double short_ns = all_ns - long_ns, factor = (reference_ns - long_ns) / short_ns;
  if (long_ns * FEW < all_ns || short_ns * PART < all_ns || factor * MOST < 1 || factor > MOST ||
      (factor > 1 - 1. / PART && factor < 1 + 1. / PART))
    return CILKPROF_TIMED_SCALE;
  return (uint64_t)(CILKPROF_TIMED_SCALE / factor);
}

/* The profiled run, where long strands are worth SCALE.  */
static int run_with(const struct program *program, const struct reference *reference, uint64_t scale, struct how how) {
  const struct cilkprof_usage *best = &reference->best;
  char *value = NULL;
  if (asprintf(&value, "%u %d " CILKPROF_USAGE_WRITE " %" PRIu64 " %s", reference->runs, WEXITSTATUS(reference->status),
               best->cpu_ns, best->system_ns, best->minor_faults, best->major_faults, scale, answer_path()) < 0)
    fail_without_memory();
  how.setting = (struct setting){CILKPROF_REFERENCE, value};
  int status = run(program, &how);
  free(value);
  return status;
}

/* Once more, in silence.  It does not read what can be read only once, or there would be no reference.  */
static void run_again(const struct program *program, const struct reference *reference, uint64_t scale) {
  bool once = input_kind() == INPUT_ONCE;
  struct how how = {.input = once ? stdin_probe() : 0, .silent = true};
  input_rewind();
  run_with(program, reference, scale, how);
  if (once)
    stdin_probe_taken(how.input);
}

/* It did not do what the reference runs did.  One that a signal ended has left no profile to be checked.  */
static void say_difference(const struct program *program, int status, const struct reference *reference) {
  if (WIFEXITED(status))
    say(program->name,
        "it ended with status %d, and without its events with %d; the time of its profile is not checked",
        WEXITSTATUS(status), WEXITSTATUS(reference->status));
}

int measured_run(const struct program *program, const struct reference *reference) {
  const struct how how = {0};
  double all_ns, long_ns;
  if (reference->runs == 0)
    return run(program, &how);
  int status = run_with(program, reference, CILKPROF_TIMED_SCALE, how);
  if (status != reference->status)
    say_difference(program, status, reference);
  else if (!run_interrupted() && take_measured(&all_ns, &long_ns)) {
    uint64_t scale = scale_for((double)reference->best.cpu_ns, all_ns, long_ns);
    if (scale != CILKPROF_TIMED_SCALE)
      run_again(program, reference, scale);
  }
  return status;
}
