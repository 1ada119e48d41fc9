/* Tasks: spawned blocks, unless they are not deferred.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/engine/tasks/paths.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/memory.h"

/* By how much the longest of the tasks that were left goes on behind what left them; and the path to its end, as a
   difference to the one on the log.  */
struct left_tasks {
  const frame_t *outer;         /* whose they are; NULL: none were left */
  const frame_t *maker;         /* the same of a task that was a call: what called it */
  uint64_t more, burdened_more; /* modulo 2^64 where they are another frame's: they may have ended before */
  lanes_t lanes_more;           /* the same */
  uint64_t own;                 /* what left them did that is not on that path */
  entry_t *entries;
  size_t count, room;
};

EXPORT uint64_t __cilkprof_task_begin(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called,
                                      uint64_t deferred, uint64_t flags, const void *depend) {
  int included = !deferred || !THREAD.deferring;
  const block_t *before = frame->block;
  if (included && depend && THREAD.team)
    __cilkprof_wait_for(frame, local_work, depend);
  uint64_t kind = (included ? __CILKPROF_BLOCK_CALL : __CILKPROF_BLOCK_SPAWN) | __CILKPROF_BLOCK_TASK;
  uint64_t work = __cilkprof_block_begin(frame, local_work, included ? called : spawned, kind);
  if (frame->block == before)
    return work; /* it is untracked */
  frame->block->depend = included ? NULL : depend;
  set_team(THREAD.team, THREAD.final | ((flags & __CILKPROF_TASK_FINAL) != 0));
  return work;
}

static struct left_tasks *left_tasks(void) {
  struct profiled_tasks *tasks = &profiled_thread()->tasks;
  if (!tasks->left)
    tasks->left = __cilkprof_allocate(sizeof *tasks->left);
  return tasks->left;
}

/* Without memory for them they are not on the span's log.  */
static void keep_entries(struct left_tasks *left, struct cilkprof_sum sum) {
  left->count = 0;
  if (sum.count > left->room) {
    left->room = 0;
    left->entries = __cilkprof_reserve(2 * sum.count * sizeof(entry_t));
    if (!left->entries) {
      flag(CILKPROF_NO_ON_SPAN);
      return;
    }
    left->room = 2 * sum.count;
  }
  if (sum.count)
    memcpy(left->entries, sum.entries, sum.count * sizeof(entry_t));
  left->count = sum.count;
}

static void left_none(struct left_tasks *left) {
  left->more = left->burdened_more = 0;
  profiled_thread()->tasks.go_on = 0;
  left->lanes_more = (lanes_t){};
}

static int goes_on(struct left_tasks *left) {
  lanes_t lanes = {};
  profiled_thread()->tasks.go_on = (int64_t)left->more > 0 || (int64_t)left->burdened_more > 0;
  return left->more || left->burdened_more || __cilkprof_lanes_lengthen(&lanes, left->lanes_more);
}

/* What FRAME is the state of ends, and does not wait for its tasks: the longest of them is left to OUTER, or if that is
   NULL to whatever waits for all.  Returns whether there are any, for the latter only if they go on.  */
static int leave_tasks(frame_t *frame, uint64_t local_work, const frame_t *outer) {
  struct left_tasks *left = THREAD.recording ? left_tasks() : NULL;
  if (left)
    left_none(left);
  if (frame->spawned != __CILKPROF_CHILDREN_TASKS || !left) {
    __cilkprof_h_sync(frame, local_work);
    return 0;
  }
  uint64_t own = local_work - frame->off_span, end = frame->span + own,
           burdened_end = frame->burdened_span + local_work - frame->off_burdened_span;
  lanes_t lanes_end = __cilkprof_lanes_here(frame, local_work);
  left->outer = outer;
  left->more = outer ? frame->longest_span - end : beyond(frame->longest_span, end);
  left->burdened_more = outer ? frame->longest_burdened - burdened_end : beyond(frame->longest_burdened, burdened_end);
  left->lanes_more = outer ? __cilkprof_lanes_minus(longest_lanes(frame), lanes_end)
                           : __cilkprof_lanes_beyond(longest_lanes(frame), lanes_end);
  if (frame->longest_span >= end || frame->longest_burdened > burdened_end)
    flag(CILKPROF_TASKS);
  if (outer || left->more) {
    __cilkprof_sum_begin();
    __cilkprof_sum_add(frame->longest_start, frame->longest_end, 1);
    __cilkprof_sum_add(frame->longest_end + 1, frame->top, -(uint64_t)1);
    keep_entries(left, __cilkprof_sum_end());
    left->own = own - frame->longest_own;
  }
  __cilkprof_p_hole(frame);
  frame->segment = frame->base;
  frame->spawned = 0;
  return goes_on(left) || outer;
}

