/* Locks of an emulated program: who holds them, who waits, in the order in which they came.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LOCKS_H
#define CILKPROF_REPORT_LOCKS_H

#include "cilkprof-report/emulation/emulation.h"

enum { NOBODY = UINT32_MAX };

struct lock {
  uint32_t owner;       /* NOBODY: it is free */
  uint32_t depth;       /* how often the owner has it */
  uint32_t first, last; /* of those that wait; NOBODY: nobody does */
  double waited;        /* by all */
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

struct locks locks_make(size_t count);
/* Whether the thread has it now; if not, it waits from now on.  */
bool lock_take(struct locks *locks, uint32_t lock, uint32_t thread, double now);
/* Returns who has it then: it waited, and goes on; or NOBODY.  */
uint32_t lock_release(struct locks *locks, uint32_t lock, double now);
/* Adds up how long was waited.  */
void locks_sum(const struct locks *locks, struct forecast *forecast);
void locks_free(struct locks *locks);

#endif
