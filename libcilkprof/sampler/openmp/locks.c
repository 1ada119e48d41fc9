/* Locks of threads, in OpenMP programs: who waits for one has no work, and is not idle.  The C library's functions are
   called here in their place, as in ending.c.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "libcilkprof/sampler/openmp/openmp.h"

/* The runtime has locks of its own, for which its idle threads wait.  */
static bool is_working(void) {
  return openmp_self && atomic_load_explicit(&openmp_self->state, memory_order_relaxed) == WORKING;
}

#define LOCK(name, type, try, is_taken)                                                                                \
  __attribute__((visibility("default"))) int name(type *lock) {                                                        \
    static __typeof__(&name) _Atomic found;                                                                            \
    __typeof__(&name) next = atomic_load_explicit(&found, memory_order_relaxed);                                       \
    if (!next) {                                                                                                       \
      next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                               \
      atomic_store_explicit(&found, next, memory_order_relaxed);                                                       \
    }                                                                                                                  \
    if (!is_working())                                                                                                 \
      return next(lock);                                                                                               \
    int result = try(lock);                                                                                            \
    if (result == (is_taken)) {                                                                                        \
      openmp_lock_begins();                                                                                            \
      result = next(lock);                                                                                             \
      openmp_lock_ends(__builtin_return_address(0));                                                                   \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

LOCK(pthread_mutex_lock, pthread_mutex_t, pthread_mutex_trylock, EBUSY)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, EBUSY)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, EBUSY)
LOCK(pthread_spin_lock, pthread_spinlock_t, pthread_spin_trylock, EBUSY)
LOCK(mtx_lock, mtx_t, mtx_trylock, thrd_busy)
