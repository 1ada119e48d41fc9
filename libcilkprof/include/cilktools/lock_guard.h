/* Holds a mutex while it lives, as C++11's own does.
   SPDX-License-Identifier: MIT  */

#ifndef CILKTOOLS_LOCK_GUARD_H
#define CILKTOOLS_LOCK_GUARD_H

#ifndef __cplusplus
#error "<cilktools/lock_guard.h> is for C++"
#endif

#pragma GCC system_header

namespace cilkscreen {

template <class Mutex> class lock_guard {
  Mutex &m_mutex;

  lock_guard(const lock_guard &);
  lock_guard &operator=(const lock_guard &);

public:
  typedef Mutex mutex_type;

  /* Locks MUTEX.  */
  explicit lock_guard(Mutex &mutex) : m_mutex(mutex) {
    m_mutex.lock();
  }

  /* Unlocks the mutex, also if an exception leaves the block.  */
  ~lock_guard() {
    m_mutex.unlock();
  }
};

} // namespace cilkscreen

#endif
