/* Which fiber of a team runs.
   SPDX-License-Identifier: MIT

   A fiber runs until it reaches a barrier, needs something that another one has, asks for a part of the team's work, or
   ends.  Then the fiber goes on that is earliest: whose path is the shortest so far.  So a loop with a dynamic
   schedule is divided as it would be by threads that run at the same time.  Where nothing is measured, fibers take
   turns.  */

#include <sched.h>
#include <stddef.h>
#include <time.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/teams/teams.h"
#include "libcilkprof/engine/time/clock.h"

/* For how long fibers that wait for each other look again, in nanoseconds.  A test builds the engine with a short
   time.  */
#ifndef CILKPROF_STUCK_NS
#define CILKPROF_STUCK_NS 5000000000
#endif

/* Returns the fiber of TEAM that is ready and earliest; NULL: none is ready.  For tests, which cannot know the time, an
   engine can be built in which those that are ready take turns in the order of their numbers.  */
static struct team_fiber *earliest_ready_fiber(const struct team *team) {
  struct team_fiber *found = NULL;
  for (uint64_t i = 1; i <= team->threads; i++) {
#ifdef CILKPROF_TURNS_IN_ROUNDS
    struct team_fiber *fiber = &team->fibers[(team->running->number + i) % team->threads];
    if (fiber->state == FIBER_READY && !found)
      found = fiber;
#else
    struct team_fiber *fiber = &team->fibers[i - 1];
    if (fiber->state == FIBER_READY && (!found || fiber->time < found->time))
      found = fiber;
#endif
  }
  return found;
}

struct team_fiber *__cilkprof_team_next(const struct team *team) {
  struct team_fiber *found = earliest_ready_fiber(team);
  for (uint64_t i = 1; !found && i <= team->threads; i++) {
    struct team_fiber *fiber = &team->fibers[(team->running->number + i) % team->threads];
    if (fiber->state == FIBER_WAITS)
      found = fiber;
  }
  return found;
}

void __cilkprof_team_barrier_ends(struct team *team) {
  team->barriers[team->passed % 2].longest.burdened_span += THREAD.burden;
  for (uint64_t i = 0; i < team->threads; i++)
    if (team->fibers[i].state == FIBER_ARRIVED) {
      team->fibers[i].state = FIBER_READY;
      team->fibers[i].time = team->barriers[team->passed % 2].longest.span;
    }
  team->arrived = 0;
  team->passed++;
}

void __cilkprof_fiber_rest(struct team_fiber *fiber) {
  struct team *team = fiber->team;
  struct team_fiber *next = __cilkprof_team_next(team);
  if (!next) { /* some have ended without coming to the barrier: real threads would wait for ever */
    __cilkprof_say(__cilkprof_team_name(team), "some threads of the team wait at a barrier that others never reach",
                   "they go on");
    __cilkprof_team_barrier_ends(team);
    next = __cilkprof_team_next(team);
  }
  __cilkprof_fiber_switch(fiber, next);
}

void __cilkprof_fiber_takes_turn(struct team_fiber *fiber) {
  struct team_fiber *next = __cilkprof_team_next(fiber->team);
#ifdef CILKPROF_TURNS_IN_ROUNDS
  if (next && next->state == FIBER_READY)
#else
  if (next && next->state == FIBER_READY && next->time < fiber->time)
#endif
    __cilkprof_fiber_switch(fiber, next);
}

uint64_t __cilkprof_team_cpu_ns(void) {
  struct timespec now = {.tv_sec = 0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Returns whether the fibers of TEAM have all waited for so long that none of them will ever go on.  Called each time
   that only fibers that wait could run.  Where nothing is measured, only the time that passes tells that they do
   something in between.  */
static int is_team_stuck(struct team *team) {
  enum { OFTEN = 1000, OFTEN_NS = 10000000 };
  if (++team->idle == 1) {
    team->idle_since = __cilkprof_now_ns();
    team->idle_cpu_ns = __cilkprof_team_cpu_ns();
  }
  if (team->idle % OFTEN)
    return 0;
  uint64_t before = team->idle_cpu_ns;
  team->idle_cpu_ns = __cilkprof_team_cpu_ns();
  if (team->bare && team->idle_cpu_ns - before > OFTEN_NS)
    team->idle_since = __cilkprof_now_ns();
  sched_yield(); /* something outside of the team may have to run */
  return __cilkprof_now_ns() - team->idle_since > CILKPROF_STUCK_NS;
}

/* Lets a fiber run that waits as FIBER does, as no other one can: those of its team take turns, and after a round of
   these, fibers of the team around that, as what they read may have changed.  Returns whether all have waited for too
   long.  */
static int let_waiting_fiber_run(struct team_fiber *fiber) {
  struct team *team = fiber->team;
  struct team_fiber *outer = team->outer, *next = __cilkprof_team_next(team);
  if (outer && ++team->idle % team->threads == 0) {
    outer->state = FIBER_WAITS;
    int stuck = let_waiting_fiber_run(outer);
    outer->state = FIBER_READY;
    return stuck;
  }
  if (next)
    __cilkprof_fiber_switch(fiber, next);
  return !outer && is_team_stuck(team);
}

/* Lets another fiber run while FIBER waits: one of its team or, if none of these is ready, of a team around that.
   Returns whether all have waited for too long.  */
int __cilkprof_fiber_lets_others_run(struct team_fiber *fiber) {
  for (struct team_fiber *outer = fiber; outer; outer = outer->team->outer) {
    struct team_fiber *next = __cilkprof_team_next(outer->team);
    if (next && next != outer && next->state == FIBER_READY) {
      __cilkprof_fiber_has_gone_on(fiber);
      outer->state = FIBER_WAITS; /* so does all of the team in it */
      __cilkprof_fiber_switch(outer, next);
      outer->state = FIBER_READY;
      return 0;
    }
  }
  return let_waiting_fiber_run(fiber);
}

void __cilkprof_fiber_has_gone_on(const struct team_fiber *fiber) {
  for (; fiber; fiber = fiber->team->outer) {
    fiber->team->idle = 0;
    fiber->team->flushes = 0;
  }
}

void __cilkprof_fiber_wait_until(int (*can_go_on)(void *argument), void *argument) {
  struct team_fiber *fiber = __cilkprof_fiber;
  int stuck = 0;
  while (!can_go_on(argument) && !stuck) {
    fiber->state = FIBER_WAITS;
    stuck = __cilkprof_fiber_lets_others_run(fiber);
  }
  fiber->state = FIBER_READY;
  __cilkprof_fiber_has_gone_on(fiber);
  if (stuck)
    __cilkprof_say(__cilkprof_team_name(fiber->team), "all threads of the team wait for each other", "they go on");
}
