/* Memory, errors and files, for all parts of the report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SUPPORT_H
#define CILKPROF_REPORT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* messages.c: prints the line "cilkprof-report: FILE: ..." on standard error and exits with status 1.  */
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *file, const char *format, ...);
/* Prints such a line and returns.  */
__attribute__((format(printf, 2, 3))) void note(const char *file, const char *format, ...);

/* memory.c: prints that no memory is left, without allocating any, and exits with status 1.  */
__attribute__((noreturn)) void fail_without_memory(void);

/* These fail instead of returning NULL.  Allocated memory is zero.  The data of a report live as long as the process
   and are not freed.  */
void *allocate(size_t count, size_t size);
void *reallocate(void *memory, size_t count, size_t size);
__attribute__((format(printf, 1, 2))) char *format_string(const char *format, ...);

/* Fails if RESULT is NULL because a library function, called with errno 0, ran out of memory.  */
void check_memory_result(const void *result);

/* Makes room for one more element in an array with USED of *ROOM elements in use.  */
void *grow_array(void *memory, size_t used, size_t *room, size_t size);

/* A buffer that is reused for one string after another.  Initially {0}.  */
struct buffer {
  char *text;
  size_t room;
};
/* Returns the formatted string, which is valid until the next one is printed to the buffer.  */
__attribute__((format(printf, 2, 3))) const char *buffer_print(struct buffer *buffer, const char *format, ...);
/* Concatenates three strings, faster than buffer_print would.  */
const char *buffer_join(struct buffer *buffer, const char *first, const char *second, const char *third);

/* files.c */
struct file {
  void *bytes;
  size_t size;
};
/* Reads the whole file PATH, or standard input if PATH is "-", into *FILE, whose bytes the caller frees.  BEGINS is
   what the file begins with, or NULL if it is a text: what is not a regular file may be endless, and is not read
   further when it is something else.  Returns NULL, or what is wrong: file_is_too_large if there are more than MOST
   bytes.  The file is not mapped, because the report would die of SIGBUS if it shrank meanwhile; besides, pipes can be
   read this way.  */
const char *try_to_read_file(const char *path, const char *begins, size_t most, struct file *file);
extern const char file_is_too_large[];
/* The same, of any size.  Fails if something is wrong.  */
struct file read_whole_file(const char *path, const char *begins);

/* paths.c: opens a regular file for reading.  Returns -1 and sets errno on failure, to EINVAL if the file is not
   regular.  */
int open_regular_file(const char *path, struct stat *status);

/* Returns the part of PATH after the last slash.  */
const char *base_name(const char *path);

/* Returns HASH after VALUE has been mixed into it.  */
static inline uint64_t hash_add(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

/* Returns whether PATH is FILE, or ends in a slash and FILE.  */
bool path_ends_in_file(const char *path, const char *file);

#endif
