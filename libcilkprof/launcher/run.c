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
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on, CANNOT_RUN = 126 };

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

static void put_in_environment(struct setting setting) {
  char *value = NULL;
  if (setting.name == NULL)
    return;
  if (asprintf(&value, "%d:%s", (int)getpid(), setting.value) < 0 || setenv(setting.name, value, 1) < 0)
    _exit(CANNOT_RUN);
}

static void put_streams(const struct streams *streams) {
  if (streams->input >= 0)
    dup2(streams->input, STDIN_FILENO);
  if (!streams->silent)
    return;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
    _exit(CANNOT_RUN);
}

__attribute__((noreturn)) static void become(const struct program *program, struct setting setting,
                                             const struct streams *streams, const sigset_t *mask) {
  put_in_environment(setting);
  put_streams(streams);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execv(program->path, program->argv);
  say(program->path, "%s", strerror(errno));
  _exit(CANNOT_RUN);
}

int run(const struct program *program, struct setting setting, const struct streams *streams) {
  sigset_t all, mask;
  int status = 0;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &mask); /* until it is known to whom they are passed on */
  pid_t made = fork();
  if (made == 0)
    become(program, setting, streams, &mask);
  int error = errno;
  child = made;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (made < 0)
    fail(program->path, "%s", strerror(error));
  while (waitpid(made, &status, 0) < 0)
    if (errno != EINTR)
      fail(program->path, "%s", strerror(errno));
  child = 0;
  return status;
}
