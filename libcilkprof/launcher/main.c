/* cilkprof-run: runs a program that was compiled with -fcilkprof, first without its events, and then for its profile;
   records a run of a parallel one; or runs any on several numbers of processors.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

static bool line_is_for_now;

void clear_status(void) {
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
  clear_status();
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

static int profile(const struct program *program, const struct options *options) {
  if (options->output != NULL && setenv("CILKPROF_OUT", options->output, 1) < 0)
    fail_without_memory();
  if (!program->instrumented)
    return status_of(record_run(program, options));
  if (options_of_recording(options) != NULL)
    fail(
        options_of_recording(options),
        "%s was compiled with -fcilkprof, and is profiled on one processor; compile it with -fcilkplus alone to record "
        "it in parallel",
        program->name);
  struct reference reference = refer(program, options);
  return status_of(measured_run(program, &reference));
}

int main(int argc, char **argv) {
  struct options options = options_read(argc, argv);
  struct program program = program_find(options.argv);
  unsetenv(CILKPROF_REFERENCE);
  unsetenv(CILKPROF_REFERENCE_TO);
  run_prepare();
  return options.trials ? trials_run(&program, &options) : profile(&program, &options);
}
