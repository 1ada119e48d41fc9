/* The file by which a run reports its measurements to cilkprof-run when it ends.  All runs use the same one.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

static char *path;
static int file;

static void remove_file(void) {
  unlink(path);
}

int temporary_file(char **name) {
  const char *folder = getenv("TMPDIR");
  if (asprintf(name, "%s/cilkprof-run.XXXXXX", folder != NULL && *folder != 0 ? folder : "/tmp") < 0)
    fail_without_memory();
  int made = mkostemp(*name, O_CLOEXEC);
  if (made < 0)
    fail(*name, "%s; set TMPDIR to a folder that can be written to", strerror(errno));
  return made;
}

const char *answer_path(void) {
  if (path == NULL) {
    file = temporary_file(&path);
    atexit(remove_file);
  }
  return path;
}

/* Reads and empties the file: a run that reports nothing must not seem to report what the previous one did.  */
bool answer_take(char *text, size_t size) {
  ssize_t length = pread(file, text, size - 1, 0);
  text[length > 0 ? length : 0] = 0;
  return ftruncate(file, 0) == 0 && length > 0;
}
