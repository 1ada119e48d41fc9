/* Locks of an emulated program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/locks.h"
#include "cilkprof-report/support/support.h"

/* Returns COUNT locks of an emulated program, all of them free.  */
struct locks make_emulated_locks(size_t count) {
  struct locks locks = {.locks = allocate(count + 1, sizeof *locks.locks), .count = count};
  for (size_t i = 0; i < count; i++)
    locks.locks[i] = (struct lock){.owner = NOBODY, .first = NOBODY, .last = NOBODY};
  return locks;
}

/* Lets THREAD of an emulated program take lock NUMBER, if it is free or THREAD holds it already.  Returns whether
   THREAD holds it now; if not, THREAD is in its queue.  */
bool take_emulated_lock(struct locks *locks, uint32_t number, uint32_t thread, double now) {
  struct lock *lock = &locks->locks[number];
  if (lock->owner == NOBODY || lock->owner == thread) {
    lock->owner = thread;
    lock->depth++;
    return true;
  }
  while (locks->room <= thread)
    locks->waiters = grow_array(locks->waiters, locks->room, &locks->room, sizeof *locks->waiters);
  locks->waiters[thread] = (struct waiter){NOBODY, now};
  if (lock->last == NOBODY)
    lock->first = thread;
  else
    locks->waiters[lock->last].next = thread;
  lock->last = thread;
  return false;
}

/* Releases lock NUMBER of an emulated program once.  Returns the thread that waited for it and holds it now, or
   NOBODY.  */
uint32_t release_emulated_lock(struct locks *locks, uint32_t number, double now) {
  struct lock *lock = &locks->locks[number];
  if (--lock->depth > 0)
    return NOBODY;
  uint32_t next = lock->owner = lock->first;
  if (next == NOBODY)
    return NOBODY;
  lock->depth = 1;
  lock->waited += now - locks->waiters[next].since;
  lock->first = locks->waiters[next].next;
  if (lock->first == NOBODY)
    lock->last = NOBODY;
  return next;
}

/* Adds the times for which emulated threads waited for locks to FORECAST, and finds the worst lock.  */
void sum_emulated_lock_waits(const struct locks *locks, struct forecast *forecast) {
  for (size_t i = 0; i < locks->count; i++) {
    forecast->locked += locks->locks[i].waited;
    if (locks->locks[i].waited > forecast->worst) {
      forecast->worst = locks->locks[i].waited;
      forecast->worst_lock = (uint32_t)i;
    }
  }
}

/* Frees the locks of an emulated program, and their queues.  */
void free_emulated_locks(struct locks *locks) {
  free(locks->locks);
  free(locks->waiters);
}
