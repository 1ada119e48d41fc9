/* The commands that run a program: each is what cilkprof-run does with some of its options, and a report.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/command/command.h"
#include "libcilkprof/launcher/launcher.h"

/* Where profiles of work and span are, and samples, which must not take their place: a report can be of both.  */
static const char default_profile[] = "cilkprof.out", default_samples[] = "cilkprof.samples";

/* Sets the file that a run leaves to FILE, unless the command line or the environment names another one.  */
static void set_default_output(struct options *options, const char *file) {
  const char *variable = getenv("CILKPROF_OUT");
  if (options->output == NULL)
    options->output = variable != NULL && *variable != 0 ? variable : file;
}

/* Returns whether PROGRAM makes a profile of work and span: otherwise its parallel run is sampled.  */
static bool is_profiled(const struct program *program) {
  return program->instrumented || program->annotated;
}

/* Prints the report of the file OUTPUT, with OPTION and ANOTHER unless these are NULL.  Returns STATUS, the exit status
   of the run, or that of the report if the run did not fail.  */
static int report_on_file(const char *output, const char *option, const char *another, int status) {
  struct arguments arguments = {0};
  fflush(stdout);
  add_argument(&arguments, "cilkprof-report");
  if (option != NULL)
    add_argument(&arguments, option);
  if (another != NULL)
    add_argument(&arguments, another);
  add_argument(&arguments, output);
  int reported = run_report(&arguments, false);
  return status != 0 ? status : reported;
}

/* Runs PROGRAM, and prints the report of the file that it leaves, with OPTION unless that is NULL.  Returns the exit
   status of the program, or that of the report if the program did not fail.  A program that left no file has printed
   why.  */
static int run_and_report(const struct program *program, const struct options *options, const char *option) {
  int status = launch(program, options);
  if (options->trials || !is_profile_written(program))
    return status;
  if (access(options->output, R_OK) != 0)
    fail(options->output, "%s; name the file that the program left: cilkprof report FILE", strerror(errno));
  return report_on_file(options->output, option, NULL, status);
}

/* Profiles a program or samples it, as it was built.  Returns its exit status.  */
int measure_profile(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  set_default_output(&options, default_profile);
  int status = launch(&program, &options);
  if (status == 0 && !options.trials)
    suggest(strcmp(options.output, default_profile) == 0 ? "cilkprof report" : "cilkprof report %s", options.output);
  return status;
}

/* Returns whether FILE is a profile of work and span whose program is still there.  */
static bool has_bounds(const char *file) {
  struct arguments arguments = {0};
  if (access(file, R_OK) != 0)
    return false;
  add_argument(&arguments, "cilkprof-report");
  add_argument(&arguments, "--summary");
  add_argument(&arguments, file);
  return run_report(&arguments, true) == 0;
}

/* Measures running times on 1 to all processors, and prints and plots them, with the bounds of the last profile if
   there is one.
   Returns the exit status.  */
int measure_scaling(int argc, char **argv) {
  struct arguments arguments = {0};
  add_argument(&arguments, argv[0]);
  add_argument(&arguments, "--trials");
  add_arguments(&arguments, argv + 1);
  struct options options = launcher_options_read(argc + 1, arguments.words);
  struct program program = find_launched_program(options.argv);
  const char *file = options.output != NULL ? options.output : "cilkprof.trials";
  bool bounds = options.bounds == NULL && has_bounds(default_profile);
  options.no_table = bounds;
  int status = launch(&program, &options);
  if (!isatty(STDOUT_FILENO) && setenv("COLUMNS", "80", 0) < 0) /* for the report, as its screen is */
    fail_without_memory();
  char *trials = NULL;
  if (asprintf(&trials, "--trials=%s", file) < 0)
    fail_without_memory();
  if (status == 0 && bounds) {
    status = report_on_file(default_profile, trials, "-b", status);
    putchar('\n');
    status = report_on_file(default_profile, trials, "--plot=text", status);
  }
  if (status == 0)
    suggest("cilkprof waste %s", program.name);
  free(trials);
  return status;
}

/* Samples a parallel run and prints what it wasted.  Returns the exit status of the program, or that of the report.  */
int measure_waste(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  if (is_profiled(&program))
    fail(program.name, "built for profiling, it runs on one processor; build it with cilkprof cc --parallel, or for "
                       "OpenMP with -fopenmp alone");
  set_default_output(&options, default_samples);
  int status = run_and_report(&program, &options, NULL);
  if (status == 0)
    suggest("cilkprof html cilkprof.html %s", options.output);
  return status;
}

/* Profiles the program and prints the speedups that it predicts.  Returns the exit status of the program, or that
   of the report.  */
int measure_prediction(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  if (!is_profiled(&program))
    fail(program.name, "predictions need a profiling build; compile it with cilkprof cc, or "
                       "annotate serial code (cilkprof predict --help)");
  set_default_output(&options, default_profile);
  return run_and_report(&program, &options, "--emulate");
}

/* Finds out what the build of the program allows, and prints the report: the profile, or what a parallel run wasted.
   Returns the exit status of the program, or that of the report.  */
int measure_whole(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  set_default_output(&options, is_profiled(&program) ? default_profile : default_samples);
  int status = run_and_report(&program, &options, NULL);
  if (status == 0 && !is_profiled(&program))
    suggest("cilkprof scale %s", program.name);
  return status;
}
