/* What the runs print: the same, if the number of workers does not matter.
   SPDX-License-Identifier: MIT

   A program may print something else each time, as how long it took.  That says nothing of its workers.  */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/trials.h"

static int first;         /* what was printed first, with one worker; 0: nothing yet */
static unsigned alone;    /* how often one worker printed the same again */
static bool always;       /* one worker printed something else too */
static unsigned differed; /* so many workers did */

int outputs_open(void) {
  char *path;
  int file = temporary_file(&path);
  unlink(path);
  free(path);
  if (file > STDERR_FILENO)
    return file;
  int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* cilkprof-run was started without standard input */
  close(file);
  return above;
}

static bool same(int one, int other) {
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

void outputs_compare(int file, unsigned workers) {
  if (first == 0) {
    first = file;
    return;
  }
  bool is_same = always || (workers > 1 && differed > 0) || same(first, file);
  alone += workers == 1 && is_same;
  always |= workers == 1 && !is_same;
  if (!is_same)
    differed = workers;
  close(file);
}

unsigned outputs_differ(void) {
  return alone > 0 && !always ? differed : 0;
}
