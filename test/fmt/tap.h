/* Tests in C that print TAP.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_TAP_H
#define CILKPROF_TEST_TAP_H

#include <stdarg.h>
#include <stdio.h>

struct tap {
  unsigned count, failed;
};

/* Prints the result of one test.  Returns whether it PASSED.  */
__attribute__((format(printf, 3, 4))) static inline int tap_check(struct tap *tap, int passed, const char *format,
                                                                  ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%s %u - ", passed ? "ok" : "not ok", ++tap->count);
  vprintf(format, arguments);
  putchar('\n');
  va_end(arguments);
  tap->failed += !passed;
  return passed;
}

/* Prints how many tests there were.  Returns the exit status of the program: 1 if one failed.  */
static inline int tap_end(const struct tap *tap) {
  printf("1..%u\n", tap->count);
  return tap->failed > 0;
}

#endif
