/* Describes the program that was profiled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROGRAM_H
#define CILKPROF_REPORT_PROGRAM_H

#include <stdio.h>
#include "fmt/profile.h"

/* Returns how a profile was measured.  */
const char *table_program_mode_text(enum cilkprof_mode mode);
/* Prints the command line of PROGRAM and a newline.  */
void print_table_program_command(FILE *out, const struct cilkprof_program *program);
/* Returns the command line of PROGRAM without a newline.  The text is allocated.  */
char *table_program_command_text(const struct cilkprof_program *program);

#endif
