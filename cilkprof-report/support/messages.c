/* Messages on standard error.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Prints the line "cilkprof-report: FILE: ..." on standard error.  File names come from the command line and from
   profiles, so they are escaped to fit on one line.  A message that cannot be formatted must not get lost: the report
   might lack what the message is about.  */
static void print_error_message(const char *file, const char *format, va_list arguments) {
  char *message;
  fflush(stdout);
  if (vasprintf(&message, format, arguments) < 0)
    fail_without_memory();
  char *name = escape(file);
  char *line = escape(message);
  fprintf(stderr, "cilkprof-report: %s: %s\n", name, line);
  free(message);
  free(name);
  free(line);
}

/* Prints the line "cilkprof-report: FILE: ..." on standard error and exits with status 1.  */
void fail(const char *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_error_message(file, format, arguments);
  va_end(arguments);
  exit(1);
}

/* Prints the line "cilkprof-report: FILE: ..." on standard error and returns: the report goes on.  */
void note(const char *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_error_message(file, format, arguments);
  va_end(arguments);
}
