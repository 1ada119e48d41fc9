/* The profiled run, and whether to repeat it.
   SPDX-License-Identifier: MIT

   A program's work consists of long strands, whose time is measured, and short ones, whose time is counted or
   estimated.  If the sum differs from the time of the reference runs, it is the short strands that are wrong.  The
   profile cannot be corrected afterwards, because the critical path depends on these times.  So the program is run
   once more with a corrected scale.  */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

/* Deviations of less than a tenth are ignored, and those of more than a factor of eight are not corrected.  A small
   share of long strands is enough for a correction: where the rest is parallel, they are most of the span.  */
enum { PART = 10, MOST = 8, FEW = 10000 };

/* Reads the report of the profiled run: the time of all strands and of the long ones, in nanoseconds.  Returns false if
   the run has not left them.  */
static bool take_launched_measured_times(double *all_ns, double *long_ns) {
  char text[64];
  return take_launched_answer(text, sizeof text) && sscanf(text, "%lf %lf", all_ns, long_ns) == 2;
}

/* Returns the weight of long strands relative to short ones that makes the total equal to the time of the reference
   runs.  CILKPROF_TIMED_SCALE means no correction: none is needed, or none is possible.  */
static uint64_t launched_long_strand_scale(double reference_ns, double all_ns, double long_ns) {
  double short_ns = all_ns - long_ns, factor = (reference_ns - long_ns) / short_ns;
  if (long_ns * FEW < all_ns || short_ns * PART < all_ns || factor * MOST < 1 || factor > MOST ||
      (factor > 1 - 1. / PART && factor < 1 + 1. / PART))
    return CILKPROF_TIMED_SCALE;
  return (uint64_t)(CILKPROF_TIMED_SCALE / factor);
}

/* Runs the program for its profile, with long strands weighted by SCALE, and tells it about the reference runs.
   Returns its status, as returned by wait.  */
static int launch_profiled_with_scale(const struct program *program, const struct reference *reference, uint64_t scale,
                                      struct run_setup setup) {
  const struct cilkprof_usage *best = &reference->best;
  char *value = NULL;
  if (asprintf(&value, "%u %d " CILKPROF_USAGE_WRITE " %" PRIu64 " %s", reference->runs, WEXITSTATUS(reference->status),
               best->cpu_ns, best->system_ns, best->minor_faults, best->major_faults, scale,
               launched_answer_path()) < 0)
    fail_without_memory();
  setup.settings[0] = (struct setting){CILKPROF_REFERENCE, value};
  int status = launch_for_profile(program, setup);
  free(value);
  return status;
}

/* Repeats the profiled run with another SCALE, and discards what the program prints.  The program does not read input
   that can be read only once: otherwise there would be no reference.  */
static void relaunch_profiled_program(const struct program *program, const struct reference *reference,
                                      uint64_t scale) {
  bool once = launched_input_kind() == INPUT_ONCE;
  struct run_setup setup = {.input = once ? open_launched_stdin_probe() : 0, .silent = true};
  rewind_launched_input();
  launch_profiled_with_scale(program, reference, scale, setup);
  if (once)
    close_launched_stdin_probe(setup.input);
}

/* Warns that the profiled run ended with another status than the reference runs, so that its time is not checked.
   Prints nothing for a run that was killed by a signal, which has left no profile.  */
static void warn_launched_status_differs(const struct program *program, int status, const struct reference *reference) {
  if (WIFEXITED(status))
    say(program->name,
        "it exited with status %d, but with %d without instrumentation; the times of the profile are not checked",
        WEXITSTATUS(status), WEXITSTATUS(reference->status));
}

/* Runs PROGRAM for its profile, on WORKERS workers if that is not 0, a second time if that improves the times in the
   profile.  Returns the status of the first run.  */
int launch_profiled_program(const struct program *program, const struct reference *reference, unsigned workers) {
  const struct run_setup setup = {.workers = workers};
  double all_ns, long_ns;
  if (reference->runs == 0)
    return launch_for_profile(program, setup);
  int status = launch_profiled_with_scale(program, reference, CILKPROF_TIMED_SCALE, setup);
  if (status != reference->status)
    warn_launched_status_differs(program, status, reference);
  else if (!launcher_interruption() && take_launched_measured_times(&all_ns, &long_ns)) {
    uint64_t scale = launched_long_strand_scale((double)reference->best.cpu_ns, all_ns, long_ns);
    if (scale != CILKPROF_TIMED_SCALE)
      relaunch_profiled_program(program, reference, scale);
  }
  return status;
}
