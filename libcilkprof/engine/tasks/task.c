/* OpenMP tasks, which are spawned if they are deferred and called if they are not; and tasks that go on after the
   function or task that made them.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/engine/tasks/paths.h"
#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/memory.h"

/* Tasks that go on after the function, block or task that made them: by how much the longest of them outlasts it, and
   the path to the end of that one, as a difference to the path in the log.  */
struct left_tasks {
  const frame_t *outer;         /* the frame that adopts them; NULL: none were left */
  const frame_t *maker;         /* if a task that was a call left them: the frame that called it */
  uint64_t more, burdened_more; /* modulo 2^64 if OUTER adopts them: they may have ended before */
  lanes_t lanes_more;           /* likewise */
  uint64_t own;                 /* own work of what left them that is not on that path */
  entry_t *entries;
  size_t count, room;
};

/* Returns the tasks that the last function or task of this thread to end has left behind; NULL if there is no memory
   for them.  */
static struct left_tasks *tasks_left_behind(void) {
  struct profiled_tasks *tasks = &profiled_thread()->tasks;
  if (!tasks->left)
    tasks->left = __cilkprof_allocate(sizeof *tasks->left);
  return tasks->left;
}

/* Copies SUM, the path to the end of the longest task of LEFT, to the entries of LEFT.  If there is no memory for them,
   the log lacks them.  */
static void keep_left_task_entries(struct left_tasks *left, struct cilkprof_sum sum) {
  left->count = 0;
  if (sum.count > left->room) {
    left->room = 0;
    left->entries = __cilkprof_reserve(2 * sum.count * sizeof(entry_t));
    if (!left->entries) {
      set_profile_flags(CILKPROF_NO_ON_SPAN);
      return;
    }
    left->room = 2 * sum.count;
  }
  if (sum.count)
    memcpy(left->entries, sum.entries, sum.count * sizeof(entry_t));
  left->count = sum.count;
}

/* Sets LEFT to no tasks: none outlasts the function, block or task that made it.  */
static void clear_left_tasks(struct left_tasks *left) {
  left->more = left->burdened_more = 0;
  profiled_thread()->tasks.go_on = 0;
  left->lanes_more = (lanes_t){};
}

/* Returns whether any task of LEFT goes on: in the span, in the burdened span or on a lane.  Notes for root invocations
   whether one does in the span or the burdened span (go_on).  */
static int any_left_task_goes_on(struct left_tasks *left) {
  lanes_t lanes = {};
  profiled_thread()->tasks.go_on = (int64_t)left->more > 0 || (int64_t)left->burdened_more > 0;
  return left->more || left->burdened_more || __cilkprof_lanes_lengthen(&lanes, left->lanes_more);
}

/* Leaves the tasks of FRAME, the state of a function, block or task that ends without waiting for them.  OUTER adopts
   the longest of them; if OUTER is NULL, whatever waits for all tasks does.  Returns whether there are any; if OUTER is
   NULL, whether any goes on.  */
static int leave_tasks(frame_t *frame, uint64_t local_work, const frame_t *outer) {
  struct left_tasks *left = THREAD.recording ? tasks_left_behind() : NULL;
  if (left)
    clear_left_tasks(left);
  if (frame->spawned != __CILKPROF_CHILDREN_TASKS || !left) {
    __cilkprof_h_sync(frame, local_work);
    return 0;
  }
  uint64_t own = local_work - frame->off_span, end = frame->span + own,
           burdened_end = frame->burdened_span + local_work - frame->off_burdened_span;
  lanes_t lanes_end = __cilkprof_lanes_here(frame, local_work);
  left->outer = outer;
  left->more = outer ? frame->longest_span - end : task_path_beyond(frame->longest_span, end);
  left->burdened_more =
      outer ? frame->longest_burdened - burdened_end : task_path_beyond(frame->longest_burdened, burdened_end);
  left->lanes_more = outer ? __cilkprof_lanes_minus(longest_lanes(frame), lanes_end)
                           : __cilkprof_lanes_beyond(longest_lanes(frame), lanes_end);
  if (frame->longest_span >= end || frame->longest_burdened > burdened_end)
    set_profile_flags(CILKPROF_TASKS);
  if (outer || left->more) {
    __cilkprof_sum_begin();
    __cilkprof_sum_add(frame->longest_start, frame->longest_end, 1);
    __cilkprof_sum_add(frame->longest_end + 1, frame->top, -(uint64_t)1);
    keep_left_task_entries(left, __cilkprof_sum_end());
    left->own = own - frame->longest_own;
  }
  if (!outer)
    __cilkprof_pieces_left(frame, local_work);
  __cilkprof_p_hole(frame);
  frame->segment = frame->base;
  frame->spawned = 0;
  return any_left_task_goes_on(left) || outer;
}

