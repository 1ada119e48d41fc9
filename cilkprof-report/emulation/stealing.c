/* Emulates schedulers whose idle workers take tasks from others: Cilk's work stealing, OpenMP tasks, and the greedy
   scheduler of theory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

/* Frees the workers, costs, events and locks of an emulation of work stealing.  */
static void free_emulated_workers(struct stealing *stealing) {
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
  free_emulated_events(&stealing->heap);
  free_emulated_locks(&stealing->locks);
}

/* Completes the forecast of an emulation of work stealing with its time and losses, and returns it.  Imbalance is the
   time that no other loss explains.  */
static struct forecast sum_emulated_stealing_losses(struct stealing *stealing) {
  struct forecast *forecast = &stealing->forecast;
  const struct tree_node *root = emulated_tree_root(stealing->tree);
  double spawns = stealing->costs.node[root - stealing->tree->nodes] - root->work;
  forecast->time = stealing->now;
  forecast->cut = !stealing->finished && forecast->steps >= stealing->most_steps;
  forecast->deadlock = !stealing->finished && !forecast->cut;
  forecast->overhead += spawns > 0 ? spawns : 0;
  sum_emulated_lock_waits(&stealing->locks, forecast);
  forecast->imbalance = forecast->time * stealing->machine->processors - root->work - forecast->overhead -
                        forecast->serial - forecast->locked;
  if (forecast->imbalance < 0)
    forecast->imbalance = 0;
  return *forecast;
}

/* Handles the events of all emulated workers in the order of time, until the program ends, no event is left, or the
   limit of steps is reached.  */
static void run_emulated_workers(struct stealing *stealing) {
  run_emulated_worker(stealing, &stealing->workers[0]);
  for (serve_emulated_thieves(stealing); !stealing->finished && stealing->heap.count > 0;
       serve_emulated_thieves(stealing)) {
    if (stealing->forecast.steps >= stealing->most_steps)
      break;
    struct event event = pop_emulated_event(&stealing->heap);
    struct worker *worker = &stealing->workers[event.thread];
    if (event.stamp != worker->stamp)
      continue;
    if (event.time > stealing->now)
      stealing->now = event.time;
    stealing->current = event.thread;
    if (worker->top == NULL)
      let_emulated_thief_steal(stealing, worker);
    else
      run_emulated_worker(stealing, worker);
  }
}

/* Emulates TREE under a SCHEDULE of tasks (Cilk's work stealing, OpenMP tasks, or the greedy scheduler) on MACHINE.
   Returns the forecast.  */
struct forecast emulate_stealing(const struct task_tree *tree, const struct schedule *schedule,
                                 const struct machine *machine) {
  struct stealing stealing = {.tree = tree,
                              .machine = machine,
                              .kind = schedule->kind,
                              .locks = make_emulated_locks(tree->lock_count),
                              .workers = allocate(machine->processors, sizeof *stealing.workers),
                              .most_steps = machine->most_steps > 0 ? machine->most_steps : UINT64_MAX,
                              .random = machine->seed};
  find_emulated_costs(&stealing);
  push_emulated_activation(
      &stealing, &stealing.workers[0],
      (struct activation){.kind = IN_SEQUENCE,
                          .node = emulated_tree_root(tree),
                          .left = emulated_tree_root(tree)->count > 0
                                      ? emulated_node_children(tree, emulated_tree_root(tree))->repeat
                                      : 0});
  for (unsigned i = 1; i < machine->processors; i++)
    park_emulated_worker(&stealing, &stealing.workers[i]);
  run_emulated_workers(&stealing);
  struct forecast forecast = sum_emulated_stealing_losses(&stealing);
  free_emulated_workers(&stealing);
  return forecast;
}
