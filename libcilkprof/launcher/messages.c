/* Messages to the user on standard error: warnings, errors that end cilkprof-run, and the progress line.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

static bool line_is_for_now;
static int failure_status = EXIT_FAILURE;

/* Removes the progress line from the terminal, if there is one.  */
void clear_launcher_progress(void) {
  if (line_is_for_now)
    fputs("\r\033[K", stderr);
  line_is_for_now = false;
}

/* Shows a progress line on standard error, until the next message or call of clear_launcher_progress.  Prints nothing
   if standard error is not a terminal.  */
void show_launcher_progress(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  line_is_for_now = isatty(STDERR_FILENO);
  if (line_is_for_now) {
    fprintf(stderr, "\r%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
  }
  va_end(arguments);
}

/* Prints one line on standard error: the name of this program, cilkprof or cilkprof-run, WHAT it is about, and the
   formatted message.  Removes the progress line before.  */
static void print_launcher_message(const char *what, const char *format, va_list arguments) {
  clear_launcher_progress();
  fprintf(stderr, "%s: %s: ", program_invocation_short_name, what);
  vfprintf(stderr, format, arguments);
  putc('\n', stderr);
}

/* Prints a warning about WHAT, a program, a file or an option, as one line on standard error.  */
void say(const char *what, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_launcher_message(what, format, arguments);
  va_end(arguments);
}

/* Makes STATUS the exit status of fail and fail_without_memory, which is 1 until then.  */
void set_launcher_failure_status(int status) {
  failure_status = status;
}

/* Prints an error message about WHAT, a program, a file or an option, as one line on standard error, and exits with the
   status of failures.  */
void fail(const char *what, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_launcher_message(what, format, arguments);
  va_end(arguments);
  exit(failure_status);
}

/* Prints that no memory is left, and exits with the status of failures.  */
void fail_without_memory(void) {
  clear_launcher_progress();
  fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
  exit(failure_status);
}
