/* Memory, errors and files: what every part of the report needs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SUPPORT_H
#define CILKPROF_REPORT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Says in one line "cilkprof-report: FILE: ..." and exits with status 1.  */
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *file, const char *format, ...);
/* Says that, without needing any.  */
__attribute__((noreturn)) void fail_without_memory(void);
/* Says it and goes on.  */
__attribute__((format(printf, 2, 3))) void note(const char *file, const char *format, ...);

/* They fail rather than return NULL; the memory is zero.  A report lives as long as its data: nothing of it is
   freed.  */
void *allocate(size_t count, size_t size);
void *reallocate(void *memory, size_t count, size_t size);
__attribute__((format(printf, 1, 2))) char *format_string(const char *format, ...);

/* Fails when RESULT, of a library's function that was called with errno 0, is NULL for want of memory.  */
void check_memory(const void *result);

/* Makes room for one more in an array that has USED of *ROOM elements.  */
void *grow(void *memory, size_t used, size_t *room, size_t size);

/* Room for one string after another.  Starts as {0}.  */
struct buffer {
  char *text;
  size_t room;
};
/* The string, until the next one.  */
__attribute__((format(printf, 2, 3))) const char *buffer_print(struct buffer *buffer, const char *format, ...);
/* The same of three strings, faster.  */
const char *buffer_join(struct buffer *buffer, const char *first, const char *second, const char *third);

/* All bytes of a file, or of standard input where it is called "-"; the caller frees them.  */
struct file {
  void *bytes;
  size_t size;
};
struct file file_read(const char *path);

/* Opens a regular file for reading.  -1 with errno, EINVAL when it is no regular file.  */
int file_open(const char *path, struct stat *status);

/* What comes after the last slash.  */
const char *base_name(const char *path);

static inline uint64_t hash_add(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

/* Whether PATH is FILE, or ends in it after a slash.  */
bool is_file(const char *path, const char *file);

#endif
