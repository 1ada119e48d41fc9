/* The commands that run a program: each is what cilkprof-run does with some of its options, and a report.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/command/command.h"
#include "libcilkprof/launcher/launcher.h"

/* Where profiles of work and span are, and samples, which must not take their place: a report can be of both.  */
static const char default_profile[] = "cilkprof.out", default_samples[] = "cilkprof.samples",
                  one_worker_samples[] = "cilkprof.one.samples";

/* Sets the file that a run leaves to FILE, unless the command line or the environment names another one.  Fails if
   something that nobody has asked for would be written to: a pipe or a device.  */
static void set_default_measured_output(struct options *options, const char *file) {
  const char *variable = getenv("CILKPROF_OUT");
  struct stat status;
  if (options->output != NULL)
    return;
  options->output = variable != NULL && *variable != 0 ? variable : file;
  if (options->output == file && stat(file, &status) == 0 && !S_ISREG(status.st_mode))
    fail(file, "it is not a file; remove it, or choose another name with -o");
}

/* Returns whether PROGRAM makes a profile of work and span: otherwise its parallel run is sampled.  */
static bool is_command_program_profiled(const struct program *program) {
  return program->instrumented || program->annotated;
}

/* Prints the report of the file OUTPUT, with OPTION, and ANOTHER unless that is NULL.  Returns STATUS, the exit status
   of the run, or that of the report if the run did not fail.  */
static int report_on_file(const char *output, const char *option, const char *another, int status) {
  struct arguments arguments = {0};
  fflush(stdout);
  add_command_argument(&arguments, "cilkprof-report");
  add_command_argument(&arguments, option);
  if (another != NULL)
    add_command_argument(&arguments, another);
  add_command_argument(&arguments, output);
  int reported = run_report(&arguments, false);
  return status != 0 ? status : reported;
}

/* Runs PROGRAM, and prints the report of the file that it leaves, with OPTION.  Returns the exit status of the
   program, or that of the report if the program did not fail.  A program that left no file has printed why.  */
static int run_and_report(const struct program *program, const struct options *options, const char *option) {
  int status = launch(program, options);
  if (options->trials || !is_launched_profile_written())
    return status;
  if (access(options->output, R_OK) != 0)
    fail(options->output, "%s; name the file that the program left: cilkprof report FILE", strerror(errno));
  char *processors = NULL;
  if (options->processors > 0 && asprintf(&processors, "--processors=%u", options->processors) < 0)
    fail_without_memory();
  status = report_on_file(options->output, option, processors, status);
  free(processors);
  return status;
}

/* Prints that the command NAME of cilkprof is to be given the profile FILE next, unless it reads that anyway.  PAGE, if
   it is not NULL, is what it writes.  */
static void suggest_reading(const char *name, const char *page, const char *file) {
  struct arguments command = {0};
  add_command_argument(&command, "cilkprof");
  add_command_argument(&command, name);
  if (page != NULL)
    add_command_argument(&command, page);
  if (strcmp(file, default_profile) != 0)
    add_command_argument(&command, file);
  suggest_command(&command);
}

/* Prints that PROGRAM, with its arguments, is to be run by the command NAME of cilkprof next.  WORKERS takes the place
   of {} in them, unless it is 0.  */
static void suggest_running(const char *name, const struct program *program, const struct options *options,
                            unsigned workers) {
  struct arguments command = {0};
  char **words = launched_arguments(program, workers);
  if (words == NULL)
    fail_without_memory();
  add_command_argument(&command, "cilkprof");
  add_command_argument(&command, name);
  if (options->openmp)
    add_command_argument(&command, "--openmp");
  add_command_arguments(&command, words);
  suggest_command(&command);
}

/* Makes the run of PROGRAM measure work and span if it is one of OpenMP, as it is, with as many threads as the speedups
   are to be known for, or one that forks by hand.  Returns whether it is.  */
