/* Calls that could be counted, but are followed for a while, because some of them spawned.
   SPDX-License-Identifier: MIT

   A program may divide its work at first and not later, or only if there is much of it.  So after a while calls are
   counted again.

   If a counted call spawns after all, what it did until then cannot be told.  Its site is counted again only after many
   calls of which none spawned, and after twice as many the next time: so there are few such calls, however long the
   program runs.  A guarded function tells in time that it is going to spawn, and nothing is lost but a few
   instructions.  Its calls are followed only as long as one in four spawns.

   A countable function with a guard tells in time that it is going to call what may spawn.  It is asked to as soon as a
   call has spawned.  If one in four tells so, calls are followed, too; and if none of these spawns, it is no longer
   asked.  */

#include "libcilkprof/engine/span/counted.h"

enum {
  WAIT = 256, /* so many calls are followed, at first */
  MANY = 16,  /* calls of a guarded function that spawn, after which it is decided */
  OFTEN = 4,  /* one in so many may */
};

/* Returns how many calls of COUNTED's site there were.  */
static uint64_t calls_of_counted_site(const counted_t *counted) {
  uint64_t calls = counted->site->count;
  for (int i = 0; i < STAND_INS; i++)
    calls += __cilkprof_top_call_site_of(&counted->standing[i]).count;
  return calls;
}

/* Returns how much less than their work the spans of all followed calls of COUNTED's site were.  Calls that do not
   spawn do not change it.  */
static uint64_t parallel_work_of_counted_site(const counted_t *counted) {
  struct __cilkprof_total total = __cilkprof_top_call_site_of(counted->site);
  return total.work - total.span;
}

/* Makes calls of COUNTED's site be followed until CALLS of them have been.  */
static void follow_counted_site_for(counted_t *counted, uint64_t calls) {
  never_count_again(counted);
  counted->again = counted->site->count + calls;
  counted->parallel = parallel_work_of_counted_site(counted);
}

/* Makes as many calls of COUNTED's site as before be followed the next time, and as many again.  */
static void double_wait_of_counted_site(counted_t *counted) {
  counted->wait = counted->wait ? 2 * counted->wait : WAIT;
}

/* Notes that a call of COUNTED's site spawned, and that was not told in time.  From now on it is told in time, if the
   callee has a guard; or else calls are followed for a while.  */
void __cilkprof_counted_spawned(counted_t *counted) {
  if (counted->guard && !counted->anew) {
    counted->anew = 1;
    return;
  }
  double_wait_of_counted_site(counted);
  follow_counted_site_for(counted, counted->wait);
}

/* Notes that a call of COUNTED's site passed a guard.  If many do, they are followed for a while.  */
void __cilkprof_guarded_spawned(counted_t *counted) {
  if (++counted->spawned < MANY)
    return;
  uint64_t calls = calls_of_counted_site(counted);
  if (calls - counted->window < MANY * OFTEN)
    follow_counted_site_for(counted, counted->wait > WAIT && counted->anew ? counted->wait : WAIT);
  counted->spawned = 0;
  counted->window = calls;
}

/* Keeps what is known of SITE when its values begin anew at 0: as many calls as before are followed, and the number of
   those that spawned lately is compared with the same calls.  Calls that are neither timed nor followed are no longer
   set apart, so that SITE, if it is a stand-in, is listed before the next one.  */
void __cilkprof_counted_passed_on(site_t *site) {
  counted_t *standing_for = stands_in_for(site), *counted = standing_for ? standing_for : known_counted_calls(site);
  if (!counted)
    return;
  counted->window -= site->count;
  counted->follow_after += counted->plain;
  counted->cost.time_after += counted->plain;
  counted->plain = 0;
  if (standing_for)
    return;
  counted->again -= site->count < counted->again ? site->count : counted->again;
  if (parallel_work_of_counted_site(counted) != counted->parallel)
    counted->again += counted->wait;
  counted->parallel = 0;
}

/* Returns whether calls of COUNTED's site are counted again, which were followed for a while.  */
int __cilkprof_counts_again(counted_t *counted) {
  if (counted->site->count < counted->again)
    return 0;
  int spawned = parallel_work_of_counted_site(counted) != counted->parallel;
  if (spawned && !counted->guarded && !counted->anew) {
    follow_counted_site_for(counted, counted->wait);
    return 0;
  }
  if (!spawned && counted->anew) {
    counted->anew = 0;
    double_wait_of_counted_site(counted);
  }
  counted->never = 0;
  counted->spawned = 0;
  counted->window = calls_of_counted_site(counted);
  return 1;
}
