/* Options of a profiled run, each of which sets an environment variable of the program.
   SPDX-License-Identifier: MIT

   The program reads the variables itself, so that it can also be profiled where something else starts it.  */

#include <argp.h>
#include <stdlib.h>

#include "libcilkprof/launcher/launcher.h"

enum { FIRST_KEY = 512 };

/* One option, its explanation and its variable.  An option without an argument sets the variable to VALUE.  SAMPLES:
   it is also for runs that are sampled.  */
static const struct variable_option {
  const char *option, *argument, *variable, *value, *explanation;
  bool samples;
} variables[] = {
    {"contexts", NULL, "CILKPROF_CONTEXTS", "1", "Also record the calling contexts, for flame graphs", false},
    {"root", "NAME", "CILKPROF_ROOT", NULL, "Also profile this function as if it were a program of its own", false},
    {"whatif", "LIST", "CILKPROF_WHATIF", NULL,
     "What if these functions or lines cost nothing? (needs a build with -fcilkprof=whatif)", false},
    {"burden", "N", "CILKPROF_BURDEN", NULL, "The cost of moving a task to another processor, in instructions (15000)",
     false},
    {"loop-workers", "N", "CILKPROF_LOOP_WORKERS", NULL, "Divide loops as for N processors (128)", false},
    {"tolerance", "PERCENT", "CILKPROF_TOLERANCE", NULL, "Merge recorded tasks whose lengths differ by less (5)",
     false},
    {"tree-memory", "MB", "CILKPROF_TREE_MEMORY", NULL, "Limit the memory of the tree of tasks (64)", false},
    {"interval", "SECONDS", "CILKPROF_INTERVAL", NULL, "Also write the profile so far, this often", false},
    {"signal", "NAME", "CILKPROF_SIGNAL", NULL, "Also write the profile so far when this signal arrives", false},
    {"no-live", NULL, "CILKPROF_LIVE", "0", "Keep no copy of the profile for the case that the program is killed",
     true},
};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* Handles an option for argp: sets its variable, and notes in the struct options that is the input of STATE that it was
   given.  */
static error_t parse_variable_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  if (key < FIRST_KEY || key >= FIRST_KEY + VARIABLES)
    return ARGP_ERR_UNKNOWN;
  const struct variable_option *chosen = &variables[key - FIRST_KEY];
  if (!chosen->samples)
    options->profile_option = chosen->option;
  if (setenv(chosen->variable, argument != NULL ? argument : chosen->value, 1) < 0)
    fail_without_memory();
  return 0;
}

/* Returns the parser of these options, for argp.  */
const struct argp *profile_option_parser(void) {
  static struct argp_option table[VARIABLES + 1];
  static const struct argp argp = {table, parse_variable_option, NULL, NULL, NULL, NULL, NULL};
  for (int i = 0; i < VARIABLES; i++)
    table[i] =
        (struct argp_option){variables[i].option, FIRST_KEY + i, variables[i].argument, 0, variables[i].explanation, 0};
  return &argp;
}
