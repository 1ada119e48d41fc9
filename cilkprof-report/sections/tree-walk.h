/* Prints trees of calling contexts or callers as indented lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TREE_WALK_H
#define CILKPROF_REPORT_TREE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The indices of related nodes; NO_CONTEXT if there is no such node.  */
struct tree_links {
  uint32_t parent, first_child, next_sibling;
};

/* The functions of a section for its tree.  Each gets the tree as its first argument.  */
struct tree_walk {
  struct tree_links (*links)(const void *tree, uint32_t node);
  bool (*is_small)(const void *tree, uint32_t node); /* the node and its descendants are hidden */
  void (*print_node)(const void *tree, uint32_t node, size_t depth);
  /* Summarizes the hidden nodes among FIRST and its siblings.  Called after all of these.  */
  void (*print_rest)(const void *tree, uint32_t first, size_t depth);
};

/* Prints every node before its children.  FIRST is the first of the outermost nodes, or NO_CONTEXT.  */
void print_indented_tree(const struct tree_walk *walk, const void *tree, uint32_t first);

#endif
