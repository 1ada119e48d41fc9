/* Messages to the user: one line on standard error.
   SPDX-License-Identifier: MIT  */

#include <unistd.h>

#include "libcilkprof/common/system.h"

/* Prints one line on standard error: "cilkprof: WHAT: WHY; ADVICE".  ADVICE may be NULL.  A line that is too long is
   cut.  Neither a closed pipe nor a file size limit ends the program.  */
void __cilkprof_say(const char *what, const char *why, const char *advice) {
  char line[1024];
  size_t length = 0;
  const char *parts[] = {"cilkprof: ", what, ": ", why, advice ? "; " : "", advice ? advice : "", "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (const char *c = parts[i]; *c && length < sizeof line; c++)
      line[length++] = *c;
  line[length - 1] = '\n';
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  ssize_t written = write(STDERR_FILENO, line, length);
  (void)written; /* there is no other place to report errors */
  __cilkprof_restore_signals(&saved);
}
