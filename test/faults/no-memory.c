/* Preloaded into a program: its allocation number NO_MEMORY_AT fails, and with NO_MEMORY_ON all that follow.  With 0
   none fails; at the end the number of allocations is written to the file NO_MEMORY_COUNT.  Those of processes that it
   forks are counted with its own.
   SPDX-License-Identifier: MIT  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static unsigned long *allocations, fails_at;
static int goes_on;

/* Counts an allocation.  Returns whether it is one that is to fail.  */
static int fails(void) {
  if (allocations == NULL)
    return 0;
  unsigned long number = __atomic_add_fetch(allocations, 1, __ATOMIC_RELAXED);
  if (fails_at == 0 || number < fails_at || (number > fails_at && !goes_on))
    return 0;
  errno = ENOMEM;
  return 1;
}

/* As the C library's, but may fail.  */
void *malloc(size_t size) {
  return fails() ? NULL : __libc_malloc(size);
}

/* As the C library's, but may fail.  */
void *calloc(size_t count, size_t size) {
  return fails() ? NULL : __libc_calloc(count, size);
}

/* As the C library's, but may fail.  */
void *realloc(void *memory, size_t size) {
  return fails() ? NULL : __libc_realloc(memory, size);
}

/* As the C library's, but may fail.  */
void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes;
  if (fails() || __builtin_mul_overflow(count, size, &bytes))
    return NULL;
  return __libc_realloc(memory, bytes);
}

/* Reads which allocation is to fail.  The count is shared with child processes.  */
__attribute__((constructor)) static void start(void) {
  const char *at = getenv("NO_MEMORY_AT");
  if (at == NULL)
    return;
  fails_at = strtoul(at, NULL, 10);
  goes_on = getenv("NO_MEMORY_ON") != NULL;
  void *shared = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    _exit(9);
  allocations = shared;
}

/* Writes down how many allocations there were.  */
__attribute__((destructor)) static void stop(void) {
  const char *file = getenv("NO_MEMORY_COUNT");
  char text[32];
  if (file == NULL || allocations == NULL)
    return;
  int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor < 0 || write(descriptor, text, (size_t)snprintf(text, sizeof text, "%lu\n", *allocations)) < 0)
    _exit(9);
}
