/* Regions: the threads of a team, their barriers, and the loops that they divide.
   SPDX-License-Identifier: MIT

   A barrier takes the longest path of all threads, and of the tasks that they made since the barrier before.  Before a
   thread comes to the barrier after the next one, all have left this one, so two places are enough.  */

#include "libcilkprof/paths/internal.h"

struct team *paths_team_new(struct task *creator, uint32_t site) {
  struct team *team = block_take();
  if (!team)
    return NULL;
  atomic_store_explicit(&team->references, 1, memory_order_relaxed);
  team->site = site;
  path_fork(&team->begin, &creator->path);
  return team;
}

void paths_team_release(struct team *team) {
  if (atomic_fetch_sub_explicit(&team->references, 1, memory_order_acq_rel) != 1)
    return;
  path_drop(&team->begin);
  for (int i = 0; i < 2; i++) {
    path_drop(&team->barrier[i]);
    path_drop(&team->ends[i].longest);
  }
  for (int i = 0; team->divided && i < DIVIDED; i++) {
    if (team->divided[i].shares)
      block_give(team->divided[i].shares);
    chunks_release(team->divided[i].chunks);
  }
  if (team->divided)
    block_give(team->divided);
  if (team->shares)
    block_give(team->shares);
  block_give(team);
}

struct task *paths_team_task(struct team *team, uint32_t size, uint32_t index) {
  struct task *task = block_take();
  if (!task)
    return NULL;
  atomic_store_explicit(&task->references, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&team->references, 1, memory_order_relaxed);
  atomic_store_explicit(&team->size, size, memory_order_relaxed);
  task->index = index;
  task->team = team;
  task->is_thread = true;
  task->site = task->inside = team->site;
  path_fork(&task->path, &team->begin);
  task->path.burdened_span += paths_burden_ns;
  task->began_span = task->path.span;
  invocation_begins(task, team->site);
  return task;
}

/* Tells the team of TASK what TASK has done since it told that last.  The team is locked.  */
static void report_work(struct task *task) {
  atomic_fetch_add_explicit(&task->team->work, task->own - task->reported, memory_order_relaxed);
  share_add(&task->team->shares, task, task->own - task->reported - (task->divided - task->shared));
  task->reported = task->own;
  task->shared = task->divided;
}

void paths_barrier_begin(struct task *task) {
  struct team *team = task->team;
  paths_wait_begin(task);
  if (!team)
    return;
  lock(&team->locked);
  report_work(task);
  path_longer(&team->barrier[task->phase], &task->path);
  unlock(&team->locked);
}

void paths_barrier_end(struct task *task) {
  struct team *team = task->team;
  paths_wait_end(task);
  if (!team)
    return;
  lock(&team->locked);
  path_longer(&task->path, &team->barrier[task->phase]);
  unlock(&team->locked);
  go_on_from_meeting(&task->path, &team->ends[task->phase]);
  task->path.burdened_span += paths_burden_ns;
  task->phase ^= 1;
}

void paths_team_task_end(struct task *task) {
  struct team *team = task->team;
  lock(&team->locked);
  report_work(task);
  path_longer(&team->barrier[0], &task->path);
  unlock(&team->locked);
  paths_task_release(task);
}

void paths_team_end(struct team *team, struct task *creator) {
  uint64_t began = team->begin.span, began_burdened = team->begin.burdened_span;
  lock(&team->locked);
  for (int i = 0; i < 2; i++) {
    path_longer(&creator->path, &team->barrier[i]);
    go_on_from_meeting(&creator->path, &team->ends[i]);
  }
  uint64_t work = atomic_load_explicit(&team->work, memory_order_relaxed);
  struct shares *shares = team->shares;
  team->shares = NULL;
  unlock(&team->locked);
  creator->path.burdened_span += paths_burden_ns;
  creator->own += work;
  invocation_ends(creator, team->site, work, creator->path.span - began, creator->path.burdened_span - began_burdened,
                  true);
  shares_end(&(struct divided){.site = team->site, .shares = shares}, team->size, creator);
}

struct divided *divided_next(struct task *task, uint32_t site) {
  struct team *team = task->team;
  if (!team->divided)
    team->divided = block_take();
  if (!team->divided)
    return NULL;
  struct divided *all = &team->divided[task->divided_count % DIVIDED];
  if (all->number == task->divided_count && all->site == site)
    return all;
  if (all->shares)
    block_give(all->shares);
  chunks_release(all->chunks);
  *all = (struct divided){.number = task->divided_count, .site = site};
  return all;
}

/* Adds WORK to what TASK's team, which is locked, divides at SITE.  Returns that if all threads have ended their
   shares, else one that nobody has.  */
static struct divided add_share(struct task *task, uint32_t site, uint64_t work) {
  struct divided *all = divided_next(task, site), ended = {0};
  task->divided_count++;
  if (!all)
    return ended;
  share_add(&all->shares, task, work);
  all->work += work;
  all->longest = work > all->longest ? work : all->longest;
  if (++all->ended < task->team->size)
    return ended;
  ended = *all;
  *all = (struct divided){0};
  return ended;
}

void share_ends(struct task *task, uint32_t site, uint64_t work) {
  struct team *team = task->team;
  path_add(&task->path, key_of(KEY_WHOLE, site), (struct part){.count = 1, .work = work, .span = work});
  task->divided += work;
  if (!team)
    return;
  lock(&team->locked);
  struct divided ended = add_share(task, site, work);
  unlock(&team->locked);
  if (!ended.ended)
    return;
  enum cilkprof_construct kind = paths_site_at(site)->kind;
  if (kind == CILKPROF_CONSTRUCT_LOOP || kind == CILKPROF_CONSTRUCT_DISTRIBUTE)
    shares_end(&ended, team->size, task);
  else
    shares_drop(&ended);
  struct cilkprof_measure *whole = &sums_of(site)->whole;
  whole->count++;
  whole->work += ended.work;
  whole->span += ended.longest;
  whole->burdened_span += ended.longest;
}
