/* A mutex for the race detector only: it excludes nobody, and here it tells nobody.
   SPDX-License-Identifier: MIT  */

#ifndef CILKTOOLS_FAKE_MUTEX_H
#define CILKTOOLS_FAKE_MUTEX_H

#ifndef __cplusplus
#error "<cilktools/fake_mutex.h> is for C++"
#endif

#pragma GCC system_header
#include <cilktools/cilkscreen.h>

namespace cilkscreen {

class fake_mutex {
  bool m_locked;

public:
  /* Makes an unlocked mutex.  */
  fake_mutex() : m_locked(false) {}

  /* Asserts that the mutex is unlocked.  */
  ~fake_mutex() {
    __CILKRTS_ASSERT(!m_locked);
  }

  /* Locks the mutex.  Asserts that it was not locked, as nobody could unlock it.  */
  void lock() {
    __CILKRTS_ASSERT(!m_locked);
    m_locked = true;
  }

  /* Locks the mutex as lock does, and returns true.  */
  bool try_lock() {
    lock();
    return true;
  }

  /* Unlocks the mutex.  Asserts that it was locked.  */
  void unlock() {
    __CILKRTS_ASSERT(m_locked);
    m_locked = false;
  }
};

} // namespace cilkscreen

#endif