/* Adds to LEFT, the tasks that an ending task leaves, those that were left to it by tasks that it made: DEEP is the
   longest path to their ends, or NULL.  HERE is the path to the end of the task itself.  Returns whether any of all
   these tasks goes on.  */
static int leave_deep_tasks(struct left_tasks *left, const struct path *deep, const struct path *here) {
  uint64_t more = deep ? task_path_beyond(deep->span, here->span) : 0,
           burdened = deep ? task_path_beyond(deep->burdened_span, here->burdened_span) : 0;
  if (deep)
    __cilkprof_lanes_lengthen(&left->lanes_more, __cilkprof_lanes_beyond(deep->lanes, here->lanes));
  if (burdened > left->burdened_more)
    left->burdened_more = burdened;
  if (more > left->more) {
    left->more = more;
    left->own = 0;
    keep_left_task_entries(left, __cilkprof_task_path_difference(deep, here));
  }
  return any_left_task_goes_on(left);
}

/* Ends the OpenMP task that is the innermost block of FRAME, and leaves the tasks that it made and did not wait for.
   Returns whether any of them goes on.  */
static int end_task_block(frame_t *frame, uint64_t local_work) {
  if (!frame->spawned && !frame->block->region)
    return 0;
  const struct path *deep = __cilkprof_keeps_task_paths() ? __cilkprof_deep_task_path(&frame->block->region) : NULL;
  if (deep)
    __cilkprof_task_path_here(frame, local_work, 0, __cilkprof_scratch_task_path(0));
  leave_tasks(frame, local_work, NULL);
  struct left_tasks *left = profiled_thread()->tasks.left;
  if (!left)
    return 0;
  if (deep)
    __cilkprof_task_path_length_here(frame, local_work, 0, __cilkprof_scratch_task_path(0));
  return leave_deep_tasks(left, deep, deep ? __cilkprof_scratch_task_path(0) : NULL);
}

/* Returns the path through the task that FRAME called by SITE, from its beginning to its end.  The totals of the task
   are in the return slots.  */
static const struct path *path_of_called_task(const frame_t *frame, const site_t *site) {
  struct path *path = __cilkprof_scratch_task_path(0);
  entry_t own = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN,
                 .local_off_span = THREAD.local_off_span - THREAD.local_work};
  __cilkprof_sum_begin();
  __cilkprof_sum_add(frame->top, __cilkprof_p_log_top(), 1);
  __cilkprof_sum_add(&own, &own + 1, 1);
  __cilkprof_set_task_path_entries(path, __cilkprof_sum_end());
  path->span = THREAD.span;
  path->burdened_span = THREAD.burdened_span;
  path->lanes = slot_lanes();
  return path;
}

/* Ends the OpenMP task that FRAME called by SITE.  The tasks that its function left itself were noted when it returned.
   Returns whether any of the tasks that were left goes on.  */
static int end_called_task(frame_t *frame, const site_t *site) {
  const struct path *deep = __cilkprof_keeps_task_paths() ? __cilkprof_deep_task_path(&frame->region) : NULL;
  struct left_tasks *left = THREAD.recording ? tasks_left_behind() : NULL;
  if (!left)
    return 0;
  if (left->maker != frame)
    clear_left_tasks(left);
  left->maker = NULL;
  int more = leave_deep_tasks(left, deep, deep ? path_of_called_task(frame, site) : NULL);
  __cilkprof_task_call_region_ended(frame);
  return more;
}

