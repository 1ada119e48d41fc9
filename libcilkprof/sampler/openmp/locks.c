/* Lock functions of the C library and of OpenMP, so that samples tell waiting from idleness, and that what is done
   under a lock bounds the speedup.  This library is loaded before the C library, so the program's calls of these
   functions arrive here.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>

#include "libcilkprof/common/locks.h"
#include "libcilkprof/sampler/openmp/openmp.h"

static __thread unsigned reads; /* locks that this thread holds with others */

/* Returns true if this thread of an OpenMP program is working, so that its waiting for a lock matters.  OpenMP's
   runtime has locks of its own, for which its idle threads wait.  Like the three functions below, it is called by
   ACQUIRE in common/locks.h.  */
static bool lock_is_sampled(void) {
  return openmp_self && atomic_load_explicit(&openmp_self->state, memory_order_relaxed) == WORKING;
}

/* Notes that this OpenMP thread begins to wait for a lock of the C library, which another thread holds.  Called by
   ACQUIRE.  */
static void lock_wait_begins(void) {
  if (openmp_watched)
    openmp_lock_waits();
  openmp_begin_lock_wait();
}

/* Notes that this OpenMP thread has acquired the lock of the C library that it waited for, in a call that returns to
   SITE.  Called by ACQUIRE.  */
static void lock_wait_ends(const void *site) {
  openmp_end_lock_wait(site);
  if (openmp_watched)
    openmp_lock_waited();
}

/* Notes that this OpenMP thread holds a lock of the C library, since a call that returns to SITE.  One that is SHARED
   keeps no other reader from working.  Called by ACQUIRE.  */
static void lock_is_held(const void *site, bool shared) {
  if (!openmp_watched || is_openmp_runtime(site))
    return;
  if (shared)
    reads++;
  else
    openmp_lock_acquired(ompt_mutex_lock, site);
}

/* Notes that this OpenMP thread is about to release a lock of the C library, which may have been SHARED, in a call that
   returns to SITE.  */
static void lock_is_released(const void *site, bool shared) {
  if (!openmp_watched || !openmp_self || is_openmp_runtime(site))
    return;
  if (shared && reads > 0)
    reads--;
  else
    openmp_lock_released();
}

/* Declares NEXT, the C library's function NAME.  */
#define FIND_NEXT(name)                                                                                                \
  static __typeof__(&name) _Atomic found;                                                                              \
  __typeof__(&name) next = atomic_load_explicit(&found, memory_order_relaxed);                                         \
  if (!next) {                                                                                                         \
    next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                                 \
    atomic_store_explicit(&found, next, memory_order_relaxed);                                                         \
  }

/* Defines the function NAME of the C library, which acquires a lock of TYPE: it calls the C library's own, and notes a
   wait if the function TRY returns IS_TAKEN.  */
#define LOCK(name, type, try, is_taken, shared)                                                                        \
  __attribute__((visibility("default"))) int name(type *lock) {                                                        \
    FIND_NEXT(name)                                                                                                    \
    ACQUIRE(lock, next, try, is_taken, shared);                                                                        \
  }
FOR_EACH_LOCK(LOCK)

/* Defines likewise the function NAME, which releases a lock.  */
#define UNLOCK(name, type, shared)                                                                                     \
  __attribute__((visibility("default"))) int name(type *lock) {                                                        \
    FIND_NEXT(name)                                                                                                    \
    lock_is_released(__builtin_return_address(0), shared);                                                             \
    int result = next(lock); /* it may wake another thread, which is not the program's work */                         \
    openmp_event_ends();                                                                                               \
    return result;                                                                                                     \
  }
UNLOCK(pthread_mutex_unlock, pthread_mutex_t, false)
UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t, true)
UNLOCK(pthread_spin_unlock, pthread_spinlock_t, false)
UNLOCK(mtx_unlock, mtx_t, false)

/* The same of OpenMP's runtime, which tells of locks, but late: in a lock that is held for a short time, much of what
   the runtime does would count as the program's.  */
/* Notes that this thread asks OpenMP's runtime for a lock in a call that returns to CODE.  */
static void asks_for_lock(const void *code) {
  openmp_lock_caller = code;
  if (openmp_watched && openmp_self)
    openmp_lock_waits();
}

/* Notes that the runtime returns from that call.  */
static void has_lock(void) {
  openmp_lock_caller = NULL;
  if (!openmp_watched || !openmp_self)
    return;
  openmp_lock_waited();
  paths_event_ends();
}

/* Notes that this thread is about to give OpenMP's runtime a lock back.  */
static void gives_lock_back(void) {
  openmp_lock_noted = true;
  if (openmp_watched && openmp_self)
    openmp_lock_released();
}

/* Notes that the runtime has it.  */
static void lock_is_back(void) {
  openmp_lock_noted = false;
  openmp_event_ends();
}

/* Defines the function NAME of OpenMP's runtime with these PARAMETERS, which are passed on as ARGUMENTS.  BEFORE and
   AFTER are done around it, unless that is so already, as the runtime may call one of them from another.  */
#define AROUND(name, parameters, arguments, already, before, after)                                                    \
  __attribute__((visibility("default"))) void name parameters;                                                         \
  void name parameters {                                                                                               \
    FIND_NEXT(name)                                                                                                    \
    bool outermost = !(already);                                                                                       \
    if (outermost)                                                                                                     \
      before;                                                                                                          \
    next arguments;                                                                                                    \
    if (outermost)                                                                                                     \
      after;                                                                                                           \
  }
#define ACQUIRES(name, parameters, arguments)                                                                          \
  AROUND(name, parameters, arguments, openmp_lock_caller, asks_for_lock(__builtin_return_address(0)), has_lock())
#define RELEASES(name, parameters, arguments)                                                                          \
  AROUND(name, parameters, arguments, openmp_lock_noted, gives_lock_back(), lock_is_back())
ACQUIRES(GOMP_critical_start, (void), ())
RELEASES(GOMP_critical_end, (void), ())
ACQUIRES(GOMP_critical_name_start, (void **name), (name))
RELEASES(GOMP_critical_name_end, (void **name), (name))
ACQUIRES(GOMP_atomic_start, (void), ())
RELEASES(GOMP_atomic_end, (void), ())
ACQUIRES(GOMP_ordered_start, (void), ())
RELEASES(GOMP_ordered_end, (void), ())
ACQUIRES(__kmpc_critical, (void *place, int thread, void *lock), (place, thread, lock))
ACQUIRES(__kmpc_critical_with_hint, (void *place, int thread, void *lock, unsigned hint), (place, thread, lock, hint))
RELEASES(__kmpc_end_critical, (void *place, int thread, void *lock), (place, thread, lock))
ACQUIRES(__kmpc_ordered, (void *place, int thread), (place, thread))
RELEASES(__kmpc_end_ordered, (void *place, int thread), (place, thread))
#define OMP_LOCK(kind, suffix)                                                                                         \
  ACQUIRES(omp_set_##kind##suffix, (void *lock), (lock))                                                               \
  RELEASES(omp_unset_##kind##suffix, (void *lock), (lock))
OMP_LOCK(lock, )
OMP_LOCK(lock, _)
OMP_LOCK(nest_lock, )
OMP_LOCK(nest_lock, _)
