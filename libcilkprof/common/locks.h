/* Wrappers of the functions that acquire locks, for programs that are sampled: a thread that waits for a lock has no
   work, but is not idle either.
   SPDX-License-Identifier: MIT

   A file that includes this defines the functions that are declared here, and a macro that makes a wrapper of one
   function; FOR_EACH_LOCK applies it to all of them.  */

#ifndef CILKPROF_COMMON_LOCKS_H
#define CILKPROF_COMMON_LOCKS_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

static bool lock_is_sampled(void); /* false if this thread's waiting does not matter */
static void lock_wait_begins(void);
static void lock_wait_ends(const void *site); /* SITE is the return address of the call that acquired the lock */
static void lock_is_held(const void *site, bool shared); /* whether it waited or not */

/* MACRO(name, type of the lock, function that tries to acquire it, what that returns if the lock is taken, whether
   others may hold it, too); they return 0 when they have acquired it */
#define FOR_EACH_LOCK(MACRO)                                                                                           \
  MACRO(pthread_mutex_lock, pthread_mutex_t, pthread_mutex_trylock, EBUSY, false)                                      \
  MACRO(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, EBUSY, true)                                \
  MACRO(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, EBUSY, false)                               \
  MACRO(pthread_spin_lock, pthread_spinlock_t, pthread_spin_trylock, EBUSY, false)                                     \
  MACRO(mtx_lock, mtx_t, mtx_trylock, thrd_busy, false)

/* The rest of a wrapper, which returns: acquires LOCK by REAL, and measures the time if it is taken.  */
#define ACQUIRE(lock, real, try, is_taken, shared)                                                                     \
  do {                                                                                                                 \
    if (!lock_is_sampled())                                                                                            \
      return real(lock);                                                                                               \
    int result = try(lock);                                                                                            \
    if (result == (is_taken)) {                                                                                        \
      lock_wait_begins();                                                                                              \
      result = real(lock);                                                                                             \
      lock_wait_ends(__builtin_return_address(0));                                                                     \
    }                                                                                                                  \
    if (result == 0)                                                                                                   \
      lock_is_held(__builtin_return_address(0), shared);                                                               \
    return result;                                                                                                     \
  } while (0)

#endif
