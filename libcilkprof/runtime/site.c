/* What is learned of each cilk_spawn and cilk_for of the program: whether its children or its iterations are worth
   handing to another worker.  What takes less than a steal is not, whoever is idle.
   SPDX-License-Identifier: MIT

   A loop is worth it by the time of its iterations and their number; a spawn counts as a loop of one iteration.  So a
   site has a cost per iteration, and PLAIN says how many iterations are too few.  Measured are all that are divided or
   deferred, and a few of those that are not, as inputs change.  A site is trusted only after a streak of runs that took
   what was expected: in a recursion most children are short, and the few long ones are all that matters.  Each long run
   that was taken for a short one doubles the streak that is needed.  Threads update a site without locks; what is lost
   by that is measured again.  */

#include "libcilkprof/runtime/runtime.h"

enum {
  FRACTION = 16,       /* costs are kept in ticks / FRACTION */
  SHORT_US = 2,        /* what takes less is short: about what it costs to hand work over and to wait for it */
  SURPRISE = 4,        /* an iteration that takes so many times what is expected ends a streak */
  LEAST_STREAK = 16,
  MOST_STREAK = 4096,
  PLAIN_RUNS = 16      /* about how many short runs are not measured, after each that is */
};

/* The runtime's definition of struct __cilkprof_r_site.  */
struct __attribute__((may_alias)) site {
  _Atomic unsigned long plain;
  _Atomic unsigned long cost; /* of an iteration, in ticks / FRACTION; 0 if none was measured */
  _Atomic unsigned streak, needed;
  unsigned long unused;
};
_Static_assert(sizeof(struct site) == sizeof(struct __cilkprof_r_site), "the site is the compiler's");

/* Loads and stores of a site's words: races between threads are harmless.  */
#define GET(word) atomic_load_explicit(&(word), memory_order_relaxed)
#define SET(word, value) atomic_store_explicit(&(word), (value), memory_order_relaxed)

/* Returns the cost that is expected of S after one of COST was measured, where WAS was expected.  It follows a larger
   one quickly, but not at once: the thread may have been preempted.  */
static unsigned long expected_cost(unsigned long was, unsigned long cost) {
  if (!was)
    return cost;
  if (cost > was)
    return cost / SURPRISE > was ? SURPRISE * was : cost;
  return was - (was - cost) / 4;
}

/* Counts a run of S that was as EXPECTED, or that was long but taken for a short one, MISTAKEN.  Returns true if S can
   be trusted.  A streak of twice the length that is needed halves that, so that a mistake is forgotten in time.  */
static bool continue_streak(struct site *s, bool expected, bool mistaken) {
  unsigned needed = GET(s->needed), streak = GET(s->streak);
  if (needed < LEAST_STREAK)
    needed = LEAST_STREAK;
  if (mistaken && needed < MOST_STREAK)
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

/* Learns that COUNT iterations of SITE took so many TICKS.  PLAINLY says that they were run as a short loop.  */
void __cilkprof_r_learn(struct __cilkprof_r_site *site, unsigned long count, uint64_t ticks, bool plainly) {
  struct site *s = (struct site *)site;
  uint64_t limit = SHORT_US * __cilkprof_r_settings.ticks_per_us, overhead = limit / 128;
  ticks = ticks > overhead ? ticks - overhead : 1; /* reading the timer takes time, too */
  unsigned long was = GET(s->cost), cost = ticks * FRACTION / count;
  if (!cost)
    cost = 1;
  if (__cilkprof_r_settings.all || ticks >> 40)
    return;
  bool expected = !was || cost / SURPRISE <= was || ticks < limit;
  bool trusted = continue_streak(s, expected, plainly && ticks > SURPRISE * limit);
  cost = expected_cost(was, cost);
  SET(s->cost, cost);
  unsigned long plain = trusted ? limit * FRACTION / cost : 0;
  if (plain != GET(s->plain)) /* compiled code reads it often */
    SET(s->plain, plain);
}

/* Decides how many short runs of this thread are not measured after one that is: a random number, or else regular
   programs would always measure the same site.  */
static void choose_plain_runs(void) {
  static THREAD unsigned state;
  state = state * 1664525 + 1013904223;
  __cilkprof_r_range.plain_runs = PLAIN_RUNS / 2 + (state >> 16) % PLAIN_RUNS;
}

/* Calls FUNCTION(DATA), COUNT iterations of SITE that are short, in this thread, and sometimes measures them.  */
void __cilkprof_r_call_short(struct __cilkprof_r_site *site, unsigned long count, void (*function)(void *), void *data) {
  if (__cilkprof_r_range.plain_runs) {
    __cilkprof_r_range.plain_runs--;
    function(data);
    return;
  }
  choose_plain_runs();
  uint64_t before = read_ticks();
  function(data);
  __cilkprof_r_learn(site, count, read_ticks() - before, true);
}
