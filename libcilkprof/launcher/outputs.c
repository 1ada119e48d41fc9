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

int outputs_open(void) {
  char *path;
  int file = temporary_file(&path);
  unlink(path);
  free(path);
  if (file > STDERR_FILENO)
    return file;
  int above =
      fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* in case cilkprof-run was started without standard streams */
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