static bool watch_program(const struct program *program, struct options *options) {
  enum { LEAST_THREADS = 8 };
  unsigned share = find_launcher_processors().share;
  bool openmp = program->gomp || program->omp || options->openmp;
  if (options->trials || is_command_program_profiled(program) || program->cilk ||
      !(openmp || program->hand || options->hand))
    return false;
  options->watched = true;
  if (openmp && options->record_workers == 0 && getenv("OMP_NUM_THREADS") == NULL)
    options->record_workers = options->processors > 0 ? options->processors
                              : share > LEAST_THREADS ? share
                                                      : LEAST_THREADS;
  return true;
}

/* Profiles a program or samples it, as it was built.  Returns its exit status.  */
int measure_profile(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  watch_program(&program, &options);
  set_default_measured_output(&options, default_profile);
  int status = launch(&program, &options);
  if (status == 0 && !options.trials)
    suggest_reading("report", NULL, options.output);
  return status;
}

/* Returns whether FILE is a profile of work and span whose program is still there.  */
static bool has_measured_bounds(const char *file) {
  struct arguments arguments = {0};
  if (access(file, R_OK) != 0)
    return false;
  add_command_argument(&arguments, "cilkprof-report");
  add_command_argument(&arguments, "--summary");
  add_command_argument(&arguments, file);
  return run_report(&arguments, true) == 0;
}

/* Returns the largest number in LIST, which is separated by commas; 0, the program's default, if that is NULL.  */
static unsigned largest_worker_number(const char *list) {
  unsigned long largest = 0;
  while (list != NULL && *list != 0) {
    char *end;
    unsigned long number = strtoul(list, &end, 10);
    largest = number > largest ? number : largest;
    list = *end == ',' ? end + 1 : NULL;
  }
  return (unsigned)largest;
}

/* Returns the largest number of workers of trials with OPTIONS.  */
static unsigned most_trial_workers(const struct options *options) {
  unsigned largest = largest_worker_number(options->workers);
  return largest > 0 ? largest : find_launcher_processors().share;
}

/* Returns whether a parallel run of PROGRAM can be sampled with the arguments of its trials, none of which stands for
   the number of workers.  */
static bool can_sample_trial(const struct program *program, char **words) {
  bool fixed = true;
  for (; *words != NULL; words++)
    fixed &= strstr(*words, "{}") == NULL;
  return fixed && !is_command_program_profiled(program) && (program->cilk || program->gomp || program->omp);
}

/* Returns the least processor time of a run in FILE, which trials left, in seconds; 0 if that is unknown.  */
static double least_trial_cpu_seconds(const char *file) {
  FILE *in = fopen(file, "re");
  char *line = NULL;
  size_t room = 0;
  double least = 0, seconds;
  while (in != NULL && getline(&line, &room, in) >= 0)
    if (sscanf(line, "%*u %*f %lf", &seconds) == 1 && seconds > 0 && (least == 0 || seconds < least))
      least = seconds;
  free(line);
  if (in != NULL)
    fclose(in);
  return least;
}

/* Returns how many samples per second are taken of a run whose trials are in FILE: those of OPTIONS, or as many as a
   short run needs for its losses to be known within a few percent, but no more than cost a few percent of its time.
   0 is the default.  */
static unsigned trial_sampling_hz(const struct options *options, const char *file) {
  enum { ENOUGH = 1000, DEFAULT_HZ = 1000, MOST_HZ = 10000 };
  double seconds = options->hz == 0 ? least_trial_cpu_seconds(file) : 0;
  if (seconds <= 0 || seconds * DEFAULT_HZ >= ENOUGH)
    return options->hz;
  return seconds * MOST_HZ <= ENOUGH ? MOST_HZ : (unsigned)(ENOUGH / seconds);
}

/* Samples a run of PROGRAM with so many WORKERS into FILE, HZ times per second, in a process of its own, and without
   its output.  Returns whether that succeeded.  */
static bool sample_trial(const struct program *program, const struct options *trials, unsigned workers, unsigned hz,
                         const char *file) {
  struct options options = {
      .output = file, .record_workers = workers, .hz = hz, .openmp = trials->openmp, .argv = trials->argv};
  fflush(stdout);
  rewind_launched_input();
  pid_t child = fork();
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
      _exit(1);
    exit(launch(program, &options));
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return child > 0 && status == 0;
}

/* Adds the samples of a run on all workers and of one on a single worker to ARGUMENTS of the report, which then says
   what took the difference where a speedup is below its bounds.  The times are in the file TRIALS.  */
