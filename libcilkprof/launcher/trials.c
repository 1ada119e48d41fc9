/* Running times of a program on several numbers of processors.  The configurations take turns, so that disturbances
   by other programs affect all of them alike.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/launcher/trials.h"

struct measurement {
  const struct program *program;
  const struct plan *plan;
  const struct processors *processors;
  struct trials *trials;
  struct setting recording; /* for sampled runs */
  int status;               /* of the first run, as returned by wait */
};

/* A running process: the only one, or one of several copies with one worker each.  */
struct process {
  pid_t process;
  int input, output;
  double started;
  cpu_set_t processors;
  double busy; /* of its processors when it started, in seconds; negative: not known */
  struct trial trial;
  int status;
};

/* Returns the time of a monotonic clock in seconds.  */
static double trial_clock_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Returns TIME, from the resource usage of a process, in seconds.  */
static double trial_usage_seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Starts PROCESS with WORKERS workers, on as many processors from index FIRST on, with input and output of its own.
   Returns false if cilkprof-run was interrupted.  */
static bool start_trial_process(const struct measurement *measurement, struct process *process, unsigned workers,
                                unsigned first) {
  enum input input = launched_input_kind();
  process->input = input == INPUT_FILE   ? reopen_launched_input()
                   : input == INPUT_ONCE ? open_launched_stdin_probe()
                                         : 0;
  process->output = open_trial_output();
  CPU_ZERO(&process->processors);
  for (unsigned i = 0; i < workers; i++)
    CPU_SET(measurement->processors->numbers[first + i], &process->processors);
  struct run_setup setup = {.settings = {measurement->recording},
                            .input = process->input,
                            .output = process->output,
                            .silent = true,
                            .workers = workers,
                            .processors = &process->processors};
  process->busy = launcher_busy_seconds(&process->processors);
  process->started = trial_clock_seconds();
  process->process = launch_program(measurement->program, &setup);
  return process->process > 0;
}

/* Waits until one of COUNT running PROCESSES ends, and notes its status, elapsed time and CPU time.  */
static void wait_for_trial_process(const struct program *program, struct process *processes, unsigned count) {
  struct run_result ended = wait_for_launched_program(program);
  double end = trial_clock_seconds();
  unsigned i = 0;
  while (i < count && processes[i].process != ended.process)
    i++;
  struct process *process = &processes[i];
  process->status = ended.status;
  process->trial.seconds = end - process->started;
  process->trial.system_seconds = trial_usage_seconds(ended.used.ru_stime);
  process->trial.cpu_seconds = trial_usage_seconds(ended.used.ru_utime) + process->trial.system_seconds;
  double busy = launcher_busy_seconds(&process->processors);
  process->trial.busy = process->busy >= 0 && busy >= 0 &&
                        is_launched_trial_disturbed(busy - process->busy, process->trial.cpu_seconds,
                                                    process->trial.seconds, (unsigned)CPU_COUNT(&process->processors));
}

/* Fails if a run with WORKERS workers was killed by a signal, or ended with another STATUS than the FIRST run.  A
   nonzero status may be a result, as of a program that searches for something, if every run ends with it.  */
