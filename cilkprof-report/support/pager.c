/* The pager.  As in git, the report writes to the pager and waits for it before it exits.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static pid_t pager;

/* Returns whether a folder of PATH has an executable file called PROGRAM.  */
static bool is_pager_installed(const char *program) {
  const char *path = getenv("PATH");
  for (const char *end; path != NULL && *path != 0; path = *end != 0 ? end + 1 : end) {
    end = strchrnul(path, ':');
    char *file = format_string("%.*s/%s", (int)(end - path), path, program);
    bool found = access(file, X_OK) == 0;
    free(file);
    if (found)
      return true;
  }
  return false;
}

/* Returns the command of the pager, $PAGER or less, or NULL if none is to be started.  */
static const char *pager_command(void) {
  const char *command = getenv("PAGER");
  if (command == NULL)
    return is_pager_installed("less") ? "less" : NULL;
  return command[0] == 0 || strcmp(command, "cat") == 0 ? NULL : command;
}

/* Starts $PAGER, or less if it is installed, if standard output is a terminal; it then shows the output.  */
void pager_start(void) {
  int ends[2];
  const char *command = isatty(STDOUT_FILENO) ? pager_command() : NULL;
  if (command == NULL || pipe(ends) != 0)
    return;
  pager = fork();
  if (pager == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("LESS", "FRX", 0); /* show colours, and exit if the text fits on the screen */
    setenv("LV", "-c", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  if (pager > 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (isatty(STDERR_FILENO))
      dup2(ends[1], STDERR_FILENO);
  }
  close(ends[0]);
  close(ends[1]);
}

void pager_wait(void) {
  if (pager <= 0)
    return;
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
    ;
}
