/* Annotations for ThreadSanitizer, if the program is linked with it.  The runtime itself is not instrumented, so
   ThreadSanitizer learns the order of spawn, child and join only from here.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PARALLEL_TSAN_H
#define CILKPROF_PARALLEL_TSAN_H

#include <stdbool.h>
#include <stddef.h>

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));
void AnnotateBenignRaceSized(const char *file, int line, void *address, size_t size, const char *what)
    __attribute__((weak));
void *__tsan_get_current_fiber(void) __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));

/* Returns true if the program is linked with ThreadSanitizer, which must be notified of spawns and joins.  */
static inline bool tsan_watches(void) {
#ifdef CILKPROF_WATCHES_THREADS /* a test: the runtime is instrumented, and threads are watched as they are */
  return false;
#endif
  return __tsan_acquire && __tsan_release;
}

#endif
