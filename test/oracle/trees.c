/* The tree of a profile: its work and span must be those of the run.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>

#include "test/oracle/measure.h"

struct cost {
  uint64_t work, span;
};

/* Returns the cost of NODE.  COSTS are those of the nodes before it, its children among them.  */
static struct cost oracle_cost_of_tree_node(const struct cilkprof_tree *tree, const struct cilkprof_tree_node *node,
                                            const struct cost *costs) {
  struct cost cost = {0, 0};
  uint64_t longest = 0; /* the path to the end of a task */
  bool is_section = node->kind == CILKPROF_TREE_SECTION, spawns = node->flags & CILKPROF_TREE_SPAWNS;
  for (uint64_t i = node->first; i < node->first + node->count; i++) {
    const struct cilkprof_tree_child *child = &tree->children[i];
    struct cost inside = child->node == CILKPROF_NO_NODE ? (struct cost){0, 0} : costs[child->node];
    bool is_task = is_section && child->node != CILKPROF_NO_NODE && tree->nodes[child->node].kind == CILKPROF_TREE_TASK;
    cost.work += child->repeat * (child->before + inside.work);
    if (is_task && !spawns) {
      longest = child->before + inside.span > longest ? child->before + inside.span : longest;
      continue;
    }
    cost.span += child->repeat * child->before;
    if (!is_task)
      cost.span += child->repeat * inside.span;
    else if (cost.span + inside.span > longest)
      longest = cost.span + inside.span;
  }
  if (is_section && !spawns) /* what a loop does itself comes before its tasks */
    cost.span += longest;
  else if (longest > cost.span)
    cost.span = longest;
  return cost;
}

/* Prints how work and span of TREE differ from TOTALS, if they do.  Returns how many differences there are, 0 or 1.  */
int oracle_tree_compare(const struct cilkprof_tree *tree, const struct cilkprof_totals *totals) {
  if (tree->node_count == 0)
    return puts("the profile has no tree") >= 0;
  struct cost *costs = oracle_allocate(tree->node_count * sizeof *costs), all;
  for (size_t i = 0; i < tree->node_count; i++)
    costs[i] = oracle_cost_of_tree_node(tree, &tree->nodes[i], costs);
  all = costs[tree->node_count - 1];
  free(costs);
  /* Where room was short, a path through short children may be lost.  */
  uint64_t difference = all.span > totals->span ? all.span - totals->span : totals->span - all.span;
  bool exact = difference <= (tree->flags & CILKPROF_TREE_WIDENED ? totals->span / 8 : 0);
  if (all.work == totals->work && exact)
    return 0;
  printf("tree: oracle work %lu, span %lu; engine work %lu, span %lu\n", (unsigned long)totals->work,
         (unsigned long)totals->span, (unsigned long)all.work, (unsigned long)all.span);
  return 1;
}
