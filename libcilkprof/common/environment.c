/* Numbers in environment variables, and what they say to one process.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"

/* Returns the number in the environment variable NAME, or DEFAULT_VALUE if it is not set.  If it is no number, less
   than LEAST or too large, says so on standard error and returns DEFAULT_VALUE.  */
uint64_t __cilkprof_environment_number(const char *name, uint64_t least, uint64_t default_value) {
  const char *text = secure_getenv(name);
  if (!text || !*text)
    return default_value;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno || *end || *text == '-' || value < least || value > UINT64_MAX >> 20) {
    __cilkprof_say(name, "not a number, or out of range", "using the default");
    return default_value;
  }
  return value;
}

/* Returns what the environment variable NAME says to this process, after the process's number; NULL if it is not set,
   is for another process, or the program runs with raised privileges.  */
const char *__cilkprof_process_setting(const char *name) {
  const char *text = secure_getenv(name);
  char *end = NULL;
  long pid = text ? strtol(text, &end, 10) : 0;
  return end && *end == ':' && pid == getpid() ? end + 1 : NULL;
}
