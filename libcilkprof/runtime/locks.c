/* Lock functions of Cilk programs, so that samples tell waiting from idleness.
   SPDX-License-Identifier: MIT

   The linker redirects the program's calls of these functions here (--wrap, in cilkprof.specs).  If no samples are
   taken, a call costs one test of a variable.  */

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/common/locks.h"

/* A program without Cilk code is not linked with the runtime.  */
#pragma weak __cilkprof_r_sampled
#pragma weak __cilkprof_r_lock_waits

/* Returns true if this run of a Cilk program is sampled, so that waiting for locks is measured.  */
static bool lock_is_sampled(void) {
  return &__cilkprof_r_sampled && __cilkprof_r_sampled;
}

/* Tells the runtime that this thread begins to wait for a lock.  */
static void lock_wait_begins(void) {
  __cilkprof_r_lock_waits(NULL);
}

/* Tells the runtime that this thread has acquired the lock that it waited for, in a call that returns to SITE.  */
static void lock_wait_ends(const void *site) {
  __cilkprof_r_lock_waits(site);
}

/* Only waiting matters here.  */
static void lock_is_held(const void *site, bool shared) {
  (void)site, (void)shared;
}

#define WRAPPER(name, type, try, is_taken, shared)                                                                     \
  extern int __real_##name(type *lock);                                                                                \
  extern int __wrap_##name(type *lock);                                                                                \
  int __wrap_##name(type *lock) {                                                                                      \
    ACQUIRE(lock, __real_##name, try, is_taken, shared);                                                               \
  }

FOR_EACH_LOCK(WRAPPER)
