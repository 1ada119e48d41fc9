/* Tasks that idle workers take from others: Cilk's work stealing, OpenMP's tasks, and the greedy scheduler of theory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

enum { MOST_GRAIN = 2048, GRAINS = 8 }; /* of a cilk_for: iterations, and grains for each processor */

double spawn_cost(const struct stealing *stealing, const struct tree_node *section) {
  if (stealing->kind == SCHEDULE_GREEDY)
    return 0;
  if (stealing->kind == SCHEDULE_TASKS)
    return stealing->machine->overheads.task;
  if (section->spawns)
    return stealing->machine->overheads.spawn;
  double grain = ceil((double)section->tasks / (GRAINS * stealing->machine->processors));
  return stealing->machine->overheads.spawn / (grain < MOST_GRAIN ? grain : MOST_GRAIN);
}

/* Of a loop the tasks come behind all else.  */
static void add_cost(struct stealing *stealing, const struct tree_node *node, size_t child, double *own,
                     double *tasks) {
  const struct tree *tree = stealing->tree;
  const struct tree_child *of = &tree->children[child];
  double each = of->before + (of->node != NO_NODE ? stealing->costs.node[of->node] : 0);
  bool task = is_task(tree, of), loop = node->kind == CILKPROF_TREE_SECTION && !node->spawns;
  if (task)
    each += spawn_cost(stealing, node);
  double *sum = loop && task ? tasks : own;
  stealing->costs.before[child] = !loop ? *sum : of->first < node->tasks ? *tasks : INFINITY;
  *sum += each * (double)of->repeat;
}

static void find_costs(struct stealing *stealing) {
  const struct tree *tree = stealing->tree;
  stealing->costs =
      (struct costs){allocate(tree->node_count, sizeof(double)), allocate(tree->node_count, sizeof(double)),
                     allocate(tree->child_count + 1, sizeof(double))};
  for (size_t i = 0; i < tree->node_count; i++) {
    const struct tree_node *node = &tree->nodes[i];
    double own = 0, tasks = 0;
    for (uint64_t c = 0; c < node->count; c++)
      add_cost(stealing, node, node->first + c, &own, &tasks);
    stealing->costs.node[i] = own + tasks;
    stealing->costs.serial[i] = own;
  }
}

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

struct forecast emulate_stealing(const struct tree *tree, const struct schedule *schedule,
                                 const struct machine *machine) {
  struct stealing stealing = {.tree = tree,
                              .machine = machine,
                              .kind = schedule->kind,
                              .locks = locks_make(tree->lock_count),
                              .workers = allocate(machine->processors, sizeof *stealing.workers),
                              .most_steps = machine->most_steps > 0 ? machine->most_steps : UINT64_MAX,
                              .random = machine->seed};
  find_costs(&stealing);
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
