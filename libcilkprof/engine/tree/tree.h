/* The tree of parallel sections, tasks and locks: declarations for this folder, and for those that use it.
   SPDX-License-Identifier: MIT

   The builder is called where nodes begin and end, and how much work the program has done by then.  It keeps all open
   nodes.  Of the nodes that ended it keeps one for each set of equal nodes, and counts the others.  */

#ifndef CILKPROF_TREE_H
#define CILKPROF_TREE_H

#include "libcilkprof/engine/profiled_thread.h"

/* A set of equal nodes that ended: their work differs by no more than the tolerance.  The work of all of them is added
   up, because the profile gets their mean.  */
struct tree_node {
  uint64_t kind, flags, name, lock;
  uint64_t first, count; /* its children: the index of the first one, and their number */
  uint64_t uses;         /* the number of equal nodes */
  uint64_t length;       /* all work inside the first of them */
  uint64_t next;         /* 1 + the index of the next node in its bucket; 0: this is the last one */
};

struct tree_child {
  uint64_t sum, reference; /* the parent's own work before the child: summed over all uses; in the first use */
  uint64_t repeat, node;   /* how often the child comes in a row; its index in NODES, or CILKPROF_NO_NODE: only work */
};

/* An open node.  Its children so far are the last ones in the array WAITING of the tree.  */
struct tree_open {
  uint64_t kind, flags, name, lock;
  uint64_t before;  /* its own work since its last child */
  uint64_t waiting; /* the index of its first child in WAITING */
  uint64_t most;    /* the number of its children in WAITING from which on they are compacted */
  const char *file; /* where it began */
  int line;
};

struct tree {
  uint64_t last;      /* the work of the program when recording last ended */
  uint64_t tolerance; /* in 1/1000 */
  uint64_t widened;   /* how many times the tolerance was doubled because memory was short */
  uint64_t flags;
  int timed;                      /* work is measured by the clock alone: the program has no events */
  uint64_t too_deep;              /* the number of nodes that began where the tree was too deep, and were not opened */
  uint64_t sections;              /* the number of open sections */
  struct tree_counters *counters; /* NULL: the processor's counters are not available */
  struct tree_node *nodes;
  struct tree_child *children, *waiting; /* of nodes that ended; of open nodes, the innermost node's last */
  struct tree_open *open;                /* the stack of open nodes; the first one is the program */
  uint64_t *buckets;                     /* a hash table: 1 + the index of the first node of a bucket; 0: it is empty */
  char **names;
  char *changes; /* for each name: whether the value of locks of that name changes while they are held */
  char *text;    /* the characters of all names */
  size_t node_count, child_count, waiting_count, open_count, name_count, text_used;
  size_t node_room, child_room, waiting_room, open_room, bucket_room, name_room;
};

/* builder.c.  */

HIDDEN struct tree *__cilkprof_tree_make(size_t bytes, uint64_t tolerance);
HIDDEN void __cilkprof_tree_begin(struct tree *tree, const struct tree_open *node);
HIDDEN void __cilkprof_tree_end(struct tree *tree);
HIDDEN uint64_t __cilkprof_tree_name(struct tree *tree, const char *name);
HIDDEN void __cilkprof_tree_close(struct tree *tree);

/* counters.c: the processor's counters, in sections that are in no other section.  */

HIDDEN struct tree_counters *__cilkprof_counters_make(size_t names);
HIDDEN void __cilkprof_section_begins(void);
HIDDEN void __cilkprof_section_ended(void);
HIDDEN void __cilkprof_counters_begin(struct tree_counters *counters, uint64_t name);
HIDDEN void __cilkprof_counters_end(struct tree_counters *counters, uint64_t name);
HIDDEN size_t __cilkprof_counters_copy(const struct tree_counters *counters, size_t names,
                                       struct cilkprof_tree_counts *to);

/* dictionary.c.  */

HIDDEN uint64_t __cilkprof_tree_find(struct tree *tree, const struct tree_node *like, const struct tree_child *children,
                                     uint64_t hint);
HIDDEN int __cilkprof_tree_close_to(const struct tree *tree, uint64_t a, uint64_t b, uint64_t length);
/* Returns SUM / USES, rounded: the mean of the work before a child of a node.  Returns 0 if USES is 0.  */
static inline uint64_t tree_mean(uint64_t sum, uint64_t uses) {
  return uses ? (sum + uses / 2) / uses : 0;
}

/* compact.c */
HIDDEN void __cilkprof_tree_compact(struct tree *tree, size_t from);

/* grown.c */
HIDDEN struct tree *__cilkprof_tree_grown(uint64_t work, uint64_t span, uint64_t burdens);

/* record.c */
HIDDEN void __cilkprof_tree_finish(void);
HIDDEN void __cilkprof_tree_write(struct cilkprof_writer *writer);

#endif
