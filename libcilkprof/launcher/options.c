/* The command line of cilkprof-run.
   SPDX-License-Identifier: MIT  */

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/launcher/launcher.h"
#include "version.h"

enum {
  KEY_RUNS = 256,
  KEY_NO_REFERENCE,
  KEY_TRIALS,
  KEY_COPIES,
  KEY_BOUNDS,
  KEY_SAMPLES,
  KEY_OPENMP,
  KEY_FORKS,
  KEY_PROCESSORS,
  KEY_USAGE
};

/* Reads a number of the command line, from LEAST to MOST, at *TEXT, and advances *TEXT past it.  Fails if there is
   none, or if neither END nor the end of the string follows; OPTION and WHY are parts of the message.  */
unsigned read_launcher_number(const char *option, const char **text, char end, unsigned least, unsigned most,
                              const char *why) {
  char *rest;
  errno = 0;
  unsigned long value = strtoul(*text, &rest, 10);
  if (errno != 0 || (*rest != end && *rest != 0) || **text < '0' || **text > '9' || value < least || value > most)
    fail(option, "%.*s: not a number from %u to %u%s", (int)(strchrnul(*text, end) - *text), *text, least, most, why);
  *text = rest;
  return (unsigned)value;
}

/* Handles the options that print help, usage or version; the program ends in most of these cases.  Returns false if KEY
   is none of them.  */
static bool parse_launcher_help(int key, struct argp_state *state) {
  setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
  switch (key) {
  case 'h':
  case '?':
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    return true;
  case KEY_USAGE:
    argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return true;
  case 'v':
  case 'V':
    printf("%s %s\n", program_invocation_short_name, CILKPROF_VERSION);
    exit(0);
  default:
    return false;
  }
}

/* Handles one option or argument of cilkprof-run for argp: stores it in the struct options that is the input of STATE.
   The first argument is the program, and all that follow it are the program's own.  */
