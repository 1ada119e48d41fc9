/* Standard input: every run reads a file from the same position; anything else can be read only once, by the
   profiled run.
   SPDX-License-Identifier: MIT

   Most programs read no input.  So a reference run gets a pipe with one byte in it: if the byte is gone
   afterwards, the program reads input, and its run without that is no reference.  */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

static off_t start = -1;

/* Returns whether standard input is a file, which each run can read anew, or something that can be read only once, or
   nothing.  */
enum input launched_input_kind(void) {
  struct stat status;
  if (fstat(STDIN_FILENO, &status) < 0)
    return INPUT_NONE;
  if (S_ISREG(status.st_mode) && (start >= 0 || (start = lseek(STDIN_FILENO, 0, SEEK_CUR)) >= 0))
    return INPUT_FILE;
  bool empty = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
  return empty ? INPUT_NONE : INPUT_ONCE;
}

/* Moves standard input, if it is a file, back to where it was when cilkprof-run started, for the next run.  */
void rewind_launched_input(void) {
  if (start >= 0 && lseek(STDIN_FILENO, start, SEEK_SET) < 0)
    fail("standard input", "%s", strerror(errno));
}

/* Opens the file that is standard input again and returns the new descriptor, at the position where it was at the
   start.  Programs that run at the same time must not share its position.  */
int reopen_launched_input(void) {
  int file = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
  if (file < 0 || lseek(file, start, SEEK_SET) < 0)
    fail("standard input", "%s", strerror(errno));
  return file;
}

/* Returns the reading end of a pipe with one byte, to be the standard input of a run: the byte is gone afterwards if
   the program reads input.  */
int open_launched_stdin_probe(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0 || write(ends[1], "", 1) != 1)
    fail("standard input", "%s", strerror(errno));
  close(ends[1]);
  return ends[0];
}

/* Closes PROBE, which open_launched_stdin_probe returned.  Returns true if the program that ran with it has read its
   byte.  */
bool close_launched_stdin_probe(int probe) {
  int left = 0;
  bool taken = ioctl(probe, FIONREAD, &left) == 0 && left == 0;
  close(probe);
  return taken;
}
