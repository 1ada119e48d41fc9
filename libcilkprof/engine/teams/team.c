/* Runs the parallel regions of OpenMP whose code looks at thread numbers: as a team of fibers.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/teams/teams.h"

/* Teams that have ended, whose memory is used again.  */
static __thread struct team *unused_teams;

extern EXPORT void __cilkprof_bare_team_run(void (*body)(void *), void *data, uint64_t threads);

/* Returns a team of THREADS fibers: one that has ended, which has stacks, or a new one; NULL if there is no memory.  */
static struct team *find_unused_team(uint64_t threads) {
  for (struct team **place = &unused_teams; *place; place = &(*place)->next)
    if ((*place)->threads == threads) {
      struct team *found = *place;
      *place = found->next;
      return found;
    }
  struct team *team = __cilkprof_reserve(sizeof *team);
  struct team_fiber *fibers = team ? __cilkprof_reserve(threads * sizeof *fibers) : NULL;
  if (!fibers)
    return NULL;
  *team = (struct team){.threads = threads, .fibers = fibers};
  for (uint64_t i = 0; i < threads; i++)
    fibers[i] = (struct team_fiber){.team = team, .number = i};
  return team;
}

/* Returns the return slot for lanes of what-if questions.  */
static lanes_t returned_lanes(void) {
#ifdef __CILKPROF_WHATIF
  return THREAD.lanes;
#else
  return (lanes_t){};
#endif
}

/* Sets the return slot for lanes of what-if questions to LANES.  */
static void set_returned_lanes(lanes_t lanes) {
#ifdef __CILKPROF_WHATIF
  THREAD.lanes = lanes;
#else
  (void)lanes;
#endif
}

/* Keeps what FIBER, whose body has returned, has in the return slots and in the log, summed by site, until all fibers
   have ended and are booked.  */
static void keep_fiber_totals(struct team_fiber *fiber) {
  const struct fiber_base *base = &fiber->team->base;
  fiber->totals = (struct fiber_totals){THREAD.local_work,
                                        THREAD.local_off_span,
                                        THREAD.local_off_burdened_span,
                                        THREAD.work & ~__CILKPROF_WORK_FLAGS,
                                        THREAD.span,
                                        THREAD.burdened_span,
                                        returned_lanes()};
  if (base->frame->site & __CILKPROF_CALL_LEFT)
    __cilkprof_task_call_region_ended(base->frame);
  entry_t *top = __cilkprof_p_log_top();
  __cilkprof_sum_begin();
  if (top > base->top && top < THREAD.limit)
    __cilkprof_sum_add(base->top, top, 1);
  struct cilkprof_sum sum = __cilkprof_sum_end();
  __cilkprof_team_buffer_set(&fiber->entries, sum.entries, sum.count * sizeof(entry_t));
}

/* Ends FIBER, and lets another one go on or, after the last one, what made the team.  Never returns.  */
static void end_fiber(struct team_fiber *fiber) {
  struct team *team = fiber->team;
  if (!team->bare) {
    keep_fiber_totals(fiber);
    __cilkprof_image_save(&fiber->image, &team->base);
  }
  fiber->state = FIBER_ENDED;
  if (++team->ended < team->threads)
    __cilkprof_fiber_rest(fiber);
  if (!team->bare)
    __cilkprof_image_load(&team->first, &team->base);
  __cilkprof_fiber_leaves_variables(fiber);
  __cilkprof_fiber_takes_variables(&team->fibers[0]);
  __cilkprof_fiber = team->outer;
  __cilkprof_fiber_jump(&fiber->stack_mark, team->maker_mark);
}

/* Runs the body of its team in FIBER, on its own stack, and ends it.  Never returns.  */
static void run_team_fiber(struct team_fiber *fiber) {
  fiber->team->body(fiber->team->data);
  end_fiber(fiber);
}

/* Makes TEAM, which has run before, or never, one that runs BODY with DATA.  Returns 0, or -1 if there is no memory for
   its stacks.  */
static int begin_team(struct team *team, void (*body)(void *), void *data) {
  team->outer = __cilkprof_fiber;
  team->body = body;
  team->data = data;
  team->level = __cilkprof_team_level();
  team->active_level = (team->outer ? team->outer->team->active_level : 0) + 1;
  team->arrived = team->ended = team->passed = team->idle = team->singles = 0;
  team->copied = NULL;
  team->run++;
  for (uint64_t i = 0; i < team->threads; i++) {
    struct team_fiber *fiber = &team->fibers[i];
    fiber->state = FIBER_READY;
    fiber->time = fiber->singles = fiber->shares = 0;
    fiber->share = NULL;
    fiber->inner = 0;
    fiber->polls = 0;
    if (__cilkprof_fiber_prepare(fiber, run_team_fiber) < 0)
      return -1;
  }
  return __cilkprof_team_begin_variables(team);
}

/* Runs all fibers of TEAM, beginning with the first one, and returns when they have ended: the last one jumps back
   here.  */
static void run_team_fibers(struct team *team) {
  __cilkprof_team_watch_spins();
  __cilkprof_fiber_goes_on(&team->maker_mark, &team->fibers[0]);
}

