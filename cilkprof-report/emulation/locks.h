/* Locks of an emulated program, with the threads that hold them and wait for them, first come, first served.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LOCKS_H
#define CILKPROF_REPORT_LOCKS_H

#include "cilkprof-report/emulation/emulation.h"

enum { NOBODY = UINT32_MAX };

struct lock {
  uint32_t owner;       /* NOBODY: the lock is free */
  uint32_t depth;       /* how many times the owner holds it */
  uint32_t first, last; /* queue of waiting threads; NOBODY: empty */
  double waited;        /* time that all threads have waited */
};

struct locks {
  struct lock *locks;
  size_t count;
  struct waiter { /* by thread */
    uint32_t next;
    double since;
  } * waiters;
  size_t room;
};

struct locks make_emulated_locks(size_t count);
/* Tries to take LOCK.  Returns whether THREAD holds it now; if not, THREAD is in the queue.  */
bool take_emulated_lock(struct locks *locks, uint32_t lock, uint32_t thread, double now);
/* Releases LOCK once.  Returns the thread that waited for it and holds it now, or NOBODY.  */
uint32_t release_emulated_lock(struct locks *locks, uint32_t lock, double now);
/* Adds the waiting times of all locks to FORECAST, and finds the worst lock.  */
void sum_emulated_lock_waits(const struct locks *locks, struct forecast *forecast);
void free_emulated_locks(struct locks *locks);

#endif
