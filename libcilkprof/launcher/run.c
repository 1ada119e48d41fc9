/* Running the program in the foreground, as if it had been started directly.
   SPDX-License-Identifier: MIT

   Signals from the terminal go to both processes, and the program decides how to handle them; signals sent to
   cilkprof-run alone are forwarded.  */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

/* PIDs of running programs; 0 for free entries.  */
static volatile sig_atomic_t children[CPU_SETSIZE], interrupted;

static void send_to_children(int number) {
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (children[i] > 0)
      kill((pid_t)children[i], number);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (number != SIGUSR1 && number != SIGUSR2)
    interrupted = number;
  if (info->si_code <= 0)
    send_to_children(number);
  errno = error;
}

int run_interrupted(void) {
  return (int)interrupted;
}

/* Kills all running programs when cilkprof-run exits.  */
static void stop_children(void) {
  send_to_children(SIGKILL);
}

/* Installs the handlers.  Ignored signals stay ignored, here and in the program.  */
void run_prepare(void) {
  struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO}, before;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < PASSED_ON; i++)
    if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(passed_on[i], &action, NULL);
  atexit(stop_children);
}

static bool put_in_environment(const struct run_setup *setup) {
  char *value = NULL, workers[16];
  if (setup->setting.name != NULL && (asprintf(&value, "%d:%s", (int)getpid(), setup->setting.value) < 0 ||
                                      setenv(setup->setting.name, value, 1) != 0))
    return false;
  snprintf(workers, sizeof workers, "%u", setup->workers);
  return setup->workers == 0 ||
         (setenv("CILK_NWORKERS", workers, 1) == 0 && setenv("OMP_NUM_THREADS", workers, 1) == 0);
}

static bool put_streams(const struct run_setup *setup) {
  if (setup->input > 0 && dup2(setup->input, STDIN_FILENO) < 0)
    return false;
  if (!setup->silent)
    return true;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  return nowhere >= 0 && dup2(setup->output > 0 ? setup->output : nowhere, STDOUT_FILENO) >= 0 &&
         dup2(nowhere, STDERR_FILENO) >= 0;
}

/* Replaces every {} in ARGUMENT by the number of workers.  */
static char *fill_in(char *argument, unsigned workers) {
  static const char hole[] = "{}";
  char *at = strstr(argument, hole), *filled = NULL;
  if (workers == 0 || at == NULL)
    return argument;
  char *rest = fill_in(at + 2, workers);
  if (rest == NULL || asprintf(&filled, "%.*s%u%s", (int)(at - argument), argument, workers, rest) < 0)
    return NULL;
  return filled;
}

static char **arguments_of(const struct program *program, unsigned workers) {
  size_t count = 0;
  while (program->argv[count] != NULL)
    count++;
  char **filled = calloc(count + 1, sizeof *filled);
  for (size_t i = 0; filled != NULL && i < count; i++)
    if ((filled[i] = i > 0 ? fill_in(program->argv[i], workers) : program->argv[i]) == NULL)
      return NULL;
  return filled;
}

/* Runs in the child process.  The pipe REASON is closed by the exec, or gets the error number if that fails.  */
__attribute__((noreturn)) static void become(const struct program *program, const struct run_setup *setup,
                                             const sigset_t *mask, int reason) {
  char **argv = arguments_of(program, setup->workers);
  bool placed = setup->processors == NULL || sched_setaffinity(0, sizeof *setup->processors, setup->processors) == 0;
  if (argv != NULL && placed && put_in_environment(setup) && put_streams(setup)) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    execv(program->path, argv);
  }
  int error = errno;
  ssize_t written = write(reason, &error, sizeof error);
  (void)written; /* the exit status tells that something failed */
  _exit(1);
}

/* Waits until the child has become the program.  */
static void check_started(const struct program *program, int reason) {
  int error = 0;
  ssize_t told;
  while ((told = read(reason, &error, sizeof error)) < 0 && errno == EINTR)
    ;
  close(reason);
  if (told > 0)
    fail(program->path, "%s", strerror(error));
}

/* The entry of a process, or a free one if PROCESS is 0.  */
static int place_of(pid_t process) {
  int place = 0;
  while (place < CPU_SETSIZE && children[place] != process)
    place++;
  return place;
}

pid_t run_start(const struct program *program, const struct run_setup *setup) {
  sigset_t all, mask;
  int ends[2], place = place_of(0);
  pid_t made = 0;
  if (pipe2(ends, O_CLOEXEC) < 0)
    fail(program->path, "%s", strerror(errno));
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask); /* until the new child is in the table, so that it gets them */
  if (!interrupted && (made = fork()) == 0)
    become(program, setup, &mask, ends[1]);
  int error = errno;
  if (made > 0)
    children[place] = made;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  close(ends[1]);
  if (made < 0)
    fail(program->path, "%s", strerror(error));
  check_started(program, ends[0]);
  return made;
}

/* Waits for a program.  Other children, inherited through exec, are ignored.  */
struct run_result run_wait(const struct program *program) {
  struct run_result ended;
  int place = CPU_SETSIZE;
  while (place == CPU_SETSIZE) {
    ended.process = wait4(-1, &ended.status, 0, &ended.used);
    if (ended.process > 0)
      place = place_of(ended.process);
    else if (errno != EINTR)
      fail(program->path, "%s", strerror(errno));
  }
  children[place] = 0;
  return ended;
}

int run(const struct program *program, const struct run_setup *setup) {
  if (run_start(program, setup) == 0)
    exit(128 + interrupted); /* interrupted between two runs */
  return run_wait(program).status;
}
