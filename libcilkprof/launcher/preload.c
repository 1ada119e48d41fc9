/* Libraries that are loaded with the program, to sample it.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

/* Returns the path of the library NAME, which is installed in the same tree, for the caller to free.  Fails, and says
   what is NEEDED, if it is not there.  */
static char *find_recording_preload(const char *name, const char *needed) {
  char *path = NULL;
  if (asprintf(&path, "lib/cilkprof/%s", name) < 0)
    fail_without_memory();
  char *tool = installed_file(path);
  free(path);
  if (access(tool, R_OK) < 0)
    fail(tool, "%s; %s", strerror(errno), needed);
  return tool;
}

/* Sets LD_PRELOAD so that the installed library NAME is loaded with the program, which may use PROCESSORS processors,
   and behind it the one at the path SECOND, unless that is NULL.  Fails, and says what is NEEDED, if it is not
   installed.  Returns the variable CILKPROF_PRELOADED for the program's process, whose value is never freed.  */
struct setting prepare_recording_preload(const char *name, const char *needed, const char *second,
                                         unsigned processors) {
  const char *preloaded = getenv("LD_PRELOAD");
  char *before = strdup(preloaded != NULL ? preloaded : ""), *tool = find_recording_preload(name, needed);
  char *preload = NULL, *value = NULL;
  if (before == NULL)
    fail_without_memory();
  if (strpbrk(tool, ": ") != NULL || (second != NULL && strpbrk(second, ": ") != NULL))
    fail(tool, "a path with a space or a colon cannot be preloaded; install cilkprof elsewhere");
  if (asprintf(&preload, "%s%s%s%s%s", tool, second != NULL ? ":" : "", second != NULL ? second : "",
               *before != 0 ? ":" : "", before) < 0 ||
      asprintf(&value, "%u:%s", processors, before) < 0 || setenv("LD_PRELOAD", preload, 1) < 0)
    fail_without_memory();
  free(preload);
  free(tool);
  free(before);
  return (struct setting){CILKPROF_PRELOADED, value};
}
