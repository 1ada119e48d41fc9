/* Emulates schedulers whose idle workers take tasks from others: Cilk's work stealing, OpenMP tasks, and the greedy
   scheduler of theory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

static void free_all(struct stealing *stealing) {
  for (unsigned i = 0; i < stealing->machine->processors; i++)
    free(stealing->workers[i].deque);
  for (struct activation *next; stealing->free != NULL; stealing->free = next) {
    next = stealing->free->parent;
    free(stealing->free);
  }
  free(stealing->workers);
  free(stealing->costs.node);
  free(stealing->costs.serial);
  free(stealing->costs.before);
  heap_free(&stealing->heap);
  locks_free(&stealing->locks);
}

/* Computes the losses.  Imbalance is the time that no other loss explains.  */
static struct forecast sum_up(struct stealing *stealing) {
  struct forecast *forecast = &stealing->forecast;
  const struct tree_node *root = tree_root(stealing->tree);
  double spawns = stealing->costs.node[root - stealing->tree->nodes] - root->work;
  forecast->time = stealing->now;
  forecast->cut = !stealing->finished && forecast->steps >= stealing->most_steps;
  forecast->deadlock = !stealing->finished && !forecast->cut;
  forecast->overhead += spawns > 0 ? spawns : 0;
  locks_sum(&stealing->locks, forecast);
  forecast->imbalance = forecast->time * stealing->machine->processors - root->work - forecast->overhead -
                        forecast->serial - forecast->locked;
  if (forecast->imbalance < 0)
    forecast->imbalance = 0;
  return *forecast;
}

/* Handles events until the program ends.  */
static void run(struct stealing *stealing) {
  worker_go_on(stealing, &stealing->workers[0]);
  for (thieves_serve(stealing); !stealing->finished && stealing->heap.count > 0; thieves_serve(stealing)) {
    if (stealing->forecast.steps >= stealing->most_steps)
      break;
    struct event event = heap_pop(&stealing->heap);
    struct worker *worker = &stealing->workers[event.thread];
    if (event.stamp != worker->stamp)
      continue;
    if (event.time > stealing->now)
      stealing->now = event.time;
    stealing->current = event.thread;
    if (worker->top == NULL)
      thief_arrives(stealing, worker);
    else
      worker_go_on(stealing, worker);
  }
}

struct forecast emulate_stealing(const struct task_tree *tree, const struct schedule *schedule,
                                 const struct machine *machine) {
  struct stealing stealing = {.tree = tree,
                              .machine = machine,
                              .kind = schedule->kind,
                              .locks = locks_make(tree->lock_count),
                              .workers = allocate(machine->processors, sizeof *stealing.workers),
                              .most_steps = machine->most_steps > 0 ? machine->most_steps : UINT64_MAX,
                              .random = machine->seed};
  costs_find(&stealing);
  activation_push(
      &stealing, &stealing.workers[0],
      (struct activation){.kind = IN_SEQUENCE,
                          .node = tree_root(tree),
                          .left = tree_root(tree)->count > 0 ? children_of(tree, tree_root(tree))->repeat : 0});
  for (unsigned i = 1; i < machine->processors; i++)
    worker_idle(&stealing, &stealing.workers[i]);
  run(&stealing);
  struct forecast forecast = sum_up(&stealing);
  free_all(&stealing);
  return forecast;
}
