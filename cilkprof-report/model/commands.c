/* Tells runs of different commands apart, whose times must not be compared.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/commands.h"
#include "cilkprof-report/support/support.h"

/* Returns whether ONE and OTHER ran with the same arguments.  Their names may differ: the program that is profiled and
   the one that runs in parallel are different builds.  A command that is not known differs from none.  */
bool is_same_model_command(const struct cilkprof_program *one, const struct cilkprof_program *other) {
  if (one->argc == 0 || other->argc == 0)
    return true;
  if (one->argc != other->argc)
    return false;
  for (uint32_t i = 1; i < one->argc; i++)
    if (strcmp(one->argv[i], other->argv[i]) != 0)
      return false;
  return true;
}

/* Returns whether COMMAND, which a file of trials names, has the arguments of PROGRAM.  NULL is no known command, and
   arguments with {} depend on the number of workers: these differ from none.  In such a file control characters are
   question marks.  */
bool is_model_command_text(const struct cilkprof_program *program, const char *command) {
  if (command == NULL || program->argc == 0 || strstr(command, "{}") != NULL)
    return true;
  char *wanted = format_string("%s", "");
  for (uint32_t i = 1; i < program->argc; i++) {
    char *more = format_string("%s %s", wanted, program->argv[i]);
    free(wanted);
    wanted = more;
  }
  for (char *at = wanted; *at != 0; at++)
    *at = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
  size_t length = strlen(command), end = strlen(wanted);
  bool same = length > end && strcmp(command + length - end, wanted) == 0 && memchr(command, ' ', length - end) == NULL;
  free(wanted);
  return same;
}
