/* Preloaded into a program: its allocation number NO_MEMORY_AT fails, once.  With 0 none fails; at the end the number of
   allocations is written to the file NO_MEMORY_COUNT.
   SPDX-License-Identifier: MIT  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static unsigned long allocations, fails_at;
static int started;

static int fails(void) {
  if (!started || ++allocations != fails_at)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) {
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return fails() ? NULL : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes;
  if (fails() || __builtin_mul_overflow(count, size, &bytes))
    return NULL;
  return __libc_realloc(memory, bytes);
}

__attribute__((constructor)) static void start(void) {
  const char *at = getenv("NO_MEMORY_AT");
  fails_at = at != NULL ? strtoul(at, NULL, 10) : 0;
  started = at != NULL;
}

__attribute__((destructor)) static void stop(void) {
  const char *file = getenv("NO_MEMORY_COUNT");
  char text[32];
  if (file == NULL || !started)
    return;
  int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor < 0 || write(descriptor, text, (size_t)snprintf(text, sizeof text, "%lu\n", allocations)) < 0)
    _exit(9);
}
