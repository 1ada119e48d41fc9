/* Copies a tree and makes its sections longer, because processors share memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   A node that is in several sections is copied once for each different factor of these sections.  */

#include <stdlib.h>
#include "cilkprof-report/emulation/uses.h"
#include "cilkprof-report/support/support.h"

struct copier {
  const struct task_tree *from;
  struct task_tree *to;
  size_t node_room, child_room;
  uint32_t *place; /* by node: index of its last copy */
  uint32_t *outer; /* by node: index of the copy that nodes outside of sections refer to */
  bool *wanted;    /* by node: it is to be copied */
};

/* Copies node NUMBER of an emulated tree with its own work multiplied by FACTOR.  PLACES has the copies of its
   children.  */
static void copy_emulated_tree_node(struct copier *copier, size_t number, const uint32_t *places, double factor) {
  struct task_tree *to = copier->to;
  const struct tree_node *node = &copier->from->nodes[number];
  const struct tree_child *children = emulated_node_children(copier->from, node);
  to->nodes = grow_array(to->nodes, to->node_count, &copier->node_room, sizeof *to->nodes);
  struct tree_node *copy = &to->nodes[to->node_count];
  *copy = (struct tree_node){.kind = node->kind,
                             .nowait = node->nowait,
                             .spawns = node->spawns,
                             .lock = node->lock,
                             .first = to->child_count,
                             .count = node->count,
                             .name = node->name};
  for (uint64_t i = 0; i < node->count; i++) {
    to->children = grow_array(to->children, to->child_count, &copier->child_room, sizeof *to->children);
    struct tree_child *child = &to->children[to->child_count++];
    *child = children[i];
    child->before *= factor;
    if (child->node != NO_NODE)
      child->node = places[child->node];
  }
  finish_emulated_tree_node(to, copy);
  copier->place[number] = (uint32_t)to->node_count++;
}

/* Marks the children of node NUMBER of an emulated tree to be copied as well.  */
static void want_emulated_tree_children(struct copier *copier, size_t number) {
  const struct tree_node *node = &copier->from->nodes[number];
  const struct tree_child *children = emulated_node_children(copier->from, node);
  for (uint64_t i = 0; i < node->count; i++)
    if (children[i].node != NO_NODE)
      copier->wanted[children[i].node] = true;
}

/* Copies all sections of an emulated tree that contention for memory makes longer by FACTOR, and their subtrees.  */
static void copy_emulated_tree_sections(struct copier *copier, const struct section_uses *uses, const double *factors,
                                        double factor) {
  size_t count = copier->from->node_count;
  for (size_t i = 0; i < count; i++)
    copier->wanted[i] = uses->of_node[i] != NO_SECTION && factors[uses->of_node[i]] == factor;
  for (size_t i = count; i-- > 0;)
    if (copier->wanted[i])
      want_emulated_tree_children(copier, i);
  for (size_t i = 0; i < count; i++)
    if (copier->wanted[i]) {
      copy_emulated_tree_node(copier, i, copier->place, factor);
      if (uses->of_node[i] != NO_SECTION && factors[uses->of_node[i]] == factor)
        copier->outer[i] = copier->place[i];
    }
}

/* Copies the nodes of an emulated tree that are in no section; their work stays the same.  */
static void copy_nodes_outside_emulated_sections(struct copier *copier, const struct section_uses *uses) {
  size_t count = copier->from->node_count;
  for (size_t i = 0; i < count; i++)
    copier->wanted[i] = i + 1 == count;
  for (size_t i = count; i-- > 0;)
    if (copier->wanted[i] && uses->of_node[i] == NO_SECTION)
      want_emulated_tree_children(copier, i);
  for (size_t i = 0; i < count; i++)
    if (copier->wanted[i] && uses->of_node[i] == NO_SECTION) {
      copy_emulated_tree_node(copier, i, copier->outer, 1);
      copier->outer[i] = copier->place[i];
    }
}

/* Returns a copy of TREE for emulation in which contention for memory makes sections longer: the work of each is
   multiplied by its element of FACTORS.  */
struct task_tree *make_burdened_emulated_tree(const struct task_tree *tree, const struct section_uses *uses,
                                              const double *factors) {
  struct task_tree *to = allocate(1, sizeof *to);
  struct copier copier = {.from = tree,
                          .to = to,
                          .place = allocate(tree->node_count, sizeof *copier.place),
                          .outer = allocate(tree->node_count, sizeof *copier.outer),
                          .wanted = allocate(tree->node_count, sizeof *copier.wanted)};
  *to = *tree;
  to->nodes = NULL;
  to->children = NULL;
  to->node_count = to->child_count = 0;
  for (size_t i = 0; i < uses->count; i++) {
    bool before = false;
    for (size_t j = 0; j < i; j++)
      before |= factors[j] == factors[i];
    if (!before)
      copy_emulated_tree_sections(&copier, uses, factors, factors[i]);
  }
  copy_nodes_outside_emulated_sections(&copier, uses);
  free(copier.place);
  free(copier.outer);
  free(copier.wanted);
  return to;
}
