/* Running the program: in the foreground, as if it had been called itself.
   SPDX-License-Identifier: MIT

   What the terminal sends goes to both processes, and the program decides what becomes of it; what is sent to
   cilkprof-run alone is passed on.  */

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

static volatile sig_atomic_t child, interrupted;

static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (number != SIGUSR1 && number != SIGUSR2)
    interrupted = number;
  if (info->si_code <= 0 && child > 0)
    kill((pid_t)child, number);
  errno = error;
}

bool run_interrupted(void) {
  return interrupted != 0;
}

/* What is ignored stays so, here and in the program.  */
void run_prepare(void) {
  struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO}, before;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < PASSED_ON; i++)
    if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(passed_on[i], &action, NULL);
}

static bool put_in_environment(struct setting setting) {
  char *value = NULL;
  return setting.name == NULL ||
         (asprintf(&value, "%d:%s", (int)getpid(), setting.value) >= 0 && setenv(setting.name, value, 1) == 0);
}

static bool put_streams(const struct streams *streams) {
  if (streams->input >= 0 && dup2(streams->input, STDIN_FILENO) < 0)
    return false;
  if (!streams->silent)
    return true;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  return nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0;
}

/* In the new process.  REASON is closed when it becomes the program; else it is told why it cannot.  */
__attribute__((noreturn)) static void become(const struct program *program, struct setting setting,
                                             const struct streams *streams, const sigset_t *mask, int reason) {
  if (put_in_environment(setting) && put_streams(streams)) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    execv(program->path, program->argv);
  }
  int error = errno;
  ssize_t written = write(reason, &error, sizeof error);
  (void)written; /* the status says that something went wrong */
  _exit(1);
}

static int wait_for(const struct program *program, pid_t process, int reason) {
  int status = 0, error = 0;
  ssize_t told;
  while ((told = read(reason, &error, sizeof error)) < 0 && errno == EINTR)
    ;
  close(reason);
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      fail(program->path, "%s", strerror(errno));
  if (told > 0)
    fail(program->path, "%s", strerror(error));
  return status;
}

int run(const struct program *program, struct setting setting, const struct streams *streams) {
  sigset_t all, mask;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    fail(program->path, "%s", strerror(errno));
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask); /* until it is known to whom they are passed on */
  if (interrupted)
    exit(128 + interrupted); /* between two runs */
  pid_t made = fork();
  if (made == 0)
    become(program, setting, streams, &mask, ends[1]);
  int error = errno;
  child = made;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  close(ends[1]);
  if (made < 0)
    fail(program->path, "%s", strerror(error));
  int status = wait_for(program, made, ends[0]);
  child = 0;
  return status;
}
