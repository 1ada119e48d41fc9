/* Runs a set of commands in turn, many times, and prints what each one cost.  timer RUNS PROFILE_DIR <commands
   SPDX-License-Identifier: MIT

   A line of standard input is a label, a program and its arguments, separated by tabs.  A line of the output is the
   label, the median and the minimum of the CPU time in seconds, the peak of the memory in KB, and the minimum of the
   wall time, or the label and "failed"; the exit status is 1 when a command failed.  The commands write their
   profile to PROFILE_DIR/LABEL.RUN, where the first run is 1.

   CPU time of the child, and wall time for parallel programs alone, and the commands interleaved, so that what else the
   machine does in the meantime changes the ratios as little as possible.  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COMMANDS = 64, MAX_ARGUMENTS = 64, MAX_RUNS = 1000 };

struct command {
  char *label;
  char *arguments[MAX_ARGUMENTS + 1]; /* the first is the program; ends with a null pointer */
  double seconds[MAX_RUNS];
  double shortest;
  long peak_kb;
  int failed;
};

static struct command commands[MAX_COMMANDS];

/* Prints WHAT is wrong and exits with status 2.  */
__attribute__((noreturn)) static void bench_die(const char *what) {
  fprintf(stderr, "timer: %s\n", what);
  exit(2);
}

/* Reads the commands from standard input; they keep the memory of their lines.  Returns how many there are.  Exits if a
   line is no command or there are too many.  */
static int bench_read_commands(void) {
  int count = 0;
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    if (count == MAX_COMMANDS)
      bench_die("too many commands");
    struct command *command = &commands[count++];
    line[strcspn(line, "\n")] = '\0';
    command->label = strtok(line, "\t");
    int arguments = 0;
    for (char *argument; (argument = strtok(NULL, "\t")) != NULL;) {
      if (arguments == MAX_ARGUMENTS)
        bench_die("too many arguments");
      command->arguments[arguments++] = argument;
    }
    if (arguments == 0)
      bench_die("a line is not a label, a program and its arguments");
    line = NULL; /* the command keeps it */
    size = 0;
  }
  free(line);
  return count;
}

/* In the child: executes COMMAND, whose output is discarded and whose profile goes to PROFILE_DIR.  Does not return: if
   that fails, it exits with status 126 or 127.  */
static void bench_execute(const struct command *command, const char *profile_dir, int run_index) {
  char *profile;
  int null = open("/dev/null", O_WRONLY);
  if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
      asprintf(&profile, "%s/%s.%d", profile_dir, command->label, run_index + 1) < 0 ||
      setenv("CILKPROF_OUT", profile, 1) < 0)
    _exit(126);
  execv(command->arguments[0], command->arguments);
  fprintf(stderr, "timer: %s: %s\n", command->arguments[0], strerror(errno));
  _exit(127);
}

/* Returns TIME in seconds.  */
static double bench_seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Returns the wall time in seconds.  */
static double bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Runs COMMAND and waits for it.  Notes, as run RUN_INDEX, what it cost, and whether it failed.  Exits if there is no
   child.  */
static void bench_run(struct command *command, const char *profile_dir, int run_index) {
  /* fork and not vfork: until it executes the program, the memory that a child shares with its parent counts as the
     child's.  */
  double start = bench_now();
  pid_t child = fork();
  if (child < 0)
    bench_die("cannot fork");
  if (child == 0)
    bench_execute(command, profile_dir, run_index);
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child)
    bench_die("cannot wait for a command");
  double took = bench_now() - start;
  if (run_index == 0 || took < command->shortest)
    command->shortest = took;
  command->seconds[run_index] = bench_seconds_of(usage.ru_utime) + bench_seconds_of(usage.ru_stime);
  if (usage.ru_maxrss > command->peak_kb)
    command->peak_kb = usage.ru_maxrss;
  if (status != 0) {
    fprintf(stderr, "timer: %s failed, status 0x%04x\n", command->arguments[0], (unsigned)status);
    command->failed = 1;
  }
}

/* Callback of qsort: compares two times.  */
static int bench_compare_seconds(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints the line of COMMAND, and sorts the times of its RUNS runs for that.  Returns 1 if the command failed, else
   0.  */
static int bench_print(struct command *command, int runs) {
  if (command->failed) {
    printf("%s\tfailed\n", command->label);
    return 1;
  }
  double *seconds = command->seconds;
  qsort(seconds, (size_t)runs, sizeof *seconds, bench_compare_seconds);
  double median = (seconds[(runs - 1) / 2] + seconds[runs / 2]) / 2;
  printf("%s\t%.6f\t%.6f\t%ld\t%.6f\n", command->label, median, seconds[0], command->peak_kb, command->shortest);
  return 0;
}

/* Runs all commands in turn, RUNS times unless they fail, and prints their costs.  Returns 1 if one failed.  */
int main(int argc, char *argv[]) {
  int runs = argc == 3 ? atoi(argv[1]) : 0;
  if (runs < 1 || runs > MAX_RUNS)
    bench_die("usage: timer RUNS PROFILE_DIR <commands, RUNS from 1 to 1000");
  int count = bench_read_commands();
  /* Each round begins with another command, so that none always runs after the same one.  */
  for (int round = 0; round < runs; ++round)
    for (int i = 0; i < count; ++i) {
      struct command *command = &commands[(round + i) % count];
      if (!command->failed)
        bench_run(command, argv[2], round);
    }
  int failed = 0;
  for (int i = 0; i < count; ++i)
    failed |= bench_print(&commands[i], runs);
  return failed;
}