static error_t parse_launcher_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  const char *number = argument;
  if (parse_launcher_help(key, state))
    return 0;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = options;
    return 0;
  case 'o':
    options->output = argument;
    return 0;
  case 'j':
    options->asked_workers = argument;
    return 0;
  case 'F':
    options->hz = read_launcher_number("-F", &number, 0, 1, MAX_HZ, "");
    return 0;
  case KEY_OPENMP:
    options->openmp = true;
    return 0;
  case KEY_FORKS:
    options->hand = true;
    return 0;
  case KEY_PROCESSORS:
    options->processors = read_launcher_number("--processors", &number, 0, 1, MAX_WORKERS, "");
    return 0;
  case KEY_RUNS:
    options->runs = read_launcher_number("--runs", &number, 0, 1, MAX_RUNS, "");
    return 0;
  case KEY_NO_REFERENCE:
    options->no_reference = true;
    return 0;
  case KEY_TRIALS:
    options->trials = true;
    options->workers = argument;
    return 0;
  case KEY_COPIES:
    options->copies = true;
    options->at_once = argument;
    return 0;
  case KEY_BOUNDS:
    options->bounds = argument;
    return 0;
  case KEY_SAMPLES:
    options->samples = argument != NULL ? argument : "cilkprof.samples";
    return 0;
  case ARGP_KEY_ARG: /* the rest belongs to the program */
    options->argv = state->argv + state->next - 1;
    state->next = state->argc;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no program given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option table[] = {
    {"output", 'o', "FILE", 0, "Write the profile or the trials to FILE", 0},
    {"runs", KEY_RUNS, "N", 0, "Number of reference runs, or of runs per trial", 0},
    {"no-reference", KEY_NO_REFERENCE, NULL, 0, "Skip the reference runs", 0},
    {NULL, 0, NULL, 0, "Parallel programs, which are sampled:", 1},
    {"workers", 'j', "N", 0, "Number of threads; of trials, a list", 0},
    {"frequency", 'F', "HZ", 0, "Samples per second of processor time (1000)", 0},
    {"openmp", KEY_OPENMP, NULL, 0, "It loads OpenMP later, or code that forks by hand", 0},
    {"forks", KEY_FORKS, NULL, OPTION_ALIAS, NULL, 0},
    {"processors", KEY_PROCESSORS, "N", OPTION_HIDDEN, "Of the commands that report: judge for N processors", 0},
    {NULL, 0, NULL, 0, "Running times of any parallel program:", 2},
    {"trials", KEY_TRIALS, "LIST", OPTION_ARG_OPTIONAL, "Time it with these numbers of threads (1,2,4...)", 0},
    {"copies", KEY_COPIES, "P", OPTION_ARG_OPTIONAL, "Also run P copies at once", 0},
    {"bounds", KEY_BOUNDS, "PROGRAM[:PROFILE]", 0, "Compare with this profile", 0},
    {"samples", KEY_SAMPLES, "FILE", OPTION_ARG_OPTIONAL, "Also sample them (cilkprof.samples)", 0},
    {NULL, 0, NULL, 0, "Other:", -1},
    {"help", 'h', NULL, 0, "Print this help", 0},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
    {"usage", KEY_USAGE, NULL, 0, "Print a short usage message", 0},
    {"version", 'v', NULL, 0, "Print the version", 0},
    {NULL, 'V', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

static const char description[] = "Profiles programs built with -fcilkprof; samples or times other parallel ones.\v{} "
                                  "in the arguments stands for the number of threads.  See cilkprof-run(1).";

/* Returns the name of an option in OPTIONS that is for recorded runs only, for messages; NULL if none was given.  */
const char *given_recording_option(const struct options *options) {
  return options->asked_workers != NULL ? "-j"
         : options->hz > 0              ? "-F"
         : options->openmp              ? "--openmp"
         : options->hand                ? "--forks"
                                        : NULL;
}

/* Fails if OPTIONS has some that do not go with trials, of which it also sets the numbers of workers.  */
static void finish_trial_options(struct options *options) {
  if (options->no_reference)
    fail("--no-reference", "it applies to profiles; these runs are only timed");
  if (options->profile_option != NULL)
    fail(options->profile_option, "it applies to profiles; these runs are only timed");
  if (options->asked_workers != NULL && options->workers == NULL)
    options->workers = options->asked_workers;
  options->asked_workers = NULL;
  if (options->samples == NULL && given_recording_option(options) != NULL)
    fail(given_recording_option(options), "it applies to sampled runs; these are only timed, without --samples");
}

/* Fails if OPTIONS has one for reports, and the COMMAND prints none.  */
static void check_report_options(const struct options *options, const char *command) {
  const char *slash = strrchr(command, '/'), *name = slash != NULL ? slash + 1 : command;
  if (options->processors > 0 && strcmp(name, "cilkprof") != 0 && strcmp(name, "cilkprof predict") != 0)
    fail("--processors", "%s prints no verdict; give it to cilkprof ./prog, or to cilkprof report", name);
}

/* Reads the command line of cilkprof-run, or of the command of cilkprof that is named in argv[0], and returns the
   options.  Fails if some of them contradict each other: from here on with the status of a run that failed.  */
struct options launcher_options_read(int argc, char **argv) {
  const struct argp_child children[] = {{launcher_profile_option_parser(), 0, "What a profile records:", 3}, {0}};
  const struct argp argp = {table, parse_launcher_option, "PROGRAM [ARG...]", description, children, NULL, NULL};
  struct options options = {0};
  argp_err_exit_status = LAUNCH_FAILED;
  set_launcher_failure_status(LAUNCH_FAILED);
  if (argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_IN_ORDER, NULL, &options) == ENOMEM)
    fail_without_memory();
  check_report_options(&options, argv[0]);
  if (options.copies && !options.trials)
    options.workers = "1";
  options.trials |= options.copies;
  if (options.bounds != NULL && !options.trials)
    fail("--bounds", "it needs --trials");
  if (options.samples != NULL && !options.trials)
    fail("--samples", "it needs --trials; a single run is sampled without it");
  const char *number = options.asked_workers;
  if (options.trials)
    finish_trial_options(&options);
  else if (number != NULL)
    options.record_workers = read_launcher_number("-j", &number, 0, 1, MAX_WORKERS, "");
  return options;
}
