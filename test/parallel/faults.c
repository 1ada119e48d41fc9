/* Put in front of libc by LD_PRELOAD: threads that cannot be had (FAIL_THREADS=N: after N), and memory (FAIL_TASKS=1:
   every aligned allocation but the first two, which are workers).
   SPDX-License-Identifier: MIT  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Creates a thread as the C library does, but fails once FAIL_THREADS threads have been created.  */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *data) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static int created;
  const char *most = getenv("FAIL_THREADS");
  if (!real)
    real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
  if (most && created >= atoi(most))
    return EAGAIN;
  created++;
  return real(thread, attributes, function, data);
}

/* Allocates memory as the C library does, but fails from the third time on if FAIL_TASKS is set.  */
void *aligned_alloc(size_t alignment, size_t size) {
  static void *(*real)(size_t, size_t);
  static int count;
  if (!real)
    real = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
  if (getenv("FAIL_TASKS") && __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) > 2)
    return NULL;
  return real(alignment, size);
}
