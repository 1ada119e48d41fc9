/* Trees of calling contexts or callers, printed as indented lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TREE_WALK_H
#define CILKPROF_REPORT_TREE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Node numbers; NO_CONTEXT where there is no such node.  */
struct tree_links {
  uint32_t parent, first_child, next_sibling;
};

/* The functions that a section has for its tree, which each gets as its first argument.  */
struct tree_walk {
  struct tree_links (*links)(const void *tree, uint32_t node);
  bool (*is_small)(const void *tree, uint32_t node); /* it is hidden, with all nodes below it */
  void (*print_node)(const void *tree, uint32_t node, size_t depth);
  /* Called after FIRST and all its siblings, to summarize those that are hidden.  */
  void (*print_rest)(const void *tree, uint32_t first, size_t depth);
};

/* Prints every node before its children.  FIRST is the first of the outermost nodes, or NO_CONTEXT.  */
void tree_print(const struct tree_walk *walk, const void *tree, uint32_t first);

#endif
