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

enum { SETTINGS = 3 };
static struct setting for_all[SETTINGS]; /* of every program; free entries have no name */

/* PIDs of running programs; 0 for free entries.  */
static volatile sig_atomic_t children[CPU_SETSIZE], interrupted;

/* Sends the signal NUMBER to all programs that are running.  */
static void signal_launched_programs(int number) {
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (children[i] > 0)
      kill((pid_t)children[i], number);
}

/* Handles the signal NUMBER: notes that cilkprof-run was interrupted, and forwards the signal to the programs, unless
   it came from the terminal, which sends it to them as well.  */
static void forward_signal_to_launched_programs(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (number != SIGUSR1 && number != SIGUSR2)
    interrupted = number;
  if (info->si_code <= 0)
    signal_launched_programs(number);
  errno = error;
}

/* Handles SIGXFSZ, so that writes fail where files may not grow.  A handler is not inherited by the program, as being
   ignored would be.  */
static void let_launcher_writes_fail(int number) {
  (void)number;
}

/* Returns the signal that interrupted cilkprof-run, or 0.  */
int launcher_interruption(void) {
  return (int)interrupted;
}

/* Kills all running programs when cilkprof-run exits.  */
static void kill_launched_programs(void) {
  signal_launched_programs(SIGKILL);
}

/* Installs the handlers that forward signals to running programs, and kills these when cilkprof-run exits.  Called
   once.  Ignored signals stay ignored, here and in the program.  */
void prepare_launching(void) {
  struct sigaction action = {.sa_sigaction = forward_signal_to_launched_programs, .sa_flags = SA_SIGINFO}, before;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < PASSED_ON; i++)
    if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(passed_on[i], &action, NULL);
  if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
    signal(SIGXFSZ, let_launcher_writes_fail);
  atexit(kill_launched_programs);
}

/* Makes VALUE that of the setting NAME of every program that is launched from now on.  The programs that it starts take
   no notice, as they would of a variable that is not for one process.  */
void set_for_launched_programs(const char *name, const char *value) {
  size_t i = 0;
  while (i < SETTINGS - 1 && for_all[i].name != NULL && strcmp(for_all[i].name, name) != 0)
    i++;
  for_all[i] = (struct setting){name, strdup(value)};
  if (for_all[i].value == NULL)
    fail_without_memory();
}

/* Sets the COUNT environment variables in SETTINGS, each preceded by the PID, in the child process.  Returns false if
   there is no memory.  */
static bool set_launched_variables(const struct setting *settings, size_t count) {
  char *value = NULL;
  for (size_t i = 0; i < count; i++)
    if (settings[i].name != NULL &&
        (asprintf(&value, "%d:%s", (int)getpid(), settings[i].value) < 0 || setenv(settings[i].name, value, 1) != 0))
      return false;
  return true;
}

/* Sets the environment variables of a run in the child process: those of all programs, those of SETUP, and the number
   of workers.  Returns false if there is no memory.  */
static bool set_launched_environment(const struct run_setup *setup) {
  char workers[16];
  if (!set_launched_variables(for_all, SETTINGS) ||
      !set_launched_variables(setup->settings, sizeof setup->settings / sizeof *setup->settings))
    return false;
  snprintf(workers, sizeof workers, "%u", setup->workers);
  return setup->workers == 0 ||
         (setenv("CILK_NWORKERS", workers, 1) == 0 && setenv("OMP_NUM_THREADS", workers, 1) == 0);
}

/* Redirects the standard streams in the child process as SETUP says.  Returns false, with errno set, if that fails.  */
static bool redirect_launched_streams(const struct run_setup *setup) {
  if (setup->input > 0 && dup2(setup->input, STDIN_FILENO) < 0)
    return false;
  if (!setup->silent)
    return true;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  return nowhere >= 0 && dup2(setup->output > 0 ? setup->output : nowhere, STDOUT_FILENO) >= 0 &&
         dup2(nowhere, STDERR_FILENO) >= 0;
}

/* Returns ARGUMENT with every {} replaced by the number of workers; ARGUMENT itself if there is none, or if WORKERS is
   0.  NULL if there is no memory.  */
