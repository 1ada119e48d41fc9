/* Tells runs of different commands apart.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_COMMANDS_H
#define CILKPROF_REPORT_COMMANDS_H

#include <stdbool.h>
#include "fmt/profile.h"

/* Returns whether both ran with the same arguments, or one of the commands is not known.  */
bool is_same_model_command(const struct cilkprof_program *one, const struct cilkprof_program *other);
/* Returns whether COMMAND, from a file of trials, has the arguments of PROGRAM, or is NULL.  */
bool is_model_command_text(const struct cilkprof_program *program, const char *command);

#endif
