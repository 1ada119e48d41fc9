/* Sums of the trees of sections, tasks and locks of several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The last node of each tree is its program.  The program nodes are merged into one, with the children of both.  */

#include <string.h>
#include "cilkprof-report/model/trees.h"
#include "cilkprof-report/support/support.h"

/* Offsets of a tree's nodes, children and names in the sum.  */
struct offsets {
  size_t node, child, name;
  double factor; /* by which its times are multiplied */
};

/* Copies all nodes of the tree FROM but its program into TO, the nodes of a sum of trees, with their indices moved by
   OFFSETS.  */
static void copy_model_tree_nodes(struct cilkprof_tree_node *to, const struct cilkprof_tree *from,
                                  struct offsets offsets) {
  for (size_t i = 0; i + 1 < from->node_count; i++) {
    to[offsets.node + i] = from->nodes[i];
    to[offsets.node + i].first += offsets.child;
    to[offsets.node + i].name += offsets.name;
  }
}

/* Copies COUNT children of tree nodes into TO, those of a sum of trees, with their nodes moved by OFFSETS and their
   times converted.  */
static void copy_model_tree_children(struct cilkprof_tree_child *to, const struct cilkprof_tree_child *from,
                                     size_t count, struct offsets offsets) {
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i];
    if (offsets.factor != 1)
      to[i].before = (uint64_t)((double)from[i].before * offsets.factor + 0.5);
    if (from[i].node != CILKPROF_NO_NODE)
      to[i].node += offsets.node;
  }
}

/* Returns the number of children in TREE that are not children of the program node.  Those of the program node come
   last.  */
static size_t model_tree_inner_children(const struct cilkprof_tree *tree) {
  return tree->nodes[tree->node_count - 1].first;
}

/* Returns the counts of the trees SUM and MORE, one after the other.  Allocated.  */
static struct cilkprof_tree_counts *add_model_tree_counts(const struct cilkprof_tree *sum,
                                                          const struct cilkprof_tree *more) {
  struct cilkprof_tree_counts *counts = allocate(sum->count_count + more->count_count + 1, sizeof *counts);
  for (size_t i = 0; i < sum->count_count; i++)
    counts[i] = sum->counts[i];
  for (size_t i = 0; i < more->count_count; i++) {
    counts[sum->count_count + i] = more->counts[i];
    counts[sum->count_count + i].name += sum->name_count;
  }
  return counts;
}

/* Appends the tree MORE to SUM, and merges their program nodes into one.  Either may have no nodes.  SUM may then point
   to memory of MORE, which must stay allocated.  */
void add_model_tree(struct cilkprof_tree *sum, const struct cilkprof_tree *more) {
  if (more->node_count == 0)
    return;
  if (sum->node_count == 0) {
    *sum = *more;
    return;
  }
  size_t first = model_tree_inner_children(sum), second = model_tree_inner_children(more);
  struct offsets here = {0, 0, 0, 1}, there = {sum->node_count - 1, first, sum->name_count, 1};
  if (sum->units_per_second > 0 && more->units_per_second > 0)
    there.factor = (double)sum->units_per_second / (double)more->units_per_second;
  struct cilkprof_tree_node *nodes = allocate(sum->node_count + more->node_count - 1, sizeof *nodes);
  struct cilkprof_tree_child *children = allocate(sum->child_count + more->child_count + 1, sizeof *children);
  const char **names = allocate(sum->name_count + more->name_count, sizeof *names);
  copy_model_tree_nodes(nodes, sum, here);
  copy_model_tree_nodes(nodes, more, there);
  copy_model_tree_children(children, sum->children, first, here);
  copy_model_tree_children(children + first, more->children, second, there);
  copy_model_tree_children(children + first + second, sum->children + first, sum->child_count - first, here);
  copy_model_tree_children(children + sum->child_count + second, more->children + second, more->child_count - second,
                           there);
  memcpy(names, sum->names, sum->name_count * sizeof *names);
  memcpy(names + sum->name_count, more->names, more->name_count * sizeof *names);
  size_t node_count = sum->node_count + more->node_count - 1, child_count = sum->child_count + more->child_count;
  nodes[node_count - 1] = (struct cilkprof_tree_node){.kind = CILKPROF_TREE_TASK,
                                                      .name = sum->nodes[sum->node_count - 1].name,
                                                      .first = first + second,
                                                      .count = child_count - first - second};
  *sum = (struct cilkprof_tree){.flags = sum->flags | more->flags,
                                .units_per_second = sum->units_per_second,
                                .tolerance = sum->tolerance > more->tolerance ? sum->tolerance : more->tolerance,
                                .node_count = node_count,
                                .child_count = child_count,
                                .name_count = sum->name_count + more->name_count,
                                .nodes = nodes,
                                .children = children,
                                .names = names,
                                .count_count = sum->count_count + more->count_count,
                                .counts = add_model_tree_counts(sum, more)};
}
