/* Lock functions of OpenMP programs, so that samples tell waiting from idleness.  This library is loaded before the C
   library, so the program's calls of these functions arrive here.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>

#include "libcilkprof/common/locks.h"
#include "libcilkprof/sampler/openmp/openmp.h"

/* Returns true if this thread of an OpenMP program is working, so that its waiting for a lock matters.  OpenMP's
   runtime has locks of its own, for which its idle threads wait.  Like the two functions below, it is called by ACQUIRE
   in common/locks.h.  */
static bool lock_is_sampled(void) {
  return openmp_self && atomic_load_explicit(&openmp_self->state, memory_order_relaxed) == WORKING;
}

/* Notes that this OpenMP thread begins to wait for a lock of the C library, which another thread holds.  Called by
   ACQUIRE.  */
static void lock_wait_begins(void) {
  openmp_begin_lock_wait();
}

/* Notes that this OpenMP thread has acquired the lock of the C library that it waited for, in a call that returns to
   SITE.  Called by ACQUIRE.  */
static void lock_wait_ends(const void *site) {
  openmp_end_lock_wait(site);
}

/* Defines the function NAME of the C library, which acquires a lock of TYPE: it calls the C library's own, and notes a
   wait if the function TRY returns IS_TAKEN.  */
#define WRAPPER(name, type, try, is_taken)                                                                             \
  __attribute__((visibility("default"))) int name(type *lock) {                                                        \
    static __typeof__(&name) _Atomic found;                                                                            \
    __typeof__(&name) next = atomic_load_explicit(&found, memory_order_relaxed);                                       \
    if (!next) {                                                                                                       \
      next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                               \
      atomic_store_explicit(&found, next, memory_order_relaxed);                                                       \
    }                                                                                                                  \
    ACQUIRE(lock, next, try, is_taken);                                                                                \
  }

FOR_EACH_LOCK(WRAPPER)