static void check_trial_status(const struct program *program, int status, int first, unsigned workers) {
  char what[96];
  if (WIFSIGNALED(status))
    snprintf(what, sizeof what, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (status != first)
    snprintf(what, sizeof what, "with status %d, and in the first run with %d", WEXITSTATUS(status),
             WEXITSTATUS(first));
  else
    return;
  fail(program->name, "with %u worker%s it ended %s; to see its messages: CILK_NWORKERS=%u OMP_NUM_THREADS=%u %s",
       workers, workers == 1 ? "" : "s", what, workers, workers, program->name);
}

/* Compares what the process printed with the output of other runs, and fails if it read input that can be read only
   once.  Closes both files.  */
static void check_trial_streams(const struct program *program, struct process *process, unsigned workers) {
  compare_trial_output(process->output, workers);
  if (launched_input_kind() == INPUT_ONCE) {
    if (close_launched_stdin_probe(process->input))
      fail(program->name,
           "it reads standard input, which can be read only once; redirect the input from a file (<FILE)");
  } else if (process->input > 0) {
    close(process->input);
  }
}

/* Appends a copy of TRIAL to the list of trials.  */
static void add_trial(struct trials *trials, const struct trial *trial) {
  if (trials->count == trials->room) {
    trials->room = 2 * trials->room + 64;
    trials->list = reallocarray(trials->list, trials->room, sizeof *trials->list);
    if (trials->list == NULL)
      fail_without_memory();
  }
  trials->list[trials->count++] = *trial;
}

/* Runs COPIES of the program at once, with WORKERS workers each, and adds their trials.  Returns false if cilkprof-run
   was interrupted; then these runs do not count.  */
static bool measure_trial(struct measurement *measurement, unsigned copies, unsigned workers) {
  static struct process processes[CPU_SETSIZE];
  const struct program *program = measurement->program;
  unsigned started = 0;
  for (; started < copies; started++) {
    struct trial trial = {.copy = copies > 1, .number = copies > 1 ? copies : workers};
    processes[started] = (struct process){.trial = trial};
    if (!start_trial_process(measurement, &processes[started], workers, started * workers))
      break;
  }
  for (unsigned i = 0; i < started; i++)
    wait_for_trial_process(program, processes, started);
  if (launcher_interruption())
    return false;
  for (unsigned i = 0; i < started; i++) {
    if (measurement->trials->count == 0)
      measurement->status = processes[i].status;
    check_trial_streams(program, &processes[i], workers);
    check_trial_status(program, processes[i].status, measurement->status, workers);
    add_trial_samples(program, processes[i].process, copies > 1);
    add_trial(measurement->trials, &processes[i].trial);
  }
  return true;
}

/* Runs all rounds of the plan: in each, one trial for each number of workers, and then the copies.  Returns false if
   cilkprof-run was interrupted.  */
static bool measure_all_trials(struct measurement *measurement) {
  const struct plan *plan = measurement->plan;
  for (unsigned round = 1; round <= plan->runs; round++) {
    for (size_t i = 0; i < plan->count; i++) {
      show_launcher_progress("round %u of %u: %u worker%s  ", round, plan->runs, plan->workers[i],
                             plan->workers[i] == 1 ? "" : "s");
      if (!measure_trial(measurement, 1, plan->workers[i]))
        return false;
    }
    if (plan->copies > 0)
      show_launcher_progress("round %u of %u: %u copies  ", round, plan->runs, plan->copies);
    if (plan->copies > 0 && !measure_trial(measurement, plan->copies, 1))
      return false;
  }
  return true;
}

/* Warns if every run ended with a nonzero status, or if the output depends on the number of workers.  */
static void warn_about_launched_trials(const struct measurement *measurement) {
  const char *name = measurement->program->name;
  unsigned workers = trial_workers_with_other_output();
  if (WEXITSTATUS(measurement->status) != 0)
    say(name, "every run exited with status %d", WEXITSTATUS(measurement->status));
  if (workers > 0)
    say(name, "its output with %u workers differs from that with one", workers);
}

/* The profile whose bounds stand beside the trials, and its program.  */
struct bounds_files {
  char *program;
  const char *profile;
};

/* Returns the files that BOUNDS, PROGRAM[:PROFILE], names.  Fails before any run is made if one cannot be read.  */
static struct bounds_files find_bounds_files_for_trials(const char *bounds) {
  const char *colon = access(bounds, F_OK) == 0 ? NULL : strrchr(bounds, ':');
  struct bounds_files files = {strndup(bounds, colon != NULL ? (size_t)(colon - bounds) : strlen(bounds)),
                               colon != NULL ? colon + 1 : "cilkprof.out"};
  if (files.program == NULL)
    fail_without_memory();
  if (access(files.program, R_OK) != 0)
    fail(files.program, "%s; --bounds=PROGRAM is the program that was profiled", strerror(errno));
  if (access(files.profile, R_OK) != 0)
    fail(files.profile, "%s; --bounds needs a profile: cilkprof run the profiling build first", strerror(errno));
  return files;
}

/* Replaces this process by cilkprof-report, from the directory of cilkprof-run or from PATH, to print the trials in
   FILE beside the bounds of the profile in BOUNDS.  */
static void exec_report_with_trial_bounds(const struct bounds_files *bounds, const char *file) {
  char *report = installed_file("bin/cilkprof-report"), *trials = NULL;
  if (asprintf(&trials, "--trials=%s", file) < 0)
    fail_without_memory();
  execl(report, "cilkprof-report", trials, bounds->program, bounds->profile, (char *)NULL);
  execlp("cilkprof-report", "cilkprof-report", trials, bounds->program, bounds->profile, (char *)NULL);
  fail("cilkprof-report", "it cannot be run; install it, and run: cilkprof-report %s %s %s", trials, bounds->program,
       bounds->profile);
}

/* Prints the table of the trials, or lets cilkprof-report print them beside BOUNDS, unless that is NULL.  FILE is the
   file of trials.  */
static void print_launched_trials_result(const struct bounds_files *bounds, const struct plan *plan,
                                         const struct trials *trials, const char *file) {
  if (bounds != NULL && !launcher_interruption())
    exec_report_with_trial_bounds(bounds, file);
  print_launched_trials_table(plan, trials);
  if (access("cilkprof.out", R_OK) == 0)
    printf("\nTo compare with the profile: cilkprof report --trials=%s\n", file);
  print_trial_samples_command();
}

/* Measures the running times of PROGRAM on several numbers of processors, writes them to a file and prints them.
   Returns the exit status of cilkprof-run: 0, or 128 plus the signal that interrupted it.  */
int run_launched_trials(const struct program *program, const struct options *options) {
  const char *file = options->output != NULL ? options->output : "cilkprof.trials";
  struct processors processors = find_launcher_processors();
  struct plan plan = plan_trials(options, &processors);
  struct trials trials = {0};
  struct measurement measurement = {.program = program, .plan = &plan, .processors = &processors, .trials = &trials};
  if (program->instrumented && program->mode == MODE_WORKERS)
    fail(program->path, "compiled with -fcilkprof=parallel, it also takes the time of its profile; build it with "
                        "cilkprof cc --parallel for trials");
  if (program->instrumented)
    fail(program->path,
         "compiled with -fcilkprof, it runs on one processor; build it with cilkprof cc --parallel, or -fopenmp alone");
  check_launched_trials_file(file);
  struct bounds_files bounds = {NULL, NULL};
  if (options->bounds != NULL)
    bounds = find_bounds_files_for_trials(options->bounds);
  measurement.recording = begin_trial_samples(program, options);
  bool complete = measure_all_trials(&measurement);
  clear_launcher_progress();
  if (trials.count > 0) {
    write_launched_trials_file(file, program, &trials);
    warn_about_launched_trials(&measurement);
    if (!complete)
      say(file, "interrupted; it has the %zu run%s that finished", trials.count, trials.count == 1 ? "" : "s");
    if (!options->no_table)
      print_launched_trials_result(options->bounds != NULL ? &bounds : NULL, &plan, &trials, file);
  }
  return complete ? 0 : 128 + launcher_interruption();
}
