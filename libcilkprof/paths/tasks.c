/* Tasks: what they fork, and what they wait for.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/paths/internal.h"

/* Returns the bit for SITE in a set of sites.  */
static uint64_t bit_of(uint32_t site) {
  return UINT64_C(1) << (site & 63);
}

/* Returns whether TASK or a task around it is of SITE.  */
static bool is_around(const struct task *task, uint32_t site) {
  if (!(task->sites & bit_of(site)))
    return false;
  for (; task; task = task->creator)
    if (task->site == site)
      return true;
  return false;
}

/* Returns a task at SITE that CREATOR, or nobody, makes; NULL if there is no memory.  It goes on where CREATOR is.  */
static struct task *new_task(struct task *creator, uint32_t site) {
  struct task *task = block_take();
  if (!task)
    return NULL;
  atomic_store_explicit(&task->references, 1, memory_order_relaxed);
  task->site = task->inside = site;
  task->outermost = !creator || !is_around(creator, site);
  task->sites = bit_of(site);
  if (!creator)
    return task;
  atomic_fetch_add_explicit(&creator->references, 1, memory_order_relaxed);
  task->creator = creator;
  task->sites |= creator->sites;
  return task;
}

/* Notes that TASK begins where PATH is.  */
static void begin_at(struct task *task, const struct path *path) {
  path_fork(&task->path, path);
  task->path.burdened_span += paths_burden_ns;
  task->began_span = task->path.span;
  task->began_burdened = task->path.burdened_span;
}

void invocation_begins(struct task *task, uint32_t site) {
  sums_of(site)->count++;
  path_add(&task->path, key_of(KEY_LOCAL, site), (struct part){.count = 1});
}

struct task *paths_first_task(void) {
  struct task *task = new_task(NULL, 0);
  if (task)
    invocation_begins(task, 0);
  return task;
}

struct task *paths_task_new(struct task *creator, uint32_t site, bool awaited) {
  struct task *task = new_task(creator, site);
  if (!task)
    return NULL;
  task->awaited = awaited;
  task->phase = creator->phase;
  task->group = creator->group;
  if (task->group)
    atomic_fetch_add_explicit(&task->group->references, 1, memory_order_relaxed);
  task->team = creator->team; /* which outlives it */
  begin_at(task, &creator->path);
  return task;
}

void paths_task_begin(struct task *task) {
  task->begun = true;
  paths_dependences_met(task);
  task->began_span = task->path.span;
  task->began_burdened = task->path.burdened_span;
  invocation_begins(task, task->site);
}

void invocation_ends(struct task *task, uint32_t site, uint64_t work, uint64_t span, uint64_t burdened,
                     bool outermost) {
  if (!outermost)
    return;
  struct cilkprof_measure *whole = &sums_of(site)->whole;
  whole->count++;
  whole->work += work;
  whole->span += span;
  whole->burdened_span += burdened;
  path_add(&task->path, key_of(KEY_WHOLE, site), (struct part){.count = 1, .work = work, .span = span});
}

/* Releases a reference to GROUP.  */
static void release_group(struct task_group *group) {
  if (atomic_fetch_sub_explicit(&group->references, 1, memory_order_acq_rel) == 1) {
    path_drop(&group->ends.longest);
    block_give(group);
  }
}

/* Adds the work of TASK, which ends, to its creator's and its team's, and its path to those that wait for it.  */
static void report_end(struct task *task) {
  struct task *creator = task->creator;
  uint64_t below = atomic_load_explicit(&task->below, memory_order_relaxed);
  atomic_fetch_add_explicit(&creator->below, task->own + below, memory_order_relaxed);
  meet(&creator->children, &task->path);
  if (task->group)
    meet(&task->group->ends, &task->path);
  if (task->team) {
    atomic_fetch_add_explicit(&task->team->work, task->own, memory_order_relaxed);
    meet(&task->team->ends[task->phase], &task->path);
  }
}

void paths_task_end(struct task *task) {
  if (!task->creator)
    return;
  uint64_t below = atomic_load_explicit(&task->below, memory_order_relaxed);
  invocation_ends(task, task->site, task->own + below, task->path.span - task->began_span,
                  task->path.burdened_span - task->began_burdened, task->outermost);
  report_end(task);
  paths_dependences_end(task);
  if (task->awaited)
    path_longer(&task->creator->path, &task->path);
  path_drop(&task->path);
  if (task->group)
    release_group(task->group);
  task->group = NULL;
  paths_task_release(task);
}

void paths_task_release(struct task *task) {
  while (task && atomic_fetch_sub_explicit(&task->references, 1, memory_order_acq_rel) == 1) {
    struct task *creator = task->creator;
    if (task->is_thread)
      paths_team_release(task->team);
    paths_forget_dependences(task);
    path_drop(&task->path);
    path_drop(&task->children.longest);
    path_drop(&task->chunks);
    block_give(task);
    task = creator;
  }
}

void paths_wait_begin(struct task *task) {
  paths_strand_ends();
  task->waits = true;
}

void paths_wait_end(struct task *task) {
  paths_strand_ends();
  task->waits = false;
}

void paths_join_children(struct task *task) {
  go_on_from_meeting(&task->path, &task->children);
  task->path.burdened_span += paths_burden_ns;
}

void paths_group_begin(struct task *task) {
  struct task_group *group = block_take();
  if (!group)
    return;
  atomic_store_explicit(&group->references, 1, memory_order_relaxed);
  group->outer = task->group;
  task->group = group;
}

void paths_group_end(struct task *task) {
  struct task_group *group = task->group;
  if (!group)
    return;
  go_on_from_meeting(&task->path, &group->ends);
  task->path.burdened_span += paths_burden_ns;
  task->group = group->outer;
  release_group(group);
}

void paths_enter(struct task *task, uint32_t site) {
  paths_strand_ends();
  task->inside = site;
  task->inside_work = task->own;
  invocation_begins(task, site);
}

void paths_leave(struct task *task, bool divided) {
  paths_strand_ends();
  uint32_t site = task->inside;
  uint64_t work = task->own - task->inside_work;
  if (task->in_chunks)
    chunks_end(task, site);
  task->inside = task->site;
  if (divided)
    share_ends(task, site, work);
  else
    invocation_ends(task, site, work, work, work, true);
}

void paths_hold(struct task *task, uint32_t site) {
  if (task->holds++ > 0)
    return;
  paths_strand_ends();
  task->outside = task->inside;
  task->inside = site;
  task->held_work = task->own;
  invocation_begins(task, site);
}

void paths_let_go(struct task *task) {
  if (task->holds == 0 || --task->holds > 0)
    return;
  paths_strand_ends();
  uint32_t site = task->inside;
  uint64_t work = task->own - task->held_work;
  task->inside = task->outside;
  invocation_ends(task, site, work, work, work, true);
}
