/* What is learned of each cilk_spawn and cilk_for of the program: whether its children or its iterations are worth
   handing to another worker.  What takes less than a steal is not, whoever is idle.
   SPDX-License-Identifier: MIT

   A loop is worth it by the time of its iterations and their number; a spawn counts as a loop of one iteration.  So a
   site has a cost per iteration, and PLAIN says how many iterations are too few.  Measured are all that are divided or
   deferred, and a few of those that are not, as inputs change.  A site is trusted only after a streak of runs that took
   what was expected: in a recursion most runs are short, and the few long ones are all that matters, so that needs a
   long one.  Each long run that was taken for a short one doubles the streak that is needed.  Threads update a site
   without locks; what is lost by that is measured again.  */

#include <limits.h>

#include "libcilkprof/runtime/runtime.h"

enum {
  FRACTION = 16, /* costs are kept in ticks / FRACTION */
  SHORT_US = 2,  /* what takes less is short: about what it costs to hand work over and to wait for it */
  SURPRISE = 4,  /* an iteration that takes so many times what is expected ends a streak */
  LEAST_STREAK = 16,
  PLAIN_RUNS = 64 /* about how many short runs are not measured, after each that is */
};

/* Loads and stores of a site's words: races between threads are harmless.  */
#define GET(word)        __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define SET(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELAXED)

/* Returns the expected cost of an iteration after one of COST was measured, where WAS was expected before.  It follows
   a larger cost quickly, but not at once, because the thread may have been preempted.  */
static unsigned long expected_deferred_cost(unsigned long was, unsigned long cost) {
  if (!was)
    return cost;
  if (cost > was)
    return cost / SURPRISE > was ? SURPRISE * was : cost;
  return was - (was - cost) / 4;
}

/* Updates the streak of runs of S whose cost was as EXPECTED.  A run ends it if it was not, or if it was MISTAKEN for a
   short one, which doubles the length of the streak that is needed from then on.  Returns true if the streak is long
   enough for S to be trusted.  A streak of twice that length halves it again, so that a mistake is forgotten in
   time.  */
static bool continue_deferred_streak(struct __cilkprof_r_site *s, bool expected, bool mistaken) {
  unsigned long needed = GET(s->needed), streak = GET(s->streak);
  if (needed < LEAST_STREAK)
    needed = LEAST_STREAK;
  if (mistaken && needed < __CILKPROF_R_RECURSIVE)
    needed *= 2;
  streak = expected && !mistaken ? streak + 1 : 0;
  if (streak >= 2 * needed) {
    streak = needed;
    needed = needed > LEAST_STREAK ? needed / 2 : needed;
  }
  SET(s->needed, needed);
  SET(s->streak, streak);
  return streak >= needed;
}

/* Learns that COUNT iterations of S took so many TICKS.  PLAINLY says that they were run as a short loop.  */
void __cilkprof_r_learn(struct __cilkprof_r_site *s, unsigned long count, uint64_t ticks, bool plainly) {
  uint64_t limit = SHORT_US * __cilkprof_r_settings.ticks_per_us, overhead = limit / 128;
  ticks = ticks > overhead ? ticks - overhead : 1; /* reading the timer takes time, too */
  unsigned long was = GET(s->cost), cost = ticks * FRACTION / count;
  if (!cost)
    cost = 1;
  if (__cilkprof_r_settings.all || ticks >> 40)
    return;
  bool expected = !was || cost / SURPRISE <= was || ticks < limit;
  bool trusted = continue_deferred_streak(s, expected, plainly && ticks > SURPRISE * limit);
  cost = expected_deferred_cost(was, cost);
  SET(s->cost, cost);
  unsigned long plain = trusted ? limit * FRACTION / cost : 0;
  if (plain != GET(s->plain)) /* compiled code reads it often */
    SET(s->plain, plain);
}

/* Decides how many short runs of this thread are not measured after one that is: a random number, or else regular
   programs would always measure the same site.  */
static void choose_worker_plain_runs(void) {
  static THREAD unsigned state;
  state = state * 1664525 + 1013904223;
  __cilkprof_r_range.plain_runs = PLAIN_RUNS / 2 + (state >> 16) % PLAIN_RUNS;
}

/* Returns true if COUNT iterations of S, a loop, are not to be divided: they are short, or there is no other worker, or
   it is a recursion and nobody wants work now.  Then there are loops in it that can be divided later.  In a signal
   handler no loop is divided.  */
bool __cilkprof_r_is_undivided(struct __cilkprof_r_site *s, unsigned long count) {
  if (is_worker_in_handler())
    return true;
  bool alone = __cilkprof_r_settings.nworkers == 1 && !__cilkprof_r_settings.all;
  if (alone && __cilkprof_r_self && !__cilkprof_r_watched) /* samples show a loop by the runtime that calls it */
    SET(__cilkprof_r_range.undivided, ULONG_MAX);          /* from here on compiled code does not ask */
  return alone || count <= GET(s->plain) || (!GET(__cilkprof_r_want) && GET(s->needed) >= __CILKPROF_R_RECURSIVE);
}

/* Calls FUNCTION(DATA), COUNT iterations of S that are not divided, in this thread, and measures them.  */
void __cilkprof_r_call_measured(struct __cilkprof_r_site *s, unsigned long count, void (*function)(void *),
                                void *data) {
  bool plainly = count <= GET(s->plain);
  choose_worker_plain_runs();
  uint64_t before = read_ticks();
  function(data);
  __cilkprof_r_learn(s, count, read_ticks() - before, plainly);
}

/* Notes that this thread divides the loop LOOP of SITE from here on; then it is its innermost one.  A loop of the same
   site around it makes it a recursion.  */
void __cilkprof_r_open_loop(struct open_loop *loop, struct __cilkprof_r_site *site) {
  enum { LEVELS = 8 };
  int level = 0;
  loop->site = site;
  loop->outer = __cilkprof_r_loops;
  for (struct open_loop *each = loop->outer; each && level < LEVELS; each = each->outer, level++)
    if (each->site == site) {
      SET(site->needed, __CILKPROF_R_RECURSIVE);
      break;
    }
  __cilkprof_r_loops = loop;
}
