/* The programs that do the work: cilkprof-report and the compilers.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/command/command.h"
#include "libcilkprof/launcher/launcher.h"

/* Adds a copy of WORD to the list of ARGUMENTS for a tool.  */
void add_command_argument(struct arguments *arguments, const char *word) {
  arguments->words = realloc(arguments->words, sizeof *arguments->words * (size_t)(arguments->count + 2));
  if (arguments->words == NULL || (arguments->words[arguments->count++] = strdup(word)) == NULL)
    fail_without_memory();
  arguments->words[arguments->count] = NULL;
}

/* Adds all WORDS, an array that ends with NULL, to the list of ARGUMENTS for a tool.  */
void add_command_arguments(struct arguments *arguments, char **words) {
  for (; *words != NULL; words++)
    add_command_argument(arguments, *words);
}

/* Becomes the tool that is installed as FILE, such as bin/cilkprof-report, with these ARGUMENTS.  Fails if it is not
   there.  */
void become_command_tool(const char *file, struct arguments *arguments) {
  char *path = installed_file(file);
  arguments->words[0] = path; /* the compilers find what belongs to them by it */
  execv(path, arguments->words);
  fail(path, "%s; install cilkprof again", strerror(errno));
}

/* Runs the report with these ARGUMENTS and waits for it.  QUIET discards what it prints.  Returns its exit status.  */
int run_report(struct arguments *arguments, bool quiet) {
  int status;
  pid_t child = fork();
  if (child < 0)
    fail("fork", "%s", strerror(errno));
  if (child == 0) {
    int nowhere = quiet ? open("/dev/null", O_WRONLY) : -1;
    if (nowhere >= 0) {
      dup2(nowhere, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
    }
    become_command_tool("bin/cilkprof-report", arguments);
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      fail("cilkprof-report", "%s", strerror(errno));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
