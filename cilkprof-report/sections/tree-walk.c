/* Prints trees of calling contexts or callers as indented lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/contexts.h"
#include "cilkprof-report/sections/tree-walk.h"

/* Prints every node of TREE that is not small, before its children, with the functions of WALK.  FIRST is the first of
   the outermost nodes, or NO_CONTEXT.  The walk follows links instead of recursing, because the tree may be as deep as
   the call stack of the program.  */
void print_indented_tree(const struct tree_walk *walk, const void *tree, uint32_t first) {
  size_t depth = 0;
  for (uint32_t node = first; node != NO_CONTEXT;) {
    struct tree_links links = walk->links(tree, node);
    bool shown = !walk->is_small(tree, node);
    if (shown)
      walk->print_node(tree, node, depth);
    if (shown && links.first_child != NO_CONTEXT) {
      node = links.first_child;
      depth++;
      continue;
    }
    while (links.next_sibling == NO_CONTEXT) {
      if (links.parent == NO_CONTEXT) {
        walk->print_rest(tree, first, depth);
        return;
      }
      uint32_t parent = links.parent;
      links = walk->links(tree, parent);
      walk->print_rest(tree, links.first_child, depth--);
    }
    node = links.next_sibling;
  }
}
