/* Memory and formatted strings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/support/support.h"
#include "fmt/pages.h"

/* Prints that no memory is left, without allocating any, and exits with status 1.  */
void fail_without_memory(void) {
  static const char message[] = "cilkprof-report: out of memory\n";
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
    _exit(1);
  exit(1);
}

void check_memory_result(const void *result) {
  if (result == NULL && errno == ENOMEM)
    fail_without_memory();
}

/* Returns zeroed memory for COUNT elements of SIZE bytes.  Exits with a message, instead of returning NULL, if no
   memory is left.  */
void *allocate(size_t count, size_t size) {
  void *memory = cilkprof_large_pages(calloc(count > 0 ? count : 1, size), count * size);
  if (memory == NULL)
    fail_without_memory();
  return memory;
}

/* Changes the size of MEMORY, which may be NULL, to COUNT elements of SIZE bytes, and returns it.  New bytes are not
   zeroed.  Exits with a message if no memory is left.  */
void *reallocate(void *memory, size_t count, size_t size) {
  memory = cilkprof_large_pages(reallocarray(memory, count > 0 ? count : 1, size), count * size);
  if (memory == NULL)
    fail_without_memory();
  return memory;
}

/* Returns the array MEMORY, whose elements have SIZE bytes, with room for at least one more than the USED elements.  If
   there is none yet, the array is moved to one of twice the size, and *ROOM becomes its number of elements.  */
void *grow_array(void *memory, size_t used, size_t *room, size_t size) {
  if (used < *room)
    return memory;
  *room = *room > 0 ? 2 * *room : 64;
  return reallocate(memory, *room, size);
}

/* Returns a string formatted as by printf, in memory of its own.  Exits with a message if no memory is left.  */
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