/* Begins a child of FRAME at SITE, a thread of a team.  FRAME's function has done LOCAL_WORK itself so far.  */
static void spawn_team_fiber(frame_t *frame, uint64_t local_work, site_t *site) {
  frame->outer_segment = frame->segment;
  frame->segment = frame->top;
  __cilkprof_p_call(frame, local_work, site, __CILKPROF_CALL_SPAWN | __CILKPROF_CALL_TASK);
}

/* Books all fibers of TEAM, which have ended, as children that FRAME has spawned at SITE, and joins them.  The first
   one was spawned before the team ran.  FRAME's function has done LOCAL_WORK itself.  */
static void book_team_fibers(struct team *team, frame_t *frame, uint64_t local_work, site_t *site) {
  for (uint64_t i = 0; i < team->threads; i++) {
    struct team_fiber *fiber = &team->fibers[i];
    const struct fiber_totals *totals = &fiber->totals;
    if (i)
      spawn_team_fiber(frame, local_work, site);
    entry_t *top = __cilkprof_log_push(
        frame->top, (struct cilkprof_sum){fiber->entries.memory, fiber->entries.bytes / sizeof(entry_t)});
    THREAD.top = marked_log_top(top);
    THREAD.local_work = totals->local_work;
    THREAD.local_off_span = totals->local_off_span;
    THREAD.local_off_burdened_span = totals->local_off_burdened_span;
    THREAD.work = totals->work;
    THREAD.span = totals->span;
    THREAD.burdened_span = totals->burdened_span;
    set_returned_lanes(totals->lanes);
    __cilkprof_p_task_returned(frame, local_work, site);
  }
  __cilkprof_h_sync(frame, local_work);
}

/* Runs TEAM in FRAME, as children that are spawned at SITE, and books them.  The region has done LOCAL_WORK itself so
   far.  Each fiber begins with a copy of the state that the engine has now.  */
static void run_measured_team(struct team *team, frame_t *frame, uint64_t local_work, site_t *site) {
  spawn_team_fiber(frame, local_work, site);
  team->base = (struct fiber_base){frame, THREAD.blocks, frame->top};
  struct pieces *pieces = profiled_thread()->pieces;
  static struct pieces none; /* fibers that wait for each other do not nest as pieces do: the region is one part */
  uint64_t before = THREAD.team, was_final = THREAD.final;
  set_omp_team_and_final(__CILKPROF_TEAM_FIBERS, 0);
  __cilkprof_image_save(&team->first, &team->base);
  for (uint64_t i = 0; i < team->threads; i++)
    __cilkprof_image_copy(&team->fibers[i].image, &team->first);
  if (THREAD.profiled)
    THREAD.profiled->pieces = &none;
  run_team_fibers(team);
  set_omp_team_and_final(before, was_final);
  set_profile_flags(CILKPROF_TASKS);
  book_team_fibers(team, frame, local_work, site);
  if (THREAD.profiled)
    THREAD.profiled->pieces = pieces;
}

/* Returns whether the region that FRAME has begun can have fibers.  What roots keep of open invocations is one list, in
   which those of fibers would mix; a signal handler must return before anything else goes on.  */
static int can_have_fibers(const frame_t *frame) {
  return !profiled_thread()->roots && !profiled_thread()->tool && !THREAD.signals && frame == THREAD.frames;
}

/* Puts TEAM, which does not run, to those that can be used.  */
static void release_team(struct team *team) {
  team->next = unused_teams;
  unused_teams = team;
}

/* Returns a team that is ready to run BODY with DATA, for a region that asks for THREADS threads, 0 if it does not say;
   NULL: only one thread runs it, or there is no memory.  */
static struct team *team_for_region(uint64_t threads, void (*body)(void *), void *data) {
  threads = __cilkprof_team_threads(threads);
  __cilkprof_team_waits_start();
  struct team *team = threads > 1 ? find_unused_team(threads) : NULL;
  if (team && begin_team(team, body, data) == 0)
    return team;
  if (team)
    release_team(team);
  static int said;
  if (threads > 1 && !said++)
    __cilkprof_say("omp parallel", "there is no memory for the threads of a team", "one thread runs the region");
  return NULL;
}

/* Runs BODY, the code of a parallel region, with DATA, as a team of the size that it would have; THREADS is what the
   region asks for, 0 if nothing.  FRAME has begun the region's block and done LOCAL_WORK in it.  Each thread of the
   team is a child that is spawned at SPAWNED.  Where there is no team, BODY is called at CALLED.  */
EXPORT void __cilkprof_team_run(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called,
                                void (*body)(void *), void *data, uint64_t threads) {
  struct team *team = can_have_fibers(frame) ? team_for_region(threads, body, data) : NULL;
  if (team) {
    team->bare = 0;
    team->site = spawned;
    run_measured_team(team, frame, local_work, spawned);
    release_team(team);
    return;
  }
  __cilkprof_p_call(frame, local_work, called, __CILKPROF_CALL_TASK);
  body(data);
  __cilkprof_task_call_returned(frame, local_work);
}

/* Runs BODY, the code of a parallel region, with DATA, where nothing is measured, as a team of the size that it would
   have.  THREADS is what the region asks for, 0 if nothing.  */
void __cilkprof_bare_team_run(void (*body)(void *), void *data, uint64_t threads) {
  struct team *team = team_for_region(threads, body, data);
  if (!team) {
    body(data);
    return;
  }
  team->bare = 1;
  team->site = NULL;
  run_team_fibers(team);
  release_team(team);
}