/* A task may also have been left with tasks of those that it made.  HERE is the path to its own end.  Returns whether
   anything of either goes on.  */
static int leave_deep(struct left_tasks *left, const struct path *deep, const struct path *here) {
  uint64_t more = deep ? beyond(deep->span, here->span) : 0,
           burdened = deep ? beyond(deep->burdened_span, here->burdened_span) : 0;
  if (deep)
    __cilkprof_lanes_lengthen(&left->lanes_more, __cilkprof_lanes_beyond(deep->lanes, here->lanes));
  if (burdened > left->burdened_more)
    left->burdened_more = burdened;
  if (more > left->more) {
    left->more = more;
    left->own = 0;
    keep_entries(left, __cilkprof_difference(deep, here));
  }
  return goes_on(left);
}

static int end_task(frame_t *frame, uint64_t local_work) {
  if (!frame->spawned && !frame->block->region)
    return 0;
  const struct path *deep = __cilkprof_keeps_paths() ? __cilkprof_deep(&frame->block->region) : NULL;
  if (deep)
    __cilkprof_path_here(frame, local_work, 0, __cilkprof_scratch(0));
  leave_tasks(frame, local_work, NULL);
  struct left_tasks *left = profiled_thread()->tasks.left;
  if (!left)
    return 0;
  if (deep)
    __cilkprof_length_here(frame, local_work, 0, __cilkprof_scratch(0));
  return leave_deep(left, deep, deep ? __cilkprof_scratch(0) : NULL);
}

/* The path to the end of the task that FRAME called, from its beginning; its totals are in the return slots.  */
static const struct path *path_of_called(const frame_t *frame, const site_t *site) {
  struct path *path = __cilkprof_scratch(0);
  entry_t own = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN,
                 .local_off_span = THREAD.local_off_span - THREAD.local_work};
  __cilkprof_sum_begin();
  __cilkprof_sum_add(frame->top, __cilkprof_p_log_top(), 1);
  __cilkprof_sum_add(&own, &own + 1, 1);
  __cilkprof_set_entries(path, __cilkprof_sum_end());
  path->span = THREAD.span;
  path->burdened_span = THREAD.burdened_span;
  path->lanes = slot_lanes();
  return path;
}

/* The same of a task that was a call.  What it left itself is known since it returned.  */
static int end_called_task(frame_t *frame, const site_t *site) {
  const struct path *deep = __cilkprof_keeps_paths() ? __cilkprof_deep(&frame->region) : NULL;
  struct left_tasks *left = THREAD.recording ? left_tasks() : NULL;
  if (!left)
    return 0;
  if (left->maker != frame)
    left_none(left);
  left->maker = NULL;
  int more = leave_deep(left, deep, deep ? path_of_called(frame, site) : NULL);
  __cilkprof_call_region_ended(frame);
  return more;
}

void __cilkprof_join_all(frame_t *frame, uint64_t local_work) {
  const struct path *deep = __cilkprof_deep(frame->block ? &frame->block->region : NULL);
  if (deep && __cilkprof_keeps_paths()) {
    __cilkprof_path_here(frame, local_work, 1, __cilkprof_scratch(0));
    __cilkprof_join_path(frame, local_work, deep, __cilkprof_scratch(0));
  }
  __cilkprof_h_sync(frame, local_work);
  __cilkprof_p_lanes_sync(frame, local_work); /* a lane may be longer where the span is not */
}

