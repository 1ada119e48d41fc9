/* Running times of a program on several numbers of processors.  The configurations take turns, so that disturbances
   by other programs affect all of them alike.
   SPDX-License-Identifier: MIT  */

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
  int status; /* of the first run, as returned by wait */
};

/* A running process: the only one, or one of several copies with one worker each.  */
struct process {
  pid_t process;
  int input, output;
  double started;
  struct trial trial;
  int status;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Starts a process on the processors from index FIRST on.  */
static bool start(const struct measurement *measurement, struct process *process, unsigned workers, unsigned first) {
  cpu_set_t set;
  enum input input = input_kind();
  process->input = input == INPUT_FILE ? input_again() : input == INPUT_ONCE ? stdin_probe() : 0;
  process->output = outputs_open();
  CPU_ZERO(&set);
  for (unsigned i = 0; i < workers; i++)
    CPU_SET(measurement->processors->numbers[first + i], &set);
  struct run_setup setup = {
      .input = process->input, .output = process->output, .silent = true, .workers = workers, .processors = &set};
  process->started = now();
  process->process = run_start(measurement->program, &setup);
  return process->process > 0;
}

static void wait_for_one(const struct program *program, struct process *processes, unsigned count) {
  struct run_result ended = run_wait(program);
  double end = now();
  unsigned i = 0;
  while (i < count && processes[i].process != ended.process)
    i++;
  struct process *process = &processes[i];
  process->status = ended.status;
  process->trial.seconds = end - process->started;
  process->trial.system_seconds = seconds_of(ended.used.ru_stime);
  process->trial.cpu_seconds = seconds_of(ended.used.ru_utime) + process->trial.system_seconds;
}

/* A nonzero status may be a result, as of a program that searches for something, if every run ends with it.  */
static void check_status(const struct program *program, int status, int first, unsigned workers) {
  char what[96];
  if (WIFSIGNALED(status))
    snprintf(what, sizeof what, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (status != first)
    snprintf(what, sizeof what, "with status %d, and in the first run with %d", WEXITSTATUS(status),
             WEXITSTATUS(first));
  else
    return;
  fail(program->name, "with %u worker%s it ended %s; see what it says: CILK_NWORKERS=%u OMP_NUM_THREADS=%u %s", workers,
       workers == 1 ? "" : "s", what, workers, workers, program->name);
}

/* Compares what the process printed, and fails if it read input that can be read only once.  */
static void check_streams(const struct program *program, struct process *process, unsigned workers) {
  outputs_compare(process->output, workers);
  if (input_kind() == INPUT_ONCE) {
    if (stdin_probe_taken(process->input))
      fail(program->name, "it reads standard input, which can be read only once; give the input as a file (<FILE)");
  } else if (process->input > 0) {
    close(process->input);
  }
}

static void add_trial(struct trials *trials, const struct trial *trial) {
  if (trials->count == trials->room) {
    trials->room = 2 * trials->room + 64;
    trials->list = reallocarray(trials->list, trials->room, sizeof *trials->list);
    if (trials->list == NULL)
      fail_without_memory();
  }
  trials->list[trials->count++] = *trial;
}

/* Runs COPIES of the program at once, with WORKERS workers each.  Returns false if cilkprof-run was interrupted;
   then these runs do not count.  */
static bool measure(struct measurement *measurement, unsigned copies, unsigned workers) {
  static struct process processes[CPU_SETSIZE];
  const struct program *program = measurement->program;
  unsigned started = 0;
  for (; started < copies; started++) {
    struct trial trial = {.copy = copies > 1, .number = copies > 1 ? copies : workers};
    processes[started] = (struct process){.trial = trial};
    if (!start(measurement, &processes[started], workers, started * workers))
      break;
  }
  for (unsigned i = 0; i < started; i++)
    wait_for_one(program, processes, started);
  if (run_interrupted())
    return false;
  for (unsigned i = 0; i < started; i++) {
    if (measurement->trials->count == 0)
      measurement->status = processes[i].status;
    check_streams(program, &processes[i], workers);
    check_status(program, processes[i].status, measurement->status, workers);
    add_trial(measurement->trials, &processes[i].trial);
  }
  return true;
}

static bool measure_all(struct measurement *measurement) {
  const struct plan *plan = measurement->plan;
  for (unsigned round = 1; round <= plan->runs; round++) {
    for (size_t i = 0; i < plan->count; i++) {
      say_for_now("round %u of %u: %u worker%s  ", round, plan->runs, plan->workers[i],
                  plan->workers[i] == 1 ? "" : "s");
      if (!measure(measurement, 1, plan->workers[i]))
        return false;
    }
    if (plan->copies > 0)
      say_for_now("round %u of %u: %u copies  ", round, plan->runs, plan->copies);
    if (plan->copies > 0 && !measure(measurement, plan->copies, 1))
      return false;
  }
  return true;
}

/* Prints warnings about runs that ended normally.  */
static void say_strange(const struct measurement *measurement) {
  const char *name = measurement->program->name;
  unsigned workers = outputs_differ();
  if (WEXITSTATUS(measurement->status) != 0)
    say(name, "every run ended with status %d", WEXITSTATUS(measurement->status));
  if (workers > 0)
    say(name, "with %u workers it printed something else than with one", workers);
}

/* Runs cilkprof-report, from the directory of cilkprof-run or from PATH, for PROGRAM[:PROFILE].  */
static void print_bounds(const char *bounds, const char *file) {
  char self[4096], *report = NULL, *trials = NULL;
  const char *colon = access(bounds, F_OK) == 0 ? NULL : strrchr(bounds, ':');
  char *program = strndup(bounds, colon != NULL ? (size_t)(colon - bounds) : strlen(bounds));
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = 0;
  char *slash = strrchr(self, '/');
  if (program == NULL || asprintf(&trials, "--trials=%s", file) < 0 ||
      asprintf(&report, "%.*s/cilkprof-report", slash != NULL ? (int)(slash - self) : 0, self) < 0)
    fail_without_memory();
  const char *profile = colon != NULL ? colon + 1 : "cilkprof.out";
  execl(report, "cilkprof-report", trials, program, profile, (char *)NULL);
  execlp("cilkprof-report", "cilkprof-report", trials, program, profile, (char *)NULL);
  fail("cilkprof-report", "it cannot be run; install it, and run: cilkprof-report %s %s %s", trials, program, profile);
}

static void print_result(const struct options *options, const struct plan *plan, const struct trials *trials,
                         const char *file) {
  if (options->bounds != NULL && !run_interrupted())
    print_bounds(options->bounds, file);
  trials_table_print(plan, trials);
  if (access("cilkprof.out", R_OK) == 0)
    printf("\nWith the bounds of the profile: cilkprof-report --trials=%s PROGRAM cilkprof.out\n", file);
}

int trials_run(const struct program *program, const struct options *options) {
  const char *file = options->output != NULL ? options->output : "cilkprof.trials";
  struct processors processors = processors_find();
  struct plan plan = plan_make(options, &processors);
  struct trials trials = {0};
  struct measurement measurement = {.program = program, .plan = &plan, .processors = &processors, .trials = &trials};
  if (program->instrumented)
    fail(program->path, "compiled with -fcilkprof, it has no workers; try the program that was compiled without");
  trials_file_check(file);
  bool complete = measure_all(&measurement);
  clear_status();
  if (trials.count > 0) {
    trials_file_write(file, program, &trials);
    say_strange(&measurement);
    if (!complete)
      say(file, "interrupted; it has the %zu run%s that ended before", trials.count, trials.count == 1 ? "" : "s");
    print_result(options, &plan, &trials, file);
  }
  return complete ? 0 : 128 + run_interrupted();
}
