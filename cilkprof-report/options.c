/* The command line of cilkprof-report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <argp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "cilkprof-report/options.h"
#include "cilkprof-report/support.h"

enum { KEY_SITES = 0x100, KEY_VERDICT, KEY_PROCESSORS, KEY_SUMMARY, KEY_CSV, KEY_FORCE, KEY_USAGE };

static const struct argp_option argp_options[] = {
    {NULL, 0, NULL, 0, "Sections (all of them when none is named):", 1},
    {"verdict", KEY_VERDICT, NULL, 0, "What limits the program, and what to try", 0},
    {"summary", KEY_SUMMARY, NULL, 0, "The parallelism profile and the speedup estimate", 0},
    {"flat-profile", 'p', NULL, 0, "The flat profile: a row for every function", 0},
    {"graph", 'q', NULL, 0, "The call graph", 0},
    {"sites", KEY_SITES, NULL, 0, "The call sites, those that hold the span first", 0},
    {"csv", KEY_CSV, NULL, 0, "All measurements of all call sites as comma-separated values, instead of sections", 0},
    {NULL, 0, NULL, 0, "Format:", 2},
    {"brief", 'b', NULL, 0, "Do not explain the tables", 0},
    {"display-unused-functions", 'z', NULL, 0, "Also show functions and call sites that were never called", 0},
    {"processors", KEY_PROCESSORS, "P", 0, "Judge the program for P processors instead of those of this machine", 0},
    {NULL, 0, NULL, 0, "Input:", 3},
    {"force", KEY_FORCE, NULL, 0, "Go on when the program is not the one that was profiled, or has no symbols", 0},
    {NULL, 0, NULL, 0, "Other:", -1},
    {"help", 'h', NULL, 0, "Give this help list", 0},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", 0},
    {"version", 'v', NULL, 0, "Print the program's version", 0},
    {NULL, 'V', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

static unsigned read_number(const char *argument, unsigned least, unsigned most) {
  char *end;
  unsigned long number = strtoul(argument, &end, 10);
  if (argument[0] < '0' || argument[0] > '9' || *end != 0 || number < least || number > most)
    fail(argument, "it is not a number from %u to %u", least, most);
  return (unsigned)number;
}

/* Those that this process may use.  */
static unsigned machine_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
  case KEY_VERDICT:
    options->sections |= SECTION_VERDICT;
    return 0;
  case KEY_SUMMARY:
    options->sections |= SECTION_SUMMARY;
    return 0;
  case 'p':
    options->sections |= SECTION_FLAT;
    return 0;
  case 'q':
    options->sections |= SECTION_GRAPH;
    return 0;
  case KEY_SITES:
    options->sections |= SECTION_SITES;
    return 0;
  case KEY_CSV:
    options->sections |= SECTION_CSV;
    return 0;
  case KEY_PROCESSORS:
    options->asked_processors = read_number(argument, 1, 1000000);
    return 0;
  case 'b':
    options->brief = true;
    return 0;
  case 'z':
    options->unused = true;
    return 0;
  case KEY_FORCE:
    options->force = true;
    return 0;
  case 'h':
  case '?':
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    return 0;
  case KEY_USAGE:
    argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return 0;
  case 'v':
  case 'V':
    puts("cilkprof-report " CILKPROF_VERSION);
    exit(0);
  case ARGP_KEY_ARG:
    if (state->arg_num > 0)
      return ARGP_ERR_UNKNOWN; /* then ARGP_KEY_ARGS gets the profiles */
    options->program = argument;
    return 0;
  case ARGP_KEY_ARGS:
    options->profiles = state->argv + state->next;
    options->profile_count = (size_t)(state->argc - state->next);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const char description[] =
    "Reports where the work and the span of a Cilk program are, from the profile that the program left when it ran."
    "\vPROGRAM is a.out and PROFILE is cilkprof.out unless they are named.  Several profiles of the same program are "
    "added up.  cilkprof-report(1) explains the report.";

struct options options_read(int argc, char **argv) {
  static char default_profile[] = "cilkprof.out";
  static char *default_profiles[] = {default_profile};
  static const struct argp argp = {argp_options, parse, "[PROGRAM [PROFILE...]]", description, NULL, NULL, NULL};
  struct options options = {.program = "a.out", .profiles = default_profiles, .profile_count = 1};
  argp_err_exit_status = 1;
  argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &options);
  if (options.sections == 0)
    options.sections = SECTION_VERDICT | SECTION_SUMMARY | SECTION_FLAT | SECTION_GRAPH | SECTION_SITES;
  options.processors = options.asked_processors > 0 ? options.asked_processors : machine_processors();
  return options;
}
