/* Comparison of the output of all runs: it should not depend on the number of workers.
   SPDX-License-Identifier: MIT

   A program may print something different each time, such as its running time.  Then nothing follows for its
   workers.  */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/trials.h"

static int first;         /* the first output, with one worker; 0 if there is none yet */
static unsigned alone;    /* how often one worker printed the same again */
static bool always;       /* runs with one worker printed different things */
static unsigned differed; /* a number of workers with different output */

/* Returns the descriptor of an unnamed temporary file for the output of one run.  It is never one of the standard
   streams.  */
int open_trial_output(void) {
  char *path;
  int file = open_launcher_temporary(&path);
  unlink(path);
  free(path);
  if (file > STDERR_FILENO)
    return file;
  int above =
      fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* in case cilkprof-run was started without standard streams */
  close(file);
  return above;
}

/* Returns true if the files ONE and OTHER have the same contents.  */
static bool is_same_trial_output(int one, int other) {
  static char blocks[2][1 << 16];
  for (off_t at = 0;; at += (off_t)sizeof blocks[0]) {
    ssize_t length = pread(one, blocks[0], sizeof blocks[0], at);
    if (length != pread(other, blocks[1], sizeof blocks[1], at))
      return false;
    if (length <= 0)
      return true;
    if (memcmp(blocks[0], blocks[1], (size_t)length) != 0)
      return false;
  }
}

/* Compares the output of a run with WORKERS workers in FILE with that of the first run, which has one worker, and
   closes FILE.  The first output is kept.  */
void compare_trial_output(int file, unsigned workers) {
  if (first == 0) {
    first = file;
    return;
  }
  bool is_same = always || (workers > 1 && differed > 0) || is_same_trial_output(first, file);
  alone += workers == 1 && is_same;
  always |= workers == 1 && !is_same;
  if (!is_same)
    differed = workers;
  close(file);
}

/* Returns a number of workers with which the program printed something else than with one worker; 0 if there is none,
   or if even runs with one worker differ from each other.  */
unsigned trial_workers_with_other_output(void) {
  return alone > 0 && !always ? differed : 0;
}