int __cilkprof_block_joins(frame_t *frame, uint64_t local_work) {
  const block_t *block = frame->block;
  if (block->kind == __CILKPROF_BLOCK_CALL && block->flags & __CILKPROF_BLOCK_OPEN)
    return leave_tasks(frame, local_work, frame);
  if (block->flags & __CILKPROF_BLOCK_TASK && block->kind != __CILKPROF_BLOCK_LOOP)
    return end_task(frame, local_work);
  __cilkprof_join_all(frame, local_work);
  return 0;
}

/* A task has ended and left others behind: by so much their end is later than here.  Its own part of that is MORE, with
   entries from START to END of the log; or what PATH has more than HERE.  Whatever waits for all waits for them.  */
struct behind {
  struct path more;
  const entry_t *start, *end;
  const struct path *path, *here;
};

static void note_deep(frame_t *frame, uint64_t local_work, const site_t *site, const struct behind *behind) {
  struct left_tasks *left = profiled_thread()->tasks.left;
  struct path *deep = __cilkprof_scratch(2);
  profiled_thread()->tasks.go_on = 0;
  __cilkprof_reach_holder(frame);
  uint64_t *holder = __cilkprof_length_here(frame, local_work, 1, deep);
  struct access *access = holder ? __cilkprof_access(holder, NULL) : NULL;
  uint64_t span = deep->span + left->more + behind->more.span,
           burdened_span = deep->burdened_span + left->burdened_more + behind->more.burdened_span;
  lanes_t lanes = __cilkprof_lanes_plus(deep->lanes, left->lanes_more);
  lanes = __cilkprof_lanes_plus(lanes, behind->more.lanes);
  if (access)
    __cilkprof_lanes_lengthen(&access->paths[DEEP].lanes, lanes);
  if (!access || (span <= access->paths[DEEP].span && burdened_span <= access->paths[DEEP].burdened_span))
    return;
  entry_t part = {.key = (uint64_t)site | __CILKPROF_ENTRY_PLAIN, .local_off_span = left->own};
  __cilkprof_path_here(frame, local_work, 1, deep);
  __cilkprof_sum_begin();
  __cilkprof_sum_path(deep, 1);
  __cilkprof_sum_add(behind->start, behind->end, 1);
  if (left->more) {
    __cilkprof_sum_add(left->entries, left->entries + left->count, 1);
    __cilkprof_sum_add(&part, &part + 1, 1);
  }
  if (behind->path) {
    __cilkprof_sum_path(behind->path, 1);
    __cilkprof_sum_path(behind->here, -(uint64_t)1);
  }
  __cilkprof_set_entries(deep, __cilkprof_sum_end());
  deep->span = span;
  deep->burdened_span = burdened_span;
  deep->lanes = lanes;
  deep->root_invocation = deep->burdened_root_invocation = __cilkprof_root_invocation();
  __cilkprof_keep_path(&access->paths[DEEP], deep, frame);
}

/* A task, a section or a loop whose end nothing waits for yet.  */
void __cilkprof_task_returned(frame_t *frame, uint64_t local_work, const block_t *block, site_t *site, int left) {
  uint64_t before = frame->spawned, own = local_work - frame->off_span,
           burdened_own = __cilkprof_p_own_to_task(frame, local_work);
  uint64_t span = THREAD.span, burdened_span = THREAD.burdened_span;
  const struct path *path = NULL, *here = NULL;
  entry_t *start = frame->segment, *top = __cilkprof_p_book(site, start, frame->key);
  lanes_t lanes = slot_lanes();
  if (block && block->depend && __cilkprof_keeps_paths())
    path = __cilkprof_path_of_dependent(frame, block, top);
  if (path) {
    here = __cilkprof_scratch(1);
    span = path->span - here->span;
    burdened_span = path->burdened_span - here->burdened_span - THREAD.burden;
    lanes = __cilkprof_lanes_minus(path->lanes, here->lanes);
  }
  if (left && __cilkprof_keeps_paths())
    note_deep(frame, local_work, site,
              &(struct behind){{.span = span, .burdened_span = THREAD.burden + burdened_span, .lanes = lanes},
                               path ? top : start,
                               top,
                               path,
                               here});
  if (span > THREAD.span) {
    flag(CILKPROF_TASKS);
    top = __cilkprof_log_push(start, __cilkprof_difference(path, here));
  }
  frame->site = 0;
  frame->work += THREAD.work;
  __cilkprof_p_child(frame, top, own, frame->span + own + span, burdened_own,
                     frame->burdened_span + burdened_own + burdened_span);
  frame->off_burdened_span -= THREAD.burden / __CILKPROF_MAKING;
  __cilkprof_lanes_task(frame, local_work, lanes);
  if (before != __CILKPROF_CHILDREN_JOINED)
    frame->spawned = __CILKPROF_CHILDREN_TASKS;
}

