/* Reading whole files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/support.h"

enum { MOST_OF_STREAM = 1 << 30 }; /* bytes that are read of what is not a regular file: it may be endless */

const char file_is_too_large[] = "it is too large";

/* Returns NULL if it makes sense to read more of FILE, which is no regular file and may have no end: it begins as it
   should, or the last COUNT bytes are text.  Otherwise returns what is wrong.  */
static const char *reason_to_stop_reading(const struct file *file, const char *begins, size_t count) {
  if (file->size > MOST_OF_STREAM)
    return "it has more than 1 GB and maybe no end; write it to a file first";
  if (begins == NULL)
    return memchr((const char *)file->bytes + file->size - count, 0, count) != NULL ? "it is not a text" : NULL;
  size_t size = strlen(begins);
  return memcmp(file->bytes, begins, file->size < size ? file->size : size) != 0 ? "not a cilkprof profile" : NULL;
}

/* Reads all of DESCRIPTOR, a file with this STATUS, into *FILE.  BEGINS and MOST are those of try_to_read_file.
   Returns NULL, or what is wrong.  */
static const char *read_open_file(int descriptor, const struct stat *status, const char *begins, size_t most,
                                  struct file *file) {
  const char *wrong = NULL;
  size_t room = S_ISREG(status->st_mode) ? (size_t)status->st_size + 1 : 1 << 16;
  if (room - 1 > most)
    return file_is_too_large;
  file->bytes = reallocate(NULL, room, 1);
  while (wrong == NULL) {
    ssize_t count = read(descriptor, (char *)file->bytes + file->size, room - file->size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return strerror(errno);
    if (count == 0)
      return NULL;
    file->size += (size_t)count;
    wrong = file->size > most           ? file_is_too_large
            : !S_ISREG(status->st_mode) ? reason_to_stop_reading(file, begins, (size_t)count)
                                        : NULL;
    file->bytes = grow_array(file->bytes, file->size, &room, 1);
  }
  return wrong;
}

const char *try_to_read_file(const char *path, const char *begins, size_t most, struct file *file) {
  struct stat status;
  const char *wrong;
  int descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  *file = (struct file){NULL, 0};
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    return strerror(errno);
  keep_input_file(&status);
  wrong = read_open_file(descriptor, &status, begins, most, file);
  close(descriptor);
  if (wrong != NULL) {
    free(file->bytes);
    *file = (struct file){NULL, 0};
  }
  return wrong;
}

struct file read_whole_file(const char *path, const char *begins) {
  struct file file;
  const char *wrong = try_to_read_file(path, begins, SIZE_MAX, &file);
  if (wrong != NULL)
    fail(path, "%s", wrong);
  return file;
}
