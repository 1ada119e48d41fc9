/* Barriers of a team, and other points at which its fibers take turns.
   SPDX-License-Identifier: MIT

   At a barrier the paths of all fibers join: each goes on with the longest.  That of another fiber is no prefix of the
   log, which gets the difference, as it does where tasks join (tasks/task.h).  */

#include "libcilkprof/engine/teams/teams.h"
#include "libcilkprof/engine/tasks/waits.h"

extern EXPORT void __cilkprof_bare_wait(uint64_t what);

/* Adds up in LENGTH the path from the beginning of the region to the current point in FRAME, whose function has done
   LOCAL_WORK itself so far.  Its burden has that of making the fibers before this one.  */
void __cilkprof_team_path_length(frame_t *frame, uint64_t local_work, struct path *length) {
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, local_work);
  *length = (struct path){.span = 0};
  do {
    length->span += enclosing.inside ? 0 : enclosing.state->span + enclosing.own;
    length->burdened_span += enclosing.inside ? 0 : enclosing.state->burdened_span + enclosing.burdened_own;
    length->lanes = __cilkprof_lanes_plus(length->lanes, enclosing.lanes);
  } while (__cilkprof_step_out_in_task(&enclosing));
  length->burdened_span += __cilkprof_fiber->number * (THREAD.burden / __CILKPROF_MAKING); /* of those made before */
}

/* Puts the entries of the path from the beginning of the region to the current point in FRAME, whose function has done
   LOCAL_WORK itself so far, summed by site, into ENTRIES, and makes them those of PATH.  */
void __cilkprof_team_path_entries(frame_t *frame, uint64_t local_work, struct path *path, struct team_buffer *entries) {
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, local_work);
  __cilkprof_sum_begin();
  do
    __cilkprof_sum_enclosing_in_task(&enclosing, NULL, enclosing.own, 1);
  while (__cilkprof_step_out_in_task(&enclosing));
  struct cilkprof_sum sum = __cilkprof_sum_end();
  __cilkprof_team_buffer_set(entries, sum.entries, sum.count * sizeof(entry_t));
  path->entries = entries->memory;
  path->count = entries->bytes / sizeof(entry_t);
}

/* Makes the path to BARRIER as long as HERE, the path of a fiber that has reached it in FRAME, where HERE is longer.
   FIRST: no other fiber has reached it yet.  FRAME's function has done LOCAL_WORK itself so far.  */
static void lengthen_team_barrier(struct team_barrier *barrier, const struct path *here, int first, frame_t *frame,
                                  uint64_t local_work) {
  struct path *longest = &barrier->longest;
  if (first)
    *longest = (struct path){.span = 0};
  if (first || here->span > longest->span) {
    longest->span = here->span;
    __cilkprof_team_path_entries(frame, local_work, longest, &barrier->entries);
  }
  if (here->burdened_span > longest->burdened_span)
    longest->burdened_span = here->burdened_span;
  __cilkprof_lanes_lengthen(&longest->lanes, here->lanes);
}

/* Waits in FIBER, while others run, until all fibers of its team are at the barrier.  The last one lets all go on.  */
static void wait_at_team_barrier(struct team_fiber *fiber) {
  struct team *team = fiber->team;
  fiber->state = FIBER_ARRIVED;
  if (++team->arrived == team->threads)
    __cilkprof_team_barrier_ends(team);
  __cilkprof_fiber_rest(fiber);
}

/* Sums up what FRAME has in the log, all of which is on one path, if that is long: it is summed again at every barrier,
   and copied at every switch.  */
static void fold_log_of_fiber(frame_t *frame) {
  enum { LONG = 64 };
  if (!frame->spawned && frame->top < THREAD.limit && frame->top - frame->base > LONG)
    frame->top = __cilkprof_fold(frame->base, frame->top);
}

void __cilkprof_fiber_joins_path(struct team_fiber *fiber, frame_t *frame, uint64_t local_work, const struct path *path,
                                 struct path *here) {
  if (path->span > here->span)
    __cilkprof_team_path_entries(frame, local_work, here, &fiber->entries);
  __cilkprof_join_task_path(frame, local_work, path, here);
  __cilkprof_h_sync(frame, local_work);
  __cilkprof_p_lanes_sync(frame, local_work);
  fold_log_of_fiber(frame);
}

void __cilkprof_fiber_goes_behind(struct team_fiber *fiber, frame_t *frame, uint64_t local_work,
                                  const struct path *path, struct path *here) {
  if (path->span > here->span) {
    __cilkprof_team_path_entries(frame, local_work, here, &fiber->entries);
    frame->top = frame->merge = __cilkprof_log_push(frame->top, __cilkprof_task_path_difference(path, here));
    set_profile_flags(CILKPROF_TASKS);
  }
  frame->span += task_path_beyond(path->span, here->span);
  frame->burdened_span += task_path_beyond(path->burdened_span, here->burdened_span);
  __cilkprof_lanes_add(frame, __cilkprof_lanes_beyond(path->lanes, here->lanes));
  fold_log_of_fiber(frame);
}

/* Waits in FRAME of FIBER, at a barrier of the team, and goes on with the longest path to it.  FRAME's function has
   done LOCAL_WORK itself so far.  */
static void join_team_barrier(struct team_fiber *fiber, frame_t *frame, uint64_t local_work) {
  struct team *team = fiber->team;
  struct team_barrier *barrier = &team->barriers[team->passed % 2];
  struct path here;
  __cilkprof_team_path_length(frame, local_work, &here);
  fiber->time = here.span;
  lengthen_team_barrier(barrier, &here, team->arrived == 0, frame, local_work);
  wait_at_team_barrier(fiber);
  __cilkprof_fiber_joins_path(fiber, frame, local_work, &barrier->longest, &here);
}

/* Waits in FRAME, in a fiber of a team, for WHAT, one of __CILKPROF_WAIT_...: for the turn of the fiber, at a barrier,
   or for the children of the current task.  FRAME's function has done LOCAL_WORK itself so far.  */
static void wait_in_team(frame_t *frame, uint64_t local_work, uint64_t what) {
  struct team_fiber *fiber = __cilkprof_fiber;
  struct path here;
  switch (what) {
  case __CILKPROF_WAIT_TURN:
    __cilkprof_team_path_length(frame, local_work, &here);
    fiber->time = here.span;
    __cilkprof_fiber_takes_turn(fiber);
    break;
  case __CILKPROF_WAIT_BARRIER:
    __cilkprof_join_children_of_task(frame, local_work, 1);
    if (!frame->block || frame->block->kind != __CILKPROF_BLOCK_LOOP) /* else it follows when the loop has ended */
      join_team_barrier(fiber, frame, local_work);
    break;
  default:
    __cilkprof_join_children_of_task(frame, local_work, 1);
  }
}

void __cilkprof_team_waits_start(void) {
  __cilkprof_team_wait = wait_in_team;
}

/* Waits for WHAT, one of __CILKPROF_WAIT_..., where nothing is measured: at a barrier, or for the turn of this fiber,
   whose time is then the number of its turns.  There are no tasks to wait for, as each runs where it is made.  */
void __cilkprof_bare_wait(uint64_t what) {
  struct team_fiber *fiber = fiber_sharing_work();
  if (!fiber)
    return;
  if (what == __CILKPROF_WAIT_BARRIER)
    wait_at_team_barrier(fiber);
  else if (what == __CILKPROF_WAIT_TURN) {
    fiber->time++;
    __cilkprof_fiber_takes_turn(fiber);
  }
}
