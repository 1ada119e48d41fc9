/* Dependences among the tasks that one task creates.
   SPDX-License-Identifier: MIT

   For each address a task remembers the longest paths to the ends of children that read it, and of those that wrote it.
   The runtime runs a child only when those before it have ended, so at that moment these are the paths to join.  */

#include "libcilkprof/paths/internal.h"

struct dependence {
  struct dependence *next; /* of the same creator */
  const void *address;
  struct path read, written;
};

/* What a task depends on: the dependences of its creator, each with a mark in the lowest bit if it writes.  */
enum { NEEDS = (BLOCK_SIZE - sizeof(struct block)) / sizeof(uintptr_t), WRITES = 1 };
struct needs {
  struct block block;
  uintptr_t list[NEEDS];
};
_Static_assert(sizeof(struct needs) <= BLOCK_SIZE, "the list is a block");

/* Returns the dependence of CREATOR, which is locked, on ADDRESS; NULL if there is no memory.  The one that was used
   last is the first.  */
static struct dependence *find(struct task *creator, const void *address) {
  struct dependence **link = &creator->dependences, *found = *link;
  while (found && found->address != address) {
    link = &found->next;
    found = *link;
  }
  if (found)
    *link = found->next;
  else if ((found = block_take()) != NULL)
    found->address = address;
  else
    return NULL;
  found->next = creator->dependences;
  creator->dependences = found;
  return found;
}

void paths_depend(struct task *task, const void *address, bool written) {
  struct task *creator = task->creator;
  if (!creator)
    return;
  if (!task->needs || task->needs->count == NEEDS) {
    struct needs *more = block_take();
    if (!more)
      return;
    more->block.next = task->needs;
    task->needs = &more->block;
  }
  lock(&creator->locked);
  struct dependence *found = find(creator, address);
  unlock(&creator->locked);
  struct needs *needs = (struct needs *)task->needs;
  if (found)
    needs->list[needs->block.count++] = (uintptr_t)found | (written ? WRITES : 0);
}

/* Calls VISIT for each dependence of TASK.  Its creator is locked.  */
static void visit_needs(struct task *task, void (*visit)(struct task *task, struct dependence *on, bool written)) {
  for (const struct block *block = task->needs; block; block = block->next)
    for (uint64_t i = 0; i < block->count; i++) {
      uintptr_t need = ((const struct needs *)block)->list[i];
      visit(task, (struct dependence *)(need & ~(uintptr_t)WRITES), need & WRITES);
    }
}

/* TASK begins: it goes on from the ends of those that wrote, and if it writes from those of all.  */
static void go_on_from(struct task *task, struct dependence *on, bool written) {
  path_longer(&task->path, &on->written);
  if (written)
    path_longer(&task->path, &on->read);
}

/* TASK has ended: others may go on from there.  */
static void let_go_on(struct task *task, struct dependence *on, bool written) {
  path_longer(written ? &on->written : &on->read, &task->path);
}

void paths_dependences_met(struct task *task) {
  if (!task->needs)
    return;
  lock(&task->creator->locked);
  visit_needs(task, go_on_from);
  unlock(&task->creator->locked);
}

void paths_dependences_end(struct task *task) {
  if (!task->needs)
    return;
  lock(&task->creator->locked);
  visit_needs(task, let_go_on);
  unlock(&task->creator->locked);
  for (struct block *block = task->needs, *next; block; block = next) {
    next = block->next;
    block_give(block);
  }
  task->needs = NULL;
}

void paths_forget_dependences(struct task *task) {
  for (struct dependence *each = task->dependences, *next; each; each = next) {
    next = each->next;
    path_drop(&each->read);
    path_drop(&each->written);
    block_give(each);
  }
  task->dependences = NULL;
}