/* Joins all children of the innermost block of FRAME, and the tasks that ended children have left behind.  */
void __cilkprof_join_all_tasks(frame_t *frame, uint64_t local_work) {
  const struct path *deep = __cilkprof_deep_task_path(frame->block ? &frame->block->region : NULL);
  if (deep && __cilkprof_keeps_task_paths()) {
    __cilkprof_task_path_here(frame, local_work, 1, __cilkprof_scratch_task_path(0));
    __cilkprof_join_task_path(frame, local_work, deep, __cilkprof_scratch_task_path(0));
  }
  __cilkprof_h_sync(frame, local_work);
  __cilkprof_p_lanes_sync(frame, local_work); /* a child may be longer on a lane where it is not in the span */
}

/* Joins the tasks that were made in the innermost block of FRAME, which ends.  They are left instead if the block is a
   task, or if the same task goes on after it.  Returns whether some were left: then __cilkprof_adopt in FRAME, as it is
   around the block, or __cilkprof_task_returned finds them.  */
int __cilkprof_block_joins(frame_t *frame, uint64_t local_work) {
  const block_t *block = frame->block;
  if (block->kind == __CILKPROF_BLOCK_CALL && block->flags & __CILKPROF_BLOCK_OPEN)
    return leave_tasks(frame, local_work, frame);
  if (block->flags & __CILKPROF_BLOCK_TASK && block->kind != __CILKPROF_BLOCK_LOOP)
    return end_task_block(frame, local_work);
  __cilkprof_join_all_tasks(frame, local_work);
  return 0;
}

/* The path from the current point, where a task was made, to the end of this task: MORE is its length.  Its entries are
   those from START to END of the log, or those of PATH without those of HERE.  */
struct behind {
  struct path more;
  const entry_t *start, *end;
  const struct path *path, *here;
};

/* Notes, for whatever waits for all tasks, the tasks that an ended task of SITE in FRAME left behind.  BEHIND is the
   path from the current point to the end of that task.  */
static void note_deep_tasks(frame_t *frame, uint64_t local_work, const site_t *site, const struct behind *behind) {
  struct left_tasks *left = profiled_thread()->tasks.left;
  struct path *deep = __cilkprof_scratch_task_path(2);
  profiled_thread()->tasks.go_on = 0;
  __cilkprof_reach_task_holder(frame);
  uint64_t *holder = __cilkprof_task_path_length_here(frame, local_work, 1, deep);
  struct access *access = holder ? __cilkprof_task_access(holder, NULL) : NULL;
  uint64_t span = deep->span + left->more + behind->more.span,
           burdened_span = deep->burdened_span + left->burdened_more + behind->more.burdened_span;
  lanes_t lanes = __cilkprof_lanes_plus(deep->lanes, left->lanes_more);
  lanes = __cilkprof_lanes_plus(lanes, behind->more.lanes);
  if (access)
    __cilkprof_lanes_lengthen(&access->paths[DEEP].lanes, lanes);
  if (!access || (span <= access->paths[DEEP].span && burdened_span <= access->paths[DEEP].burdened_span))
    return;
  entry_t part = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN, .local_off_span = left->own};
  __cilkprof_task_path_here(frame, local_work, 1, deep);
  __cilkprof_sum_begin();
  __cilkprof_sum_task_path(deep, 1);
  __cilkprof_sum_add(behind->start, behind->end, 1);
  if (left->more) {
    __cilkprof_sum_add(left->entries, left->entries + left->count, 1);
    __cilkprof_sum_add(&part, &part + 1, 1);
  }
  if (behind->path) {
    __cilkprof_sum_task_path(behind->path, 1);
    __cilkprof_sum_task_path(behind->here, -(uint64_t)1);
  }
  __cilkprof_set_task_path_entries(deep, __cilkprof_sum_end());
  deep->span = span;
  deep->burdened_span = burdened_span;
  deep->lanes = lanes;
  deep->root_invocation = deep->burdened_root_invocation = __cilkprof_root_invocation();
  __cilkprof_keep_task_path(&access->paths[DEEP], deep, frame);
}