static char *fill_in_launched_worker_number(char *argument, unsigned workers) {
  static const char hole[] = "{}";
  char *at = strstr(argument, hole), *filled = NULL;
  if (workers == 0 || at == NULL)
    return argument;
  char *rest = fill_in_launched_worker_number(at + 2, workers);
  if (rest == NULL || asprintf(&filled, "%.*s%u%s", (int)(at - argument), argument, workers, rest) < 0)
    return NULL;
  return filled;
}

/* Returns the argument list for a run of PROGRAM with WORKERS workers, which takes the place of {} in all but the
   first; NULL if there is no memory.  */
char **launched_arguments(const struct program *program, unsigned workers) {
  size_t count = 0;
  while (program->argv[count] != NULL)
    count++;
  char **filled = calloc(count + 1, sizeof *filled);
  for (size_t i = 0; filled != NULL && i < count; i++)
    if ((filled[i] = i > 0 ? fill_in_launched_worker_number(program->argv[i], workers) : program->argv[i]) == NULL)
      return NULL;
  return filled;
}

/* Turns the child process into the program, with the environment, streams, processors and signal MASK of its run.  The
   pipe REASON is closed by the exec, or gets the error number if that fails.  */
__attribute__((noreturn)) static void
exec_launched_program(const struct program *program, const struct run_setup *setup, const sigset_t *mask, int reason) {
  char **argv = launched_arguments(program, setup->workers);
  bool placed = setup->processors == NULL || sched_setaffinity(0, sizeof *setup->processors, setup->processors) == 0;
  if (argv != NULL && placed && set_launched_environment(setup) && redirect_launched_streams(setup)) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    execv(program->path, argv);
  }
  int error = errno;
  ssize_t written = write(reason, &error, sizeof error);
  (void)written; /* the exit status tells that something failed */
  _exit(LAUNCH_FAILED);
}

/* Waits until the child has become the program, which closes the pipe REASON.  Fails if the pipe has an error number
   instead.  */
static void check_program_launched(const struct program *program, int reason) {
  int error = 0;
  ssize_t told;
  while ((told = read(reason, &error, sizeof error)) < 0 && errno == EINTR)
    ;
  close(reason);
  if (told > 0)
    fail_to_execute(program->path, error);
}

/* Returns the index of PROCESS in the table of running programs, or that of a free entry if PROCESS is 0; CPU_SETSIZE
   if there is none.  */
static int launched_program_slot(pid_t process) {
  int place = 0;
  while (place < CPU_SETSIZE && children[place] != process)
    place++;
  return place;
}

/* Starts PROGRAM as SETUP says, and returns its process; 0 if cilkprof-run was interrupted before.  Fails if the
   program cannot be executed.  */
pid_t launch_program(const struct program *program, const struct run_setup *setup) {
  sigset_t all, mask;
  int ends[2], place = launched_program_slot(0);
  pid_t made = 0;
  if (pipe2(ends, O_CLOEXEC) < 0)
    fail(program->path, "%s", strerror(errno));
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask); /* until the new child is in the table, so that it gets them */
  if (!interrupted && (made = fork()) == 0)
    exec_launched_program(program, setup, &mask, ends[1]);
  int error = errno;
  if (made > 0)
    children[place] = made;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  close(ends[1]);
  if (made < 0)
    fail(program->path, "%s", strerror(error));
  check_program_launched(program, ends[0]);
  return made;
}

/* Waits for the next of the running programs to end, and returns its process, status and resource usage.  Other
   children, inherited through exec, are ignored.  */
struct run_result wait_for_launched_program(const struct program *program) {
  struct run_result ended;
  int place = CPU_SETSIZE;
  while (place == CPU_SETSIZE) {
    ended.process = wait4(-1, &ended.status, 0, &ended.used);
    if (ended.process > 0)
      place = launched_program_slot(ended.process);
    else if (errno != EINTR)
      fail(program->path, "%s", strerror(errno));
  }
  children[place] = 0;
  return ended;
}

/* Starts PROGRAM as SETUP says and waits until it ends.  Returns its process, status and resource usage.  Exits if
   cilkprof-run was interrupted between two runs.  */
struct run_result run_launched_program(const struct program *program, const struct run_setup *setup) {
  if (launch_program(program, setup) == 0)
    exit(128 + interrupted); /* interrupted between two runs */
  return wait_for_launched_program(program);
}
