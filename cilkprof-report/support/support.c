/* Memory, errors and files: what every part of the report needs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"
#include "fmt/pages.h"

void fail_without_memory(void) {
  static const char message[] = "cilkprof-report: no memory is left\n";
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
    _exit(1);
  exit(1);
}

/* File names come from the command line and from profiles: they are printed on one line whatever they hold.  What
   cannot be said must not be passed over: the report might be without what it is about.  */
static void say(const char *file, const char *format, va_list arguments) {
  char *message;
  fflush(stdout);
  if (vasprintf(&message, format, arguments) < 0)
    fail_without_memory();
  char *name = escape(file);
  char *line = escape(message);
  fprintf(stderr, "cilkprof-report: %s: %s\n", name, line);
  free(message);
  free(name);
  free(line);
}

void fail(const char *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(file, format, arguments);
  va_end(arguments);
  exit(1);
}

void note(const char *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(file, format, arguments);
  va_end(arguments);
}

void check_memory(const void *result) {
  if (result == NULL && errno == ENOMEM)
    fail_without_memory();
}

void *allocate(size_t count, size_t size) {
  void *memory = cilkprof_large_pages(calloc(count > 0 ? count : 1, size), count * size);
  if (memory == NULL)
    fail_without_memory();
  return memory;
}

void *reallocate(void *memory, size_t count, size_t size) {
  memory = cilkprof_large_pages(reallocarray(memory, count > 0 ? count : 1, size), count * size);
  if (memory == NULL)
    fail_without_memory();
  return memory;
}

void *grow(void *memory, size_t used, size_t *room, size_t size) {
  if (used < *room)
    return memory;
  *room = *room > 0 ? 2 * *room : 64;
  return reallocate(memory, *room, size);
}

char *format_string(const char *format, ...) {
  va_list arguments;
  char *string;
  va_start(arguments, format);
  if (vasprintf(&string, format, arguments) < 0)
    fail_without_memory();
  va_end(arguments);
  return string;
}

const char *buffer_print(struct buffer *buffer, const char *format, ...) {
  for (;;) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer->text, buffer->room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < buffer->room)
      return buffer->text;
    buffer->room = length >= 0 ? 2 * (size_t)length + 64 : 2 * buffer->room + 64;
    buffer->text = reallocate(buffer->text, buffer->room, 1);
  }
}

/* A name may come from a profile or a program: opening a device can do things, opening a pipe can wait forever.  */
int file_open(const char *path, struct stat *status) {
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

const char *buffer_join(struct buffer *buffer, const char *first, const char *second, const char *third) {
  size_t lengths[] = {strlen(first), strlen(second), strlen(third)};
  size_t wanted = lengths[0] + lengths[1] + lengths[2] + 1;
  if (wanted > buffer->room) {
    buffer->room = 2 * wanted;
    buffer->text = reallocate(buffer->text, buffer->room, 1);
  }
  char *end = mempcpy(mempcpy(buffer->text, first, lengths[0]), second, lengths[1]);
  memcpy(end, third, lengths[2] + 1);
  return buffer->text;
}

/* Not mapped: a file that shrinks meanwhile would end the report with SIGBUS, and a pipe is welcome too.  */
struct file file_read(const char *path) {
  struct file file = {NULL, 0};
  struct stat status;
  int descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    fail(path, "%s", strerror(errno));
  keep_input(&status);
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
    file.bytes = grow(file.bytes, file.size, &room, 1);
  }
  close(descriptor);
  return file;
}

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

bool is_file(const char *path, const char *file) {
  size_t length = strlen(path), wanted = strlen(file);
  return length >= wanted && strcmp(path + length - wanted, file) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/');
}
