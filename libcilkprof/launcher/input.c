/* Standard input: every run reads a file from where it was; anything else can be read once, by the profiled run.
   SPDX-License-Identifier: MIT

   Most programs read none.  So a reference run is given a pipe with one byte in it: where that is gone afterwards, the
   program wanted input, and what it did without is no reference.  */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

static off_t start = -1;

enum input input_kind(void) {
  struct stat status;
  if (fstat(STDIN_FILENO, &status) < 0)
    return INPUT_NONE;
  if (S_ISREG(status.st_mode) && (start >= 0 || (start = lseek(STDIN_FILENO, 0, SEEK_CUR)) >= 0))
    return INPUT_FILE;
  bool empty = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
  return empty ? INPUT_NONE : INPUT_ONCE;
}

void input_rewind(void) {
  if (start >= 0 && lseek(STDIN_FILENO, start, SEEK_SET) < 0)
    fail("standard input", "%s", strerror(errno));
}

/* The file once more: several programs that run at once do not share their place in it.  */
int input_again(void) {
  int file = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
  if (file < 0 || lseek(file, start, SEEK_SET) < 0)
    fail("standard input", "%s", strerror(errno));
  return file;
}

int stdin_probe(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0 || write(ends[1], "", 1) != 1)
    fail("standard input", "%s", strerror(errno));
  close(ends[1]);
  return ends[0];
}

bool stdin_probe_taken(int probe) {
  int left = 0;
  bool taken = ioctl(probe, FIONREAD, &left) == 0 && left == 0;
  close(probe);
  return taken;
}
