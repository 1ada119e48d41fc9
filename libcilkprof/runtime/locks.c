/* Locks of a program that is sampled: who waits for one has no work, and is not idle.
   SPDX-License-Identifier: MIT

   The linker leads the program's calls of these functions here (--wrap, in cilkprof.specs).  A lock that is free costs
   one look at whether samples are taken.  */

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "libcilkprof/abi/parallel.h"

/* A program with nothing of Cilk in it has no runtime.  */
#pragma weak __cilkprof_r_sampled
#pragma weak __cilkprof_r_lock_waits

#define WRAPPED(name, type, try, is_taken)                                                                             \
  extern int __real_##name(type *lock);                                                                                \
  extern int __wrap_##name(type *lock);                                                                                \
  int __wrap_##name(type *lock) {                                                                                      \
    if (!&__cilkprof_r_sampled || !__cilkprof_r_sampled)                                                               \
      return __real_##name(lock);                                                                                      \
    int result = try(lock);                                                                                            \
    if (result == (is_taken)) {                                                                                        \
      __cilkprof_r_lock_waits(NULL);                                                                                   \
      result = __real_##name(lock);                                                                                    \
      __cilkprof_r_lock_waits(__builtin_return_address(0));                                                            \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

WRAPPED(pthread_mutex_lock, pthread_mutex_t, pthread_mutex_trylock, EBUSY)
WRAPPED(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, EBUSY)
WRAPPED(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, EBUSY)
WRAPPED(pthread_spin_lock, pthread_spinlock_t, pthread_spin_trylock, EBUSY)
WRAPPED(mtx_lock, mtx_t, mtx_trylock, thrd_busy)
