/* Reading whole files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/support.h"

/* Reads the whole file, or standard input if PATH is "-", and fails if that is not possible.  The caller frees the
   bytes.  The file is not mapped, because the report would die of SIGBUS if it shrank meanwhile; besides, pipes can be
   read this way too.  */
struct file read_whole_file(const char *path) {
  struct file file = {NULL, 0};
  struct stat status;
  int descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    fail(path, "%s", strerror(errno));
  keep_input_file(&status);
  size_t room = S_ISREG(status.st_mode) ? (size_t)status.st_size + 1 : 1 << 16;
  file.bytes = reallocate(NULL, room, 1);
  for (;;) {
    ssize_t count = read(descriptor, (char *)file.bytes + file.size, room - file.size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail(path, "%s", strerror(errno));
    if (count == 0)
      break;
    file.size += (size_t)count;
    file.bytes = grow_array(file.bytes, file.size, &room, 1);
  }
  close(descriptor);
  return file;
}