/* Books an OpenMP task, a section or a loop that nothing waits for yet, when it has ended.  FRAME is the state around
   it again, and its totals are in the return slots.  BLOCK is NULL if it was a call by SITE.  LEFT says whether it has
   left tasks behind that go on.  */
void __cilkprof_task_returned(frame_t *frame, uint64_t local_work, const block_t *block, site_t *site, int left) {
  uint64_t before = frame->spawned, own = local_work - frame->off_span,
           burdened_own = __cilkprof_p_own_to_task(frame, local_work);
  uint64_t span = THREAD.span, burdened_span = THREAD.burdened_span;
  const struct path *path = NULL, *here = NULL;
  entry_t *top = __cilkprof_p_book_child(frame, frame->segment, local_work, site), *start = frame->segment;
  lanes_t lanes = slot_lanes();
  if (block && block->depend && __cilkprof_keeps_task_paths())
    path = __cilkprof_path_of_dependent_task(frame, block, top);
  if (path) {
    here = __cilkprof_scratch_task_path(1);
    span = path->span - here->span;
    burdened_span = path->burdened_span - here->burdened_span - THREAD.burden;
    lanes = __cilkprof_lanes_minus(path->lanes, here->lanes);
  }
  if (left && __cilkprof_keeps_task_paths())
    note_deep_tasks(frame, local_work, site,
                    &(struct behind){{.span = span, .burdened_span = THREAD.burden + burdened_span, .lanes = lanes},
                                     path ? top : start,
                                     top,
                                     path,
                                     here});
  if (span > THREAD.span) {
    set_profile_flags(CILKPROF_TASKS);
    top = __cilkprof_log_push(start, __cilkprof_task_path_difference(path, here));
  }
  frame->site = 0;
  __cilkprof_p_child(frame, top, own, frame->span + own + span, burdened_own,
                     frame->burdened_span + burdened_own + burdened_span);
  frame->off_burdened_span -= THREAD.burden / __CILKPROF_MAKING;
  __cilkprof_lanes_task(frame, local_work, lanes);
  if (before != __CILKPROF_CHILDREN_JOINED)
    frame->spawned = __CILKPROF_CHILDREN_TASKS;
}

/* Notes the tasks that an included task of SITE, one that its maker ran as a call, left behind when it returned to
   FRAME.  */
void __cilkprof_included_task_returned(frame_t *frame, uint64_t local_work, site_t *site) {
  if (__cilkprof_keeps_task_paths())
    note_deep_tasks(frame, local_work, site, &(struct behind){.start = NULL});
}

/* Books the OpenMP task that FRAME called, which left tasks or paths behind, when it has returned.  */
static __attribute__((noinline)) void book_task_with_tasks_left(frame_t *frame, uint64_t local_work) {
  uint64_t kind = frame->site & __CILKPROF_CALL_KIND;
  site_t *site = called_site(frame);
  int left = kind & __CILKPROF_CALL_LEFT && end_called_task(frame, site);
  if (kind & __CILKPROF_CALL_SPAWN)
    __cilkprof_task_returned(frame, local_work, NULL, site, left);
  else {
    __cilkprof_h_returned(frame, site);
    __cilkprof_task_paths_left(frame, NULL, site);
    if (left)
      __cilkprof_included_task_returned(frame, local_work, site);
  }
}

/* Books the OpenMP task that FRAME called, when it has returned, unless it is a common one.  A frame that several
   functions share has no call under way, and nothing is booked.  */
