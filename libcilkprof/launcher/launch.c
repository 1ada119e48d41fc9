/* What to do with a program: profile it, sample a parallel run of it, or measure its running times.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

/* Returns the exit status of cilkprof-run for a program that ended with STATUS, as returned by wait: the program's own,
   or 128 plus the signal that killed it.  */
static int launched_exit_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Does the reference runs, unless the user wants none or PROGRAM cannot run without its events.  Returns their result,
   with 0 runs if there were none.  Exits if cilkprof-run was interrupted, with a status that says so even if the
   program took no notice of the signal: there is no profile.  */
static struct reference reference_if_wanted(const struct program *program, const struct options *options) {
  struct reference reference = {0};
  if (options->no_reference || !program->instrumented) /* annotations have no events to leave out */
    return reference;
  if (program->main == MAIN_UNKNOWN)
    say(program->name, "its main was not compiled with -fcilkprof, so the times of the profile cannot be checked");
  if (program->main == MAIN_BARE)
    reference = measure_reference_runs(program, options->runs);
  if (launcher_interruption()) {
    int status = launched_exit_status(reference.status);
    exit(status != 0 ? status : 128 + launcher_interruption());
  }
  return reference;
}

/* Returns the exit status of cilkprof-run after PROGRAM was run for its profile and ended with STATUS.  If it left
   none, says so, and where what it had measured until then is; but a signal that killed it is reason enough to have
   neither.  */
static int launched_profiled_exit_status(const struct program *program, int status) {
  static const char rest[] = "prints what it had measured until then";
  if (is_launched_profile_written())
    return launched_exit_status(status);
  char *live = find_launched_live_file();
  if (WIFSIGNALED(status) && live != NULL)
    say(program->name, "killed by signal %d (%s); cilkprof report %s %s", WTERMSIG(status), strsignal(WTERMSIG(status)),
        live, rest);
  else if (live != NULL)
    say(program->name, "no complete profile was written; the program exited with status %d; cilkprof report %s %s",
        WEXITSTATUS(status), live, rest);
  else if (!WIFSIGNALED(status))
    say(program->name, "no profile was written; the program exited with status %d", WEXITSTATUS(status));
  free(live);
  return WIFSIGNALED(status) ? launched_exit_status(status) : LAUNCH_FAILED;
}

/* Fails if OPTIONS has some for sampled runs that do not go with PROGRAM, which is profiled.  A serial run is sampled
   beside its events, and how often can be said.  */
static void refuse_recording_options(const struct program *program, const struct options *options) {
  struct options others = *options;
  others.hz = program->instrumented ? 0 : options->hz;
  const char *option = options->cilk_option != NULL ? options->cilk_option : given_recording_option(&others);
  if (program->mode == MODE_WORKERS && (options->hz > 0 || options->openmp))
    fail(options->hz > 0 ? "-F" : "--openmp",
         "%s was compiled with -fcilkprof=parallel; build it with cilkprof cc --parallel (or -fopenmp alone) to sample "
         "it",
         program->name);
  if (option != NULL && program->mode != MODE_WORKERS)
    fail(option,
         "%s was compiled with -fcilkprof and runs on one processor; build it with cilkprof cc --parallel (or -fopenmp "
         "alone) to sample it",
         program->name);
}

/* Profiles PROGRAM if it was compiled with -fcilkprof, and otherwise records samples of a parallel run.  Returns the
   exit status of cilkprof-run.  */
static int profile_or_record(const struct program *program, const struct options *options) {
  if (options->output != NULL)
    set_for_launched_programs(CILKPROF_OUT_TO, options->output);
  if (!program->instrumented && !program->annotated)
    return launched_profiled_exit_status(program, launch_recorded_program(program, options));
  refuse_recording_options(program, options);
  if (options->whatif_option != NULL && (program->mode == MODE_OTHER || program->mode == MODE_WORKERS))
    fail(options->whatif_option, "%s was not built for what-if questions; compile it with -fcilkprof=whatif",
         program->name);
  if (options->hz > 0)
    set_sampling_rate_for_launched(options->hz);
  struct reference reference = reference_if_wanted(program, options);
  return launched_profiled_exit_status(program, launch_profiled_program(program, &reference, options->record_workers));
}

/* Profiles PROGRAM, samples it or measures its running times, as OPTIONS and its build say.  Returns the exit status of
   cilkprof-run.  */
int launch(const struct program *program, const struct options *options) {
  unsetenv(CILKPROF_REFERENCE);
  unsetenv(CILKPROF_REFERENCE_TO);
  unsetenv(CILKPROF_WRITTEN_TO);
  unsetenv(CILKPROF_OUT_TO);
  unsetenv(CILKPROF_SAMPLED_AT);
  prepare_launching();
  return options->trials ? run_launched_trials(program, options) : profile_or_record(program, options);
}
