/* Tasks by their numbers.
   SPDX-License-Identifier: MIT  */

#include <sys/mman.h>

#include "libcilkprof/sampler/hand/hand.h"
#include "libcilkprof/sampler/origins.h"

enum { PLACE_BITS = 22, MOST_TASKS = 1 << PLACE_BITS };

static struct hand_task *_Atomic tasks;   /* MOST_TASKS, of which memory is taken where they are used */
static _Atomic uint64_t free_tasks;       /* the place of one that is free, plus 1, and above it how often it changed */
static _Atomic uint32_t used_count, left; /* how many were ever used, and how many tasks are not over */

/* Returns the room for all tasks; NULL if there is no memory.  */
static struct hand_task *all_tasks(void) {
  struct hand_task *all = atomic_load(&tasks), *none = NULL;
  if (all)
    return all;
  size_t size = sizeof *all * MOST_TASKS;
  all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED || atomic_compare_exchange_strong(&tasks, &none, all))
    return all == MAP_FAILED ? NULL : all;
  munmap(all, size);
  return none;
}

/* Returns room for a task; NULL if there is none.  */
static struct hand_task *take_room(void) {
  struct hand_task *all = all_tasks();
  uint64_t first = atomic_load(&free_tasks), next;
  while (all && (uint32_t)first) {
    next = ((first >> 32) + 1) << 32 | atomic_load(&all[(uint32_t)first - 1].next_free);
    if (atomic_compare_exchange_weak(&free_tasks, &first, next))
      return &all[(uint32_t)first - 1];
  }
  uint32_t place = atomic_load(&used_count);
  while (all && place < MOST_TASKS)
    if (atomic_compare_exchange_weak(&used_count, &place, place + 1))
      return &all[place];
  return NULL;
}

/* TASK is room for another one.  */
static void give_room(struct hand_task *task) {
  uint32_t place = (uint32_t)(task - atomic_load(&tasks)) + 1;
  uint64_t first = atomic_load(&free_tasks);
  atomic_store(&task->state, 0);
  do
    atomic_store(&task->next_free, (uint32_t)first);
  while (!atomic_compare_exchange_weak(&free_tasks, &first, ((first >> 32) + 1) << 32 | place));
}

struct hand_task *hand_task_new(struct hand_task *creator, uint32_t site) {
  struct hand_task *made = take_room();
  if (!made)
    return NULL;
  made->task = paths_task_new(creator->task, site, false);
  if (!made->task) {
    give_room(made);
    return NULL;
  }
  made->number = ((made->number >> PLACE_BITS) + 1) << PLACE_BITS | (uint64_t)(made - atomic_load(&tasks));
  made->creator = creator;
  made->forked = made->waits = false;
  creator->forked = true;
  atomic_fetch_add(&creator->open, 1);
  atomic_fetch_add(&left, 1);
  atomic_store(&made->open, 1);
  atomic_store(&made->state, made->number << 2 | HAND_SPAWNED);
  return made;
}

struct hand_task *hand_task_moves(uint64_t number, enum hand_phase from, enum hand_phase to) {
  uint64_t place = number & (MOST_TASKS - 1), state = number << 2 | from;
  struct hand_task *all = atomic_load(&tasks);
  if (number >> 62 || place >= atomic_load(&used_count) ||
      !atomic_compare_exchange_strong(&all[place].state, &state, number << 2 | to))
    return NULL;
  return &all[place];
}

void hand_task_over(struct hand_task *task) {
  while (atomic_fetch_sub(&task->open, 1) == 1) {
    struct hand_task *creator = task->creator;
    if (task->forked)
      paths_join_children(task->task);
    paths_task_end(task->task);
    release_origin_to_hand(task->origin);
    give_room(task);
    atomic_fetch_sub(&left, 1);
    task = creator;
  }
}

uint32_t hand_tasks_left(void) {
  return atomic_load(&left);
}

bool hand_task_any(void) {
  return atomic_load(&used_count) > 0;
}