static __attribute__((noinline)) void book_uncommon_task_call(frame_t *frame, uint64_t local_work) {
  site_t *site = called_site(frame);
  if (frame->site & __CILKPROF_CALL_FINAL) {
    frame->site -= __CILKPROF_CALL_FINAL;
    set_omp_team_and_final(THREAD.team, 0);
  }
  if (!site)
    return;
  if (frame->site & __CILKPROF_CALL_LEFT)
    book_task_with_tasks_left(frame, local_work);
  else if (frame->site & __CILKPROF_CALL_SPAWN)
    __cilkprof_p_task_returned(frame, local_work, site);
  else
    __cilkprof_h_returned(frame, site);
}

/* Books the OpenMP task that FRAME called, when it has returned.  Common is a task that was not deferred and left
   nothing behind.  */
EXPORT void __cilkprof_task_call_returned(frame_t *frame, uint64_t local_work) {
  if (__CILKPROF_RARE((frame->site & __CILKPROF_CALL_KIND) != __CILKPROF_CALL_TASK))
    book_uncommon_task_call(frame, local_work);
  else
    __cilkprof_h_returned(frame, called_site(frame));
}

/* Returns the frame of the caller of FRAME's function if it handles the tasks that the function leaves: because it
   called the function as a task, or goes on in the same task.  Otherwise returns NULL.  */
static frame_t *caller_adopting_tasks(frame_t *frame) {
  if (frame < THREAD.frames_end && frame[-1].site & __CILKPROF_CALL_TASK)
    return frame - 1;
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, 0);
  return frame < THREAD.frames_end && __cilkprof_step_out_in_task(&enclosing) && enclosing.frame == frame - 1
             ? frame - 1
             : NULL;
}

/* Leaves the OpenMP tasks of FRAME's function, which returns, to its caller.  Main, and a function that foreign code
   called, waits for them instead.  */
EXPORT void __cilkprof_tasks_leave(frame_t *frame, uint64_t local_work) {
  __cilkprof_p_samples(frame);
  frame_t *caller = frame->spawned == __CILKPROF_CHILDREN_TASKS ? caller_adopting_tasks(frame) : NULL;
  int ends = caller && caller->site & __CILKPROF_CALL_TASK;
  if (!caller)
    __cilkprof_h_sync(frame, local_work);
  else if (leave_tasks(frame, local_work, ends ? NULL : caller)) {
    profiled_thread()->tasks.left->maker = ends ? caller : NULL;
    mark_call_leaving_tasks(caller);
  }
}

/* Makes the tasks that were left to FRAME its own children, after a call by SITE has returned to it or a block in it
   has ended.  */
EXPORT void __cilkprof_adopt(frame_t *frame, uint64_t local_work, site_t *site) {
  struct left_tasks *left = profiled_thread()->tasks.left;
  __cilkprof_task_paths_left(frame, NULL, site);
  if (!left || left->outer != frame)
    return;
  uint64_t before = frame->spawned, own = local_work - frame->off_span,
           burdened_own = local_work - frame->off_burdened_span;
  entry_t *top = frame->top;
  left->outer = NULL;
  profiled_thread()->tasks.go_on = 0;
  frame->outer_segment = frame->segment;
  frame->segment = frame->top;
  entry_t part = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN, .local_off_span = left->own};
  top = __cilkprof_log_push(top, (struct cilkprof_sum){left->entries, left->count});
  top = __cilkprof_log_push(top, (struct cilkprof_sum){&part, 1});
  __cilkprof_p_child(frame, top, own, frame->span + own + left->more, burdened_own,
                     frame->burdened_span + burdened_own + left->burdened_more);
  __cilkprof_lanes_task(frame, local_work, left->lanes_more);
  if (before != __CILKPROF_CHILDREN_JOINED)
    frame->spawned = __CILKPROF_CHILDREN_TASKS;
}

/* The program's calls of omp_in_final become calls of this.  */
extern EXPORT int __cilkprof_omp_in_final(void);
/* Returns whether the current code belongs to a final OpenMP task.  */
int __cilkprof_omp_in_final(void) {
  return THREAD.final != 0;
}