void __cilkprof_included_returned(frame_t *frame, uint64_t local_work, site_t *site) {
  if (__cilkprof_keeps_paths())
    note_deep(frame, local_work, site, &(struct behind){.start = NULL});
}

/* It left something behind.  */
static __attribute__((noinline)) void leaving_task_returned(frame_t *frame, uint64_t local_work) {
  uint64_t kind = frame->site & __CILKPROF_CALL_KIND;
  site_t *site = called_site(frame);
  int left = kind & __CILKPROF_CALL_LEFT && end_called_task(frame, site);
  if (kind & __CILKPROF_CALL_SPAWN)
    __cilkprof_task_returned(frame, local_work, NULL, site, left);
  else {
    __cilkprof_h_returned(frame, site);
    __cilkprof_paths_left(frame, NULL, site);
    if (left)
      __cilkprof_included_returned(frame, local_work, site);
  }
}

/* A frame that is shared by several has no call under way.  */
EXPORT void __cilkprof_task_call_returned(frame_t *frame, uint64_t local_work) {
  site_t *site = called_site(frame);
  if (frame->site & __CILKPROF_CALL_FINAL) {
    frame->site -= __CILKPROF_CALL_FINAL;
    set_team(THREAD.team, 0);
  }
  if (__CILKPROF_RARE(!site))
    return;
  if (__CILKPROF_RARE(frame->site & __CILKPROF_CALL_LEFT))
    leaving_task_returned(frame, local_work);
  else if (frame->site & __CILKPROF_CALL_SPAWN)
    __cilkprof_p_task_returned(frame, local_work, returned(site, frame->segment, frame->key));
  else
    __cilkprof_p_returned(frame, returned(site, frame->segment, frame->key));
}

/* Whether what called FRAME's function goes on in the same task, or called that as a task, and looks at what was
   left.  */
static frame_t *adopting(frame_t *frame) {
  if (frame < THREAD.frames_end && frame[-1].site & __CILKPROF_CALL_TASK)
    return frame - 1;
  struct cilkprof_enclosing enclosing = __cilkprof_innermost(frame, 0);
  return frame < THREAD.frames_end && __cilkprof_step_out(&enclosing) && enclosing.frame == frame - 1 ? frame - 1
                                                                                                      : NULL;
}

/* The function returns.  Main, and what other code called, waits.  */
EXPORT void __cilkprof_tasks_leave(frame_t *frame, uint64_t local_work) {
  frame_t *caller = frame->spawned == __CILKPROF_CHILDREN_TASKS ? adopting(frame) : NULL;
  int ends = caller && caller->site & __CILKPROF_CALL_TASK;
  if (!caller)
    __cilkprof_h_sync(frame, local_work);
  else if (leave_tasks(frame, local_work, ends ? NULL : caller)) {
    profiled_thread()->tasks.left->maker = ends ? caller : NULL;
    left_behind(caller);
  }
}

/* What SITE called has returned to FRAME, or a block in it has ended: tasks that were left there are its own now.  */
EXPORT void __cilkprof_adopt(frame_t *frame, uint64_t local_work, site_t *site) {
  struct left_tasks *left = profiled_thread()->tasks.left;
  __cilkprof_paths_left(frame, NULL, site);
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

/* What the program asks for by that name.  */
extern EXPORT int __cilkprof_omp_in_final(void);
int __cilkprof_omp_in_final(void) {
  return THREAD.final != 0;
}
