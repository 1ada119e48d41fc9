/* Cilk++'s mutex.  A serial run has nobody to wait for.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_MUTEX_H
#define CILK_MUTEX_H

#ifndef __cplusplus
#error "<cilk/cilk_mutex.h> is for C++"
#endif

#pragma GCC system_header
#include <cilk/common.h>

namespace cilk {

class mutex {
public:
  /* These five members do nothing, and try_lock succeeds: in a serial run nobody else can hold the lock.  */
  mutex() {}
  ~mutex() {}
  void lock() {}
  bool try_lock() {
    return true;
  }
  void unlock() {}
};

} // namespace cilk

#endif
