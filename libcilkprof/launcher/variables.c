/* Options of a profiled run, each of which sets an environment variable of the program.
   SPDX-License-Identifier: MIT

   The program reads the variables itself, so that it can also be profiled where something else starts it.  */

#include <argp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/launcher/launcher.h"

enum { FIRST_KEY = 512 };

/* What the value of an option is.  */
enum value {
  VALUE_FIXED,  /* none is given: the variable is set to a constant */
  VALUE_NUMBER, /* from LEAST to MOST */
  VALUE_NAMES,  /* functions and call sites, separated by commas; the program knows which exist */
  VALUE_SIGNAL, /* the name or the number of a signal */
};

/* The runs that an option is for.  */
enum purpose { FOR_PROFILES, FOR_WHATIF_PROFILES, FOR_PROFILES_AND_SAMPLES, FOR_PARALLEL_CILK };

/* One option, its explanation and its variable.  */
static const struct variable_option {
  const char *option, *argument, *variable, *explanation;
  enum value value;
  unsigned least, most; /* of numbers */
  const char *constant; /* of VALUE_FIXED */
  enum purpose purpose;
} variables[] = {
    {"--contexts", NULL, "CILKPROF_CONTEXTS", "Also record calling contexts, for flame graphs", .constant = "1"},
    {"--root", "LIST", "CILKPROF_ROOT", "Also profile these as programs of their own", .value = VALUE_NAMES},
    {"--whatif", "LIST", "CILKPROF_WHATIF", "What if these cost nothing? (-fcilkprof=whatif)", .value = VALUE_NAMES,
     .purpose = FOR_WHATIF_PROFILES},
    {"--burden", "N", "CILKPROF_BURDEN", "Cost of moving a task, in instructions (15000)", .value = VALUE_NUMBER,
     .least = 0, .most = 1000000000},
    {"--loop-workers", "N", "CILKPROF_LOOP_WORKERS", "Divide loops as for N processors (128)", .value = VALUE_NUMBER,
     .least = 1, .most = 1000000},
    {"--team", "N", "CILKPROF_TEAM", "Threads of OpenMP regions that ask for numbers", .value = VALUE_NUMBER,
     .least = 1, .most = 1024},
    {"--follow", NULL, "CILKPROF_FOLLOW", "Time every call in serial code; slower", .constant = "1"},
    {"--tolerance", "PERCENT", "CILKPROF_TOLERANCE", "Merge recorded tasks that differ by less (5)",
     .value = VALUE_NUMBER, .least = 0, .most = 100},
    {"--tree-memory", "MB", "CILKPROF_TREE_MEMORY", "Limit the memory for recorded tasks (64)", .value = VALUE_NUMBER,
     .least = 1, .most = 1000000},
    {"--interval", "SECONDS", "CILKPROF_INTERVAL", "Also write the profile at this interval", .value = VALUE_NUMBER,
     .least = 1, .most = 1000000000},
    {"--signal", "NAME", "CILKPROF_SIGNAL", "Also write the profile on this signal", .value = VALUE_SIGNAL},
    {"--no-live", NULL, "CILKPROF_LIVE", "Keep no copy in case the program is killed", .constant = "0",
     .purpose = FOR_PROFILES_AND_SAMPLES},
    {"--force-steals", "SEED", "CILKPROF_FORCE_STEALS", "Force steals, to test a parallel Cilk program",
     .value = VALUE_NUMBER, .least = 0, .most = 1000000000, .purpose = FOR_PARALLEL_CILK},
};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* Returns whether TEXT is a signal, such as USR1, SIGUSR1 or 10.  */
static bool is_launcher_signal(const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  if (*text != 0 && *end == 0)
    return number > 0 && number <= SIGRTMAX;
  const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;
  for (int i = 1; i < SIGRTMIN; i++)
    if (sigabbrev_np(i) != NULL && strcmp(sigabbrev_np(i), name) == 0)
      return true;
  return false;
}

/* Fails if TEXT cannot be the value of the option CHOSEN.  The program itself would only warn, and run on.  */
static void check_variable_value(const struct variable_option *chosen, const char *text) {
  switch (chosen->value) {
  case VALUE_FIXED:
    break;
  case VALUE_NUMBER:
    read_launcher_number(chosen->option, &text, 0, chosen->least, chosen->most, "");
    break;
  case VALUE_NAMES:
    if (text[strspn(text, ", ")] == 0)
      fail(chosen->option, "no function or call site given");
    break;
  case VALUE_SIGNAL:
    if (!is_launcher_signal(text))
      fail(chosen->option, "%s: not a signal; USR1 is one", text);
    break;
  }
}

/* Makes TEXT one line: each end of a line becomes a blank, with the white space around it.  The report breaks lines in
   the commands that it offers, also in long names.  */
static void join_broken_lines(char *text) {
  char *to = text;
  for (const char *from = text; *from != 0;) {
    if (*from != '\n') {
      *to++ = *from++;
      continue;
    }
    from += strspn(from, " \t\r\n");
    if (to > text && to[-1] != ' ')
      *to++ = ' ';
  }
  *to = 0;
}

/* Handles an option for argp: checks its value, sets its variable, and notes in the struct options that is the input of
   STATE that it was given.  */
static error_t parse_launcher_variable_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  if (key < FIRST_KEY || key >= FIRST_KEY + VARIABLES)
    return ARGP_ERR_UNKNOWN;
  const struct variable_option *chosen = &variables[key - FIRST_KEY];
  if (chosen->value == VALUE_NAMES)
    join_broken_lines(argument);
  check_variable_value(chosen, argument);
  if (chosen->purpose == FOR_PROFILES || chosen->purpose == FOR_WHATIF_PROFILES)
    options->profile_option = chosen->option;
  if (chosen->purpose == FOR_WHATIF_PROFILES)
    options->whatif_option = chosen->option;
  if (chosen->purpose == FOR_PARALLEL_CILK)
    options->cilk_option = chosen->option;
  if (setenv(chosen->variable, chosen->value != VALUE_FIXED ? argument : chosen->constant, 1) < 0)
    fail_without_memory();
  return 0;
}

/* Returns the parser of these options, for argp.  */
const struct argp *launcher_profile_option_parser(void) {
  static struct argp_option table[VARIABLES + 1];
  static const struct argp argp = {table, parse_launcher_variable_option, NULL, NULL, NULL, NULL, NULL};
  for (int i = 0; i < VARIABLES; i++)
    table[i] = (struct argp_option){
        variables[i].option + strlen("--"), FIRST_KEY + i, variables[i].argument, 0, variables[i].explanation, 0};
  return &argp;
}
