/* What programs tell OpenCilk's race detector, which is not there.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_CILKSAN_H
#define CILK_CILKSAN_H

#pragma GCC system_header
#include <cilk/common.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* A lock need not be initialised: only its place counts.  */
#define __CILKSAN_PLACE __attribute__((__access__(__none__, 1)))

__CILKRTS_BEGIN_EXTERN_C

/* Does nothing: it resumed the checks of Cilksan, the race detector.  */
__CILKRTS_INLINE void __cilksan_enable_checking(void) {}

/* Does nothing: it suspended the checks of Cilksan.  */
__CILKRTS_INLINE void __cilksan_disable_checking(void) {}

/* Returns whether Cilksan checks for races here: never.  */
__CILKRTS_INLINE bool __cilksan_is_checking_enabled(void) {
  return false;
}

/* Does nothing: in Cilksan it announces that MUTEX is locked.  */
__CILKRTS_INLINE __CILKSAN_PLACE void __cilksan_acquire_lock(const void *mutex) {
  (void)mutex;
}

/* Does nothing: in Cilksan it announces that MUTEX is unlocked.  */
__CILKRTS_INLINE __CILKSAN_PLACE void __cilksan_release_lock(const void *mutex) {
  (void)mutex;
}

/* Does nothing: in Cilksan it begins code that counts as atomic.  */
__CILKRTS_INLINE void __cilksan_begin_atomic(void) {}

/* Does nothing: in Cilksan it ends code that counts as atomic.  */
__CILKRTS_INLINE void __cilksan_end_atomic(void) {}

/* Does nothing: in Cilksan it announces that MUTEX is a lock.  */
__CILKRTS_INLINE __CILKSAN_PLACE void __cilksan_register_lock_explicit(const void *mutex) {
  (void)mutex;
}

/* Does nothing: in Cilksan it announces that MUTEX is no longer a lock.  */
__CILKRTS_INLINE __CILKSAN_PLACE void __cilksan_unregister_lock_explicit(const void *mutex) {
  (void)mutex;
}

__CILKRTS_END_EXTERN_C

typedef struct Cilksan_fake_mutex {
  int fake_mutex;
} Cilksan_fake_mutex;

#ifdef __cplusplus
class Cilksan_fake_lock_guard {
public:
  /* The constructor and the destructor do nothing: they made Cilksan believe that a lock is held.  */
  Cilksan_fake_lock_guard(const void *) {}
  ~Cilksan_fake_lock_guard() {}
};
#endif

#endif
