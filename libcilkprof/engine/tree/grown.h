/* Nodes of the tree that is made from the long children of a program (grown.c).
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_GROWN_H
#define CILKPROF_GROWN_H

#include "libcilkprof/engine/tree/tree.h"

/* A node of the tree that is not part of another one yet.  */
struct part {
  int is_task;
  uint64_t node, repeat, between;             /* how often the node comes in a row, and the serial work in between */
  uint64_t before, path, work, span, burdens; /* as in a piece */
};

/* What is under way: the tree, the parts that are not in another node yet, and the children of the node that is being
   made.  */
struct growing {
  struct tree *tree;
  uint64_t least;  /* of PIECES */
  int widened;     /* short children were dropped for want of room */
  uint64_t empty;  /* the node of a task that does nothing */
  uint64_t *spans; /* of the nodes of the tree */
  struct part *parts;
  size_t part_count;
  struct tree_child *children;
  size_t child_count;
  uint64_t pending; /* serial work after the last child */
};

HIDDEN void __cilkprof_grown_child(struct growing *growing, uint64_t work, uint64_t repeat, uint64_t node);
HIDDEN uint64_t __cilkprof_grown_span(const struct growing *growing, uint64_t kind, uint64_t flags, size_t first);
HIDDEN uint64_t __cilkprof_grown_node(struct growing *growing, uint64_t kind, uint64_t flags, size_t first,
                                      uint64_t length);
HIDDEN void __cilkprof_grown_equal_tasks(struct growing *growing, uint64_t work, uint64_t longest);
HIDDEN uint64_t __cilkprof_grown_equal_loop(struct growing *growing, uint64_t work, uint64_t span);

#endif
