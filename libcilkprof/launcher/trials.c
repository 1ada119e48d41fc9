/* Running times of a program on several numbers of processors, each as often, in turns: what else the machine does is
   then spread over all of them.
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
  struct samples *samples;
  int status; /* of the first run, as of wait */
};

/* What runs at once: one program with some workers, or copies with one each.  */
struct process {
  pid_t process;
  int input, output;
  double started;
  struct sample sample;
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

/* On processors from number FIRST on.  */
static bool start(const struct measurement *measurement, struct process *process, unsigned workers, unsigned first) {
  cpu_set_t set;
  enum input input = input_kind();
  process->input = input == INPUT_FILE ? input_again() : input == INPUT_ONCE ? stdin_probe() : 0;
  process->output = outputs_open();
  CPU_ZERO(&set);
  for (unsigned i = 0; i < workers; i++)
    CPU_SET(measurement->processors->numbers[first + i], &set);
  struct how how = {
      .input = process->input, .output = process->output, .silent = true, .workers = workers, .processors = &set};
  process->started = now();
  process->process = run_start(measurement->program, &how);
  return process->process > 0;
}

static void wait_for_one(const struct program *program, struct process *processes, unsigned count) {
  struct ended ended = run_wait(program);
  double end = now();
  unsigned i = 0;
  while (i < count && processes[i].process != ended.process)
    i++;
  struct process *process = &processes[i];
  process->status = ended.status;
  process->sample.seconds = end - process->started;
  process->sample.system_seconds = seconds_of(ended.used.ru_stime);
  process->sample.cpu_seconds = seconds_of(ended.used.ru_utime) + process->sample.system_seconds;
}

/* A status that is not 0 may be a result, as that of a program which looks for something, if every run ends with
   it.  */
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

/* What it printed and read.  */
static void check_streams(const struct program *program, struct process *process, unsigned workers) {
  outputs_compare(process->output, workers);
  if (input_kind() == INPUT_ONCE) {
    if (stdin_probe_taken(process->input))
      fail(program->name, "it reads standard input, which can be read only once; give the input as a file (<FILE)");
  } else if (process->input > 0) {
    close(process->input);
  }
}

static void add_sample(struct samples *samples, const struct sample *sample) {
  if (samples->count == samples->room) {
    samples->room = 2 * samples->room + 64;
    samples->samples = reallocarray(samples->samples, samples->room, sizeof *samples->samples);
    if (samples->samples == NULL)
      fail_without_memory();
  }
  samples->samples[samples->count++] = *sample;
}

/* COPIES of the program at once, with so many workers each.  False when somebody wants an end: what runs then is not
   counted.  */
static bool measure(struct measurement *measurement, unsigned copies, unsigned workers) {
  static struct process processes[CPU_SETSIZE];
  const struct program *program = measurement->program;
  unsigned started = 0;
  for (; started < copies; started++) {
    struct sample sample = {.copy = copies > 1, .number = copies > 1 ? copies : workers};
    processes[started] = (struct process){.sample = sample};
    if (!start(measurement, &processes[started], workers, started * workers))
      break;
  }
  for (unsigned i = 0; i < started; i++)
    wait_for_one(program, processes, started);
  if (run_interrupted())
    return false;
  for (unsigned i = 0; i < started; i++) {
    if (measurement->samples->count == 0)
      measurement->status = processes[i].status;
    check_streams(program, &processes[i], workers);
    check_status(program, processes[i].status, measurement->status, workers);
    add_sample(measurement->samples, &processes[i].sample);
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

/* What is strange about the runs, though they ended well.  */
static void say_strange(const struct measurement *measurement) {
  const char *name = measurement->program->name;
  unsigned workers = outputs_differ();
  if (WEXITSTATUS(measurement->status) != 0)
    say(name, "every run ended with status %d", WEXITSTATUS(measurement->status));
  if (workers > 0)
    say(name, "with %u workers it printed something else than with one", workers);
}

/* PROGRAM[:PROFILE], by cilkprof-report, which lies beside cilkprof-run or in PATH.  */
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

static void print_result(const struct options *options, const struct plan *plan, const struct samples *samples,
                         const char *file) {
  if (options->bounds != NULL && !run_interrupted())
    print_bounds(options->bounds, file);
  trials_table_print(plan, samples);
  if (access("cilkprof.out", R_OK) == 0)
    printf("\nWith the bounds of the profile: cilkprof-report --trials=%s PROGRAM cilkprof.out\n", file);
}

int trials_run(const struct program *program, const struct options *options) {
  const char *file = options->output != NULL ? options->output : "cilkprof.trials";
  struct processors processors = processors_find();
  struct plan plan = plan_make(options, &processors);
  struct samples samples = {0};
  struct measurement measurement = {.program = program, .plan = &plan, .processors = &processors, .samples = &samples};
  if (program->instrumented)
    fail(program->path, "compiled with -fcilkprof, it has no workers; try the program that was compiled without");
  trials_file_check(file);
  bool complete = measure_all(&measurement);
  clear_status();
  if (samples.count > 0) {
    trials_file_write(file, program, &samples);
    say_strange(&measurement);
    if (!complete)
      say(file, "interrupted; it has the %zu run%s that ended before", samples.count, samples.count == 1 ? "" : "s");
    print_result(options, &plan, &samples, file);
  }
  return complete ? 0 : 128 + run_interrupted();
}
