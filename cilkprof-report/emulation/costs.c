/* Computes the costs of nodes of the tree, including the overheads of a scheduler.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/emulation/stealing.h"
#include "cilkprof-report/support/support.h"

enum { MAX_GRAIN = 2048, GRAINS = 8 }; /* largest grain of a cilk_for, and grains per processor */

/* Returns the overhead of spawning one task of SECTION under the emulated scheduler.  For a cilk_for it is that of a
   grain, divided by the iterations of the grain.  */
double emulated_spawn_cost(const struct stealing *stealing, const struct tree_node *section) {
  if (stealing->kind == SCHEDULE_GREEDY)
    return 0;
  if (stealing->kind == SCHEDULE_TASKS)
    return stealing->machine->overheads.task;
  if (section->spawns)
    return stealing->machine->overheads.spawn;
  double grain = ceil((double)section->tasks / (GRAINS * stealing->machine->processors));
  return stealing->machine->overheads.spawn / (grain < MAX_GRAIN ? grain : MAX_GRAIN);
}

/* Adds the cost of number CHILD of NODE to OWN or, if it is a task of a loop, to TASKS, and stores the cost of the
   children before it.  The tasks of a loop count as coming after all its other children.  */
static void add_emulated_child_cost(struct stealing *stealing, const struct tree_node *node, size_t child, double *own,
                                    double *tasks) {
  const struct task_tree *tree = stealing->tree;
  const struct tree_child *of = &tree->children[child];
  double each = of->before + (of->node != NO_NODE ? stealing->costs.node[of->node] : 0);
  bool task = is_emulated_task(tree, of), loop = node->kind == CILKPROF_TREE_SECTION && !node->spawns;
  if (task)
    each += emulated_spawn_cost(stealing, node);
  double *sum = loop && task ? tasks : own;
  stealing->costs.before[child] = !loop ? *sum : of->first < node->tasks ? *tasks : INFINITY;
  *sum += each * (double)of->repeat;
}

/* Computes the costs of all nodes of the emulated tree, with the overheads of the scheduler.  */
void find_emulated_costs(struct stealing *stealing) {
  const struct task_tree *tree = stealing->tree;
  stealing->costs =
      (struct costs){allocate(tree->node_count, sizeof(double)), allocate(tree->node_count, sizeof(double)),
                     allocate(tree->child_count + 1, sizeof(double))};
  for (size_t i = 0; i < tree->node_count; i++) {
    const struct tree_node *node = &tree->nodes[i];
    double own = 0, tasks = 0;
    for (uint64_t c = 0; c < node->count; c++)
      add_emulated_child_cost(stealing, node, node->first + c, &own, &tasks);
    stealing->costs.node[i] = own + tasks;
    stealing->costs.serial[i] = own;
  }
}
