/* Messages to the user on standard error: warnings, errors that end cilkprof-run, and the progress line.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

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
