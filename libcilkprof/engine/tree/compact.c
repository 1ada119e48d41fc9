/* Compacting the children of a section that has too many different ones: neighbours are replaced by their mean.
   SPDX-License-Identifier: MIT

   This is the last resort when memory is short.  The total work and the rough order of the tasks are kept; how the work
   is distributed among neighbours is lost.  */

#include "libcilkprof/engine/tree/tree.h"

enum { CHILDREN = 64 }; /* the most children that a task may have to be merged with another */

/* Returns whether A and B, nodes of TREE, are of the same kind and name and have the same children, and few enough to
   be merged.  */
static int is_same_tree_shape(const struct tree *tree, const struct tree_node *a, const struct tree_node *b) {
  const struct tree_child *of_a = &tree->children[a->first], *of_b = &tree->children[b->first];
  if (a->kind != b->kind || a->flags != b->flags || a->name != b->name || a->lock != b->lock || a->count != b->count ||
      a->count > CHILDREN)
    return 0;
  for (size_t i = 0; i < a->count; i++)
    if (of_a[i].repeat != of_b[i].repeat || of_a[i].node != of_b[i].node)
      return 0;
  return 1;
}

/* Takes the share of TIMES uses out of the work of NODE before its child number I, and returns that share.  */
static uint64_t take_tree_node_work(struct tree *tree, struct tree_node *node, size_t i, uint64_t times) {
  struct tree_child *child = &tree->children[node->first + i];
  uint64_t sum = tree_mean(child->sum, node->uses) * times;
  sum = sum < child->sum ? sum : child->sum;
  child->sum -= sum;
  return sum;
}

/* Merges SECOND, a child of an open node, into FIRST, another one, if their nodes are the same or have the same shape.
   Returns whether they were merged.  */
static int merge_tree_children(struct tree *tree, struct tree_child *first, const struct tree_child *second) {
  struct tree_child mean[CHILDREN];
  if (first->node == CILKPROF_NO_NODE || second->node == CILKPROF_NO_NODE)
    return 0;
  struct tree_node *a = &tree->nodes[first->node], *b = &tree->nodes[second->node];
  uint64_t times = first->repeat + second->repeat;
  if (a != b && (!is_same_tree_shape(tree, a, b) || a->uses < first->repeat || b->uses < second->repeat))
    return 0;
  if (a != b) {
    struct tree_node like = *a;
    like.uses = times;
    like.length = (a->length * first->repeat + b->length * second->repeat) / times;
    for (size_t i = 0; i < a->count; i++) {
      mean[i] = tree->children[a->first + i];
      mean[i].sum = take_tree_node_work(tree, a, i, first->repeat) + take_tree_node_work(tree, b, i, second->repeat);
      mean[i].reference = tree_mean(mean[i].sum, times);
    }
    a->uses -= first->repeat;
    b->uses -= second->repeat;
    uint64_t node = __cilkprof_tree_find(tree, &like, mean, CILKPROF_NO_NODE);
    if (node == CILKPROF_NO_NODE) { /* no room is left: FIRST gets the work and the uses of both */
      struct tree_node *kept = &tree->nodes[node = first->node];
      kept->uses += times;
      for (size_t i = 0; i < kept->count; i++)
        tree->children[kept->first + i].sum += mean[i].sum;
    }
    first->node = node;
  }
  first->sum += second->sum;
  first->repeat = times;
  first->reference = tree_mean(first->sum, times);
  return 1;
}

/* Merges those waiting children from BEGIN to END that have the same shape, and moves the results to TO; returns where
   these end.  Unless the block IS_FIRST, a single result is also merged with the one before it, that of the previous
   block, if both are the same node.  */
static size_t compact_tree_children_block(struct tree *tree, size_t to, size_t begin, size_t end, int is_first) {
  size_t first = to;
  for (size_t i = begin; i < end; i++) {
    struct tree_child child = tree->waiting[i];
    size_t same = first;
    while (same < to && !merge_tree_children(tree, &tree->waiting[same], &child))
      same++;
    if (same == to)
      tree->waiting[to++] = child;
  }
  struct tree_child *at = &tree->waiting[first];
  if (!is_first && to == first + 1 && at->node != CILKPROF_NO_NODE && at[-1].node == at->node) {
    at[-1].sum += at->sum;
    at[-1].repeat += at->repeat;
    to--;
  }
  return to;
}

/* Merges neighbours among the waiting children of TREE from index FROM on, wherever they have the same shape.  The
   tolerance is wider meanwhile.  */
void __cilkprof_tree_compact(struct tree *tree, size_t from) {
  enum { BLOCK = 8 };
  size_t to = from;
  uint64_t widened = tree->widened;
  tree->flags |= CILKPROF_TREE_WIDENED;
  tree->widened += 2;
  for (size_t i = from; i < tree->waiting_count; i += BLOCK)
    to = compact_tree_children_block(tree, to, i, i + BLOCK < tree->waiting_count ? i + BLOCK : tree->waiting_count,
                                     i == from);
  tree->waiting_count = to;
  tree->widened = widened;
}
