/* Locks of an emulated program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/locks.h"
#include "cilkprof-report/support/support.h"

struct locks locks_make(size_t count) {
  struct locks locks = {.locks = allocate(count + 1, sizeof *locks.locks), .count = count};
  for (size_t i = 0; i < count; i++)
    locks.locks[i] = (struct lock){.owner = NOBODY, .first = NOBODY, .last = NOBODY};
  return locks;
}

bool lock_take(struct locks *locks, uint32_t number, uint32_t thread, double now) {
  struct lock *lock = &locks->locks[number];
  if (lock->owner == NOBODY || lock->owner == thread) {
    lock->owner = thread;
    lock->depth++;
    return true;
  }
  while (locks->room <= thread)
    locks->waiters = grow(locks->waiters, locks->room, &locks->room, sizeof *locks->waiters);
  locks->waiters[thread] = (struct waiter){NOBODY, now};
  if (lock->last == NOBODY)
    lock->first = thread;
  else
    locks->waiters[lock->last].next = thread;
  lock->last = thread;
  return false;
}

uint32_t lock_release(struct locks *locks, uint32_t number, double now) {
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

void locks_sum(const struct locks *locks, struct forecast *forecast) {
  for (size_t i = 0; i < locks->count; i++) {
    forecast->locked += locks->locks[i].waited;
    if (locks->locks[i].waited > forecast->worst) {
      forecast->worst = locks->locks[i].waited;
      forecast->worst_lock = (uint32_t)i;
    }
  }
}

void locks_free(struct locks *locks) {
  free(locks->locks);
  free(locks->waiters);
}
