/* What the files of cilkprof share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COMMAND_H
#define CILKPROF_COMMAND_H

#include <stdbool.h>

/* A command of cilkprof, such as "scale".  RUN gets the name that messages use, such as "cilkprof scale", as argv[0],
   and returns the exit status.  */
typedef int command_function(int argc, char **argv);
struct command {
  const char *heading; /* of the group of commands that begins here in --help, or NULL */
  const char *name, *arguments, *summary;
  const char *help; /* what --help of the command prints after the usage and the summary */
  command_function *run;
};
extern const struct command commands[]; /* commands.c: ends with one without a name */

/* tools.c: a growing list of arguments, which ends with NULL.  */
struct arguments {
  char **words;
  int count;
};
void add_command_argument(struct arguments *arguments, const char *word);
void add_command_arguments(struct arguments *arguments, char **words);
__attribute__((noreturn)) void become_command_tool(const char *file, struct arguments *arguments);
int run_report(struct arguments *arguments, bool quiet);

void suggest_command(const struct arguments *command); /* next.c */

/* compile.c, measure.c and reports.c: the commands.  */
command_function compile_c, compile_cxx, compile_fortran, measure_profile, measure_scaling, measure_waste,
    measure_prediction, measure_whole, report, report_difference, report_gate, report_export, report_page,
    report_source;

#endif
