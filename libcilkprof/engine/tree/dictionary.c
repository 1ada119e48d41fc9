/* Finding equal nodes.
   SPDX-License-Identifier: MIT

   Two nodes have the same shape if they are of the same kind and name and have the same children, equally often.  They
   are taken to be equal if the work between these children differs by no more than the tolerance.  A hash table finds
   nodes of the same shape and about the same length.  The previous sibling is tried first, so that runs of equal nodes
   are long.  */

#include "libcilkprof/engine/tree/tree.h"

/* A difference of 1/PART of the tolerance for the whole node is always taken to be equal.  */
enum { PART = 8 };

/* Returns whether A and B, amounts of work in a node of LENGTH, are taken to be equal: they differ by no more than the
   tolerance of TREE.  */
int __cilkprof_tree_close_to(const struct tree *tree, uint64_t a, uint64_t b, uint64_t length) {
  uint64_t larger = a > b ? a : b, difference = a > b ? a - b : b - a;
  uint64_t tolerance = tree->tolerance << tree->widened;
  if (difference == 0)
    return 1;
  if (tolerance == 0)
    return 0;
  unsigned __int128 most = (unsigned __int128)larger * tolerance, some = (unsigned __int128)length * tolerance / PART;
  return (unsigned __int128)difference * 1000 <= (most > some ? most : some);
}

/* Returns HASH with VALUE mixed into it.  */
static uint64_t mix_tree_hash(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

/* Returns a hash of the shape of NODE, with its CHILDREN: of its kind, flags, name and lock, and of its children, but
   not of their work.  */
static uint64_t hash_tree_shape(const struct tree_node *node, const struct tree_child *children) {
  uint64_t hash = mix_tree_hash(
      mix_tree_hash(mix_tree_hash(mix_tree_hash(0, node->kind), node->flags << 32 | node->name), node->lock),
      node->count);
  for (size_t i = 0; i < node->count; i++)
    hash = mix_tree_hash(mix_tree_hash(hash, children[i].repeat), children[i].node);
  return hash;
}

/* Returns the class of LENGTH, the work inside a node.  Lengths that may be equal are in the same class or in
   neighbouring ones: a class is about as wide as the tolerance.  Without a tolerance, every length is a class.  */
static uint64_t tree_length_class(const struct tree *tree, uint64_t length) {
  enum { MAX_STEPS = 4 };
  if (tree->tolerance == 0 || length < 1 << MAX_STEPS)
    return length;
  unsigned bits = 63 - (unsigned)__builtin_clzll(length), steps = 0;
  while (tree->tolerance << steps < 500 && steps < MAX_STEPS)
    steps++;
  return ((uint64_t)bits << steps) + (length >> (bits - steps));
}

/* Returns how many classes of lengths on either side may hold an equal node.  */
static uint64_t neighbouring_tree_class_count(const struct tree *tree) {
  return tree->tolerance == 0 ? 0 : UINT64_C(1) << (tree->widened < 4 ? tree->widened : 4);
}

/* Returns whether LIKE, with its CHILDREN, is equal to NODE of TREE, within the tolerance.  */
static int is_equal_tree_node(const struct tree *tree, const struct tree_node *node, const struct tree_node *like,
                              const struct tree_child *children) {
  const struct tree_child *own = &tree->children[node->first];
  if (node->kind != like->kind || node->flags != like->flags || node->name != like->name || node->lock != like->lock ||
      node->count != like->count)
    return 0;
  for (size_t i = 0; i < like->count; i++)
    if (own[i].repeat != children[i].repeat || own[i].node != children[i].node ||
        !__cilkprof_tree_close_to(tree, own[i].reference, children[i].reference, like->length))
      return 0;
  return 1;
}

/* Adds LIKE to the node of index NUMBER, which it is equal to, and returns NUMBER.  */
static uint64_t add_tree_node_use(struct tree *tree, uint64_t number, const struct tree_node *like,
                                  const struct tree_child *children) {
  struct tree_node *node = &tree->nodes[number];
  node->uses += like->uses;
  for (size_t i = 0; i < like->count; i++)
    tree->children[node->first + i].sum += children[i].sum;
  return number;
}

/* Returns the head of the bucket for nodes of the hash SHAPE and of CLASS.  */
static uint64_t *tree_bucket_head(struct tree *tree, uint64_t shape, uint64_t class) {
  return &tree->buckets[mix_tree_hash(shape, class) & (tree->bucket_room - 1)];
}

/* Doubles the tolerance of TREE when half of the room for nodes or children is used, and each time that half of the
   rest is.  */
static void widen_tree_tolerance(struct tree *tree) {
  size_t nodes = tree->node_room - tree->node_count, children = tree->child_room - tree->child_count;
  while (tree->widened < 10 &&
         (nodes < tree->node_room >> (tree->widened + 1) || children < tree->child_room >> (tree->widened + 1))) {
    tree->widened++;
    tree->flags |= CILKPROF_TREE_WIDENED;
  }
}

/* Makes LIKE, with its CHILDREN, a new node of the bucket with HEAD.  Returns its index, or CILKPROF_NO_NODE if there
   is no room.  */
static uint64_t add_tree_node(struct tree *tree, const struct tree_node *like, const struct tree_child *children,
                              uint64_t *head) {
  if (tree->node_count == tree->node_room || like->count > tree->child_room - tree->child_count)
    return CILKPROF_NO_NODE;
  struct tree_node *node = &tree->nodes[tree->node_count];
  *node = *like;
  node->first = tree->child_count;
  node->next = *head;
  for (size_t i = 0; i < like->count; i++)
    tree->children[tree->child_count++] = children[i];
  *head = ++tree->node_count;
  widen_tree_tolerance(tree);
  return tree->node_count - 1;
}

/* Adds LIKE, with its CHILDREN, to the node that it is equal to, or makes a new node.  LIKE->length is the work inside
   it, and LIKE->uses the number of such nodes.  HINT is the index of the node to try first, or CILKPROF_NO_NODE.
   Returns the index of the node, or CILKPROF_NO_NODE if there is no room for a new one.  */
uint64_t __cilkprof_tree_find(struct tree *tree, const struct tree_node *like, const struct tree_child *children,
                              uint64_t hint) {
  if (hint != CILKPROF_NO_NODE && is_equal_tree_node(tree, &tree->nodes[hint], like, children))
    return add_tree_node_use(tree, hint, like, children);
  uint64_t shape = hash_tree_shape(like, children), class = tree_length_class(tree, like->length),
           around = neighbouring_tree_class_count(tree);
  for (uint64_t other = class - around; other != class + around + 1; other++)
    for (uint64_t at = *tree_bucket_head(tree, shape, other); at; at = tree->nodes[at - 1].next)
      if (is_equal_tree_node(tree, &tree->nodes[at - 1], like, children))
        return add_tree_node_use(tree, at - 1, like, children);
  return add_tree_node(tree, like, children, tree_bucket_head(tree, shape, class));
}
