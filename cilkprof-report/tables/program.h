/* The program that was profiled, in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROGRAM_H
#define CILKPROF_REPORT_PROGRAM_H

#include <stdio.h>
#include "fmt/profile.h"

/* How a profile was measured, and the command line of the program, with a new line after it.  */
const char *mode_name(enum cilkprof_mode mode);
void print_command(FILE *out, const struct cilkprof_program *program);
/* The same command line without the new line.  Allocated.  */
char *command_text(const struct cilkprof_program *program);

#endif