static void add_trial_samples(struct arguments *arguments, const struct program *program, const struct options *options,
                              const char *trials) {
  unsigned hz = trial_sampling_hz(options, trials);
  if (!can_sample_trial(program, options->argv) ||
      !sample_trial(program, options, largest_worker_number(options->workers), hz, default_samples))
    return;
  add_command_argument(arguments, default_samples);
  if (sample_trial(program, options, 1, hz, one_worker_samples))
    add_command_argument(arguments, one_worker_samples);
}

/* Prints the times in the file TRIALS beside the bounds of the last profile, and what took the difference.  Returns the
   exit status of the report.  */
static int report_on_trials(const struct program *program, const struct options *options, const char *trials) {
  struct arguments arguments = {0};
  char *option = NULL;
  if (asprintf(&option, "--trials=%s", trials) < 0)
    fail_without_memory();
  add_command_argument(&arguments, "cilkprof-report");
  add_command_argument(&arguments, option);
  add_command_argument(&arguments, "-b");
  add_command_argument(&arguments, default_profile);
  add_trial_samples(&arguments, program, options, trials);
  free(option);
  return run_report(&arguments, false);
}

/* Measures running times on 1 to all processors, and prints and plots them, with the bounds of the last profile if
   there is one.
   Returns the exit status.  */
int measure_scaling(int argc, char **argv) {
  struct arguments arguments = {0};
  add_command_argument(&arguments, argv[0]);
  add_command_argument(&arguments, "--trials");
  add_command_arguments(&arguments, argv + 1);
  struct options options = launcher_options_read(argc + 1, arguments.words);
  struct program program = find_launched_program(options.argv);
  const char *file = options.output != NULL ? options.output : "cilkprof.trials";
  bool bounds = options.bounds == NULL && has_measured_bounds(default_profile);
  options.no_table = bounds;
  int status = launch(&program, &options);
  if (!isatty(STDOUT_FILENO) && setenv("COLUMNS", "80", 0) < 0) /* for the report, as its screen is */
    fail_without_memory();
  char *trials = NULL;
  if (asprintf(&trials, "--trials=%s", file) < 0)
    fail_without_memory();
  if (status == 0 && bounds) {
    status = report_on_trials(&program, &options, file);
    putchar('\n');
    status = report_on_file(default_profile, trials, "--plot=text", status);
  }
  if (status == 0)
    suggest_running("waste", &program, &options, most_trial_workers(&options));
  free(trials);
  return status;
}

/* Samples a parallel run and prints what it wasted.  Returns the exit status of the program, or that of the report.  */
int measure_waste(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  if (program.instrumented && program.mode == MODE_WORKERS)
    fail(program.name, "compiled with -fcilkprof=parallel, it is profiled and cannot be sampled as well; build it with "
                       "cilkprof cc --parallel");
  if (is_command_program_profiled(&program))
    fail(program.name, "built for profiling, it runs on one processor; build it with cilkprof cc --parallel, or for "
                       "OpenMP with -fopenmp alone");
  set_default_measured_output(&options, default_samples);
  int status = run_and_report(&program, &options, "--screen");
  if (status == 0)
    suggest_reading("html", "cilkprof.html", options.output);
  return status;
}

/* Profiles the program and prints the speedups that it predicts.  Returns the exit status of the program, or that
   of the report.  */
int measure_prediction(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  if (!is_command_program_profiled(&program))
    fail(program.name, "predictions need a profiling build; compile it with cilkprof cc, or "
                       "annotate serial code (cilkprof predict --help)");
  set_default_measured_output(&options, default_profile);
  return run_and_report(&program, &options, "--emulate");
}

/* Finds out what the build of the program allows, and prints the report: the profile, or what a parallel run wasted.
   Returns the exit status of the program, or that of the report.  */
int measure_whole(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  bool profiled = watch_program(&program, &options) || is_command_program_profiled(&program);
  set_default_measured_output(&options, profiled ? default_profile : default_samples);
  int status = run_and_report(&program, &options, "--screen");
  if (status == 0 && !is_command_program_profiled(&program))
    suggest_running("scale", &program, &options, 0);
  return status;
}
