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

/* Removes the file for the reports of runs when cilkprof-run exits.  */
static void remove_launched_answer_file(void) {
  unlink(path);
}

/* Creates and opens a temporary file in TMPDIR, or in /tmp, and returns its descriptor.  Sets *NAME to its path, which
   the caller frees and unlinks.  Fails with a message if the file cannot be created.  */
int open_launcher_temporary(char **name) {
  const char *folder = getenv("TMPDIR");
  if (asprintf(name, "%s/cilkprof-run.XXXXXX", folder != NULL && *folder != 0 ? folder : "/tmp") < 0)
    fail_without_memory();
  int made = mkostemp(*name, O_CLOEXEC);
  if (made < 0)
    fail(*name, "%s; set TMPDIR to a folder that can be written to", strerror(errno));
  return made;
}

/* Returns the path of the file into which each run writes its report.  Creates the file at the first call, to be
   removed when cilkprof-run exits.  */
const char *launched_answer_path(void) {
  if (path == NULL) {
    file = open_launcher_temporary(&path);
    atexit(remove_launched_answer_file);
  }
  return path;
}

/* Reads the report of the last run into TEXT, of SIZE bytes, as a string.  Returns false if there is none.  Empties the
   file: a run that reports nothing must not seem to report what the previous one did.  */
bool take_launched_answer(char *text, size_t size) {
  ssize_t length = pread(file, text, size - 1, 0);
  text[length > 0 ? length : 0] = 0;
  return ftruncate(file, 0) == 0 && length > 0;
}
