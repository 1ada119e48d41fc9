/* Counted calls of guarded functions: those that decide first of all whether they spawn.
   SPDX-License-Identifier: MIT

   Such a function may be called for a few elements most of the time, or for many.  A call that turns out to spawn costs
   more if it was to be counted.  So where one in four does, calls are followed for a while, and then tried again: a
   program may divide much at first and little later.  */

#include "libcilkprof/engine/span/counted.h"

enum {
  MANY = 16,  /* calls that spawn, after which it is decided */
  OFTEN = 4,  /* one call in so many may spawn */
  WAIT = 256, /* so many calls are followed at first, then twice as many, and so on */
};

/* Returns how many calls of COUNTED's site there were.  */
static uint64_t calls_of_guarded_site(const counted_t *counted) {
  uint64_t calls = counted->site->count;
  for (int i = 0; i < STAND_INS; i++)
    calls += __cilkprof_top_call_site_of(&counted->standing[i]).count;
  return calls;
}

/* Notes that a call of COUNTED's site spawned.  If too many do, they are not counted for a while.  */
void __cilkprof_guarded_spawned(counted_t *counted) {
  if (++counted->spawned < MANY)
    return;
  uint64_t calls = calls_of_guarded_site(counted);
  if (calls - counted->window < MANY * OFTEN) {
    never_count_again(counted);
    counted->wait = counted->wait ? 2 * counted->wait : WAIT;
    counted->again = counted->site->count + counted->wait;
  }
  counted->spawned = 0;
  counted->window = calls;
}

/* Returns whether calls of COUNTED's site are counted again, which were not for a while.  */
int __cilkprof_guarded_counts_again(counted_t *counted) {
  if (!counted->again || counted->site->count < counted->again)
    return 0;
  counted->never = 0;
  counted->again = counted->spawned = 0;
  counted->window = calls_of_guarded_site(counted);
  return 1;
}
