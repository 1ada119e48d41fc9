/* cilkprof-run: runs a program that was compiled with -fcilkprof, first without its events, and then for its profile.
   SPDX-License-Identifier: MIT  */

#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/support/reference.h"

enum { KEY_RUNS = 256, KEY_NO_REFERENCE, KEY_USAGE, MOST = 1000 };

struct options {
  const char *output;
  unsigned runs; /* 0: as many as seem worth it */
  bool no_reference;
  char **argv;
};

static bool line_is_for_now;

void unsay(void) {
  if (line_is_for_now)
    fputs("\r\033[K", stderr);
  line_is_for_now = false;
}

void say_for_now(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  line_is_for_now = isatty(STDERR_FILENO);
  if (line_is_for_now) {
    fputs("\rcilkprof-run: ", stderr);
    vfprintf(stderr, format, arguments);
  }
  va_end(arguments);
}

static void say_line(const char *what, const char *format, va_list arguments) {
  unsay();
  fprintf(stderr, "cilkprof-run: %s: ", what);
  vfprintf(stderr, format, arguments);
  putc('\n', stderr);
}

void say(const char *what, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say_line(what, format, arguments);
  va_end(arguments);
}

void fail(const char *what, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say_line(what, format, arguments);
  va_end(arguments);
  exit(1);
}

void fail_without_memory(void) {
  fail("memory", "none is left");
}

static unsigned read_runs(const char *text) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (errno != 0 || *end != 0 || *text < '0' || *text > '9' || value < 1 || value > MOST)
    fail("--runs", "%s: not a number from 1 to %d", text, MOST);
  return (unsigned)value;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
  case 'o':
    options->output = argument;
    return 0;
  case KEY_RUNS:
    options->runs = read_runs(argument);
    return 0;
  case KEY_NO_REFERENCE:
    options->no_reference = true;
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
    puts("cilkprof-run " CILKPROF_VERSION);
    exit(0);
  case ARGP_KEY_ARG: /* all that follows is the program's */
    options->argv = state->argv + state->next - 1;
    state->next = state->argc;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no program is named");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option table[] = {
    {"output", 'o', "FILE", 0, "Write the profile to FILE, not to cilkprof.out", 0},
    {"runs", KEY_RUNS, "N", 0, "Run the program N times without its events; else up to three times in two seconds", 0},
    {"no-reference", KEY_NO_REFERENCE, NULL, 0, "Run it for its profile only", 0},
    {"help", 'h', NULL, 0, "Give this help list", -1},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, -1},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1},
    {"version", 'v', NULL, 0, "Print the program's version", -1},
    {NULL, 'V', NULL, OPTION_HIDDEN, NULL, -1},
    {0},
};

static const char description[] =
    "Runs a program that was compiled with -fcilkprof: first without its events, for the time that it takes by itself, "
    "and then for its profile, whose time is checked by that."
    "\vThe output of the first runs goes nowhere.  The exit status is that of the program, or 128 and the signal that "
    "ended it.  cilkprof-run(1) explains more.";

static struct options read_options(int argc, char **argv) {
  static const struct argp argp = {table, parse, "PROGRAM [ARG...]", description, NULL, NULL, NULL};
  struct options options = {0};
  argp_err_exit_status = 1;
  if (argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_IN_ORDER, NULL, &options) == ENOMEM)
    fail_without_memory();
  return options;
}

static int status_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static struct reference refer(const struct program *program, const struct options *options) {
  struct reference reference = {0};
  if (options->no_reference)
    return reference;
  if (program->main == MAIN_UNKNOWN)
    say(program->name, "its main was not compiled with -fcilkprof; the time of its profile is not checked");
  if (program->main == MAIN_BARE)
    reference = reference_measure(program, options->runs);
  if (run_interrupted())
    exit(status_of(reference.status));
  return reference;
}

int main(int argc, char **argv) {
  struct options options = read_options(argc, argv);
  struct program program = program_find(options.argv);
  unsetenv(CILKPROF_REFERENCE);
  unsetenv(CILKPROF_REFERENCE_TO);
  if (options.output != NULL && setenv("CILKPROF_OUT", options.output, 1) < 0)
    fail_without_memory();
  run_prepare();
  struct reference reference = refer(&program, &options);
  return status_of(measured_run(&program, &reference));
}
