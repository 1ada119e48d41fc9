/* The command to type next.
   SPDX-License-Identifier: MIT  */

#include <stdarg.h>
#include <stdio.h>

#include "libcilkprof/command/command.h"

/* Prints on standard error which command to type next.  */
void suggest(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("cilkprof: next: ", stderr);
  vfprintf(stderr, format, arguments);
  putc('\n', stderr);
  va_end(arguments);
}
