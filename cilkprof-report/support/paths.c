/* Paths, and opening regular files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/support/support.h"

/* Opens the file at PATH for reading and stores its STATUS, but only if it is a regular file, because the path may come
   from a profile or a program: opening a device can have side effects, and opening a pipe can block forever.  Returns
   -1 with errno on failure.  */
int open_regular_file(const char *path, struct stat *status) {
  if (stat(path, status) != 0)
    return -1;
  if (!S_ISREG(status->st_mode)) {
    errno = S_ISDIR(status->st_mode) ? EISDIR : EINVAL;
    return -1;
  }
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 || (fstat(descriptor, status) == 0 && S_ISREG(status->st_mode)))
    return descriptor;
  close(descriptor);
  errno = EINVAL;
  return -1;
}

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

bool path_ends_in_file(const char *path, const char *file) {
  size_t length = strlen(path), wanted = strlen(file);
  return length >= wanted && strcmp(path + length - wanted, file) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/');
}
