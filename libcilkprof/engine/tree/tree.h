/* The tree of parallel sections, tasks and locks: what the files of this room do for each other, and for others.
   SPDX-License-Identifier: MIT

   A builder is told where nodes begin and end, and what the program had done up to there.  It keeps the nodes that are
   open, and of those that ended one of each kind: what is equal to another is counted.  */

#ifndef CILKPROF_TREE_H
#define CILKPROF_TREE_H

#include "libcilkprof/engine/profiled_thread.h"

/* A node that ended.  Its children are those of an earlier one whose work differs by no more than the tolerance; what
   they have of it is added up, so that the mean of all is what is written.  */
struct tree_node {
  uint64_t kind, flags, name, lock;
  uint64_t first, count;
  uint64_t uses;
  uint64_t length; /* of the one that was first: all work in it */
  uint64_t next;   /* in its bucket, 0: none */
};

struct tree_child {
  uint64_t sum, reference; /* the parent's own work before it: of all uses, and of the first */
  uint64_t repeat, node;
};

/* One that is open.  Its children so far are the last of those that wait.  */
struct tree_open {
  uint64_t kind, flags, name, lock;
  uint64_t before;  /* its own work since its last child */
  uint64_t waiting; /* where its children begin */
  uint64_t most;    /* so many of them may wait; then they are made fewer */
  const char *file; /* where it began */
  int line;
  const void *owner; /* of a Cilk program: the frame that it is in; LINE is what it is there */
};

struct tree {
  uint64_t last;      /* what had been done when the program was left alone */
  uint64_t tolerance; /* in 1/1000 */
  uint64_t widened;   /* that is doubled so often, because memory is short */
  uint64_t flags;
  int timed;                      /* by the clock alone: the program has no events */
  uint64_t too_deep;              /* nodes that began and were not opened */
  uint64_t sections;              /* that are open */
  struct tree_counters *counters; /* NULL: the processor counts nothing */
  struct tree_node *nodes;
  struct tree_child *children, *waiting;
  struct tree_open *open;
  uint64_t *buckets; /* 1 + the number of a node */
  char **names;
  char *changes; /* by name: locks that are written so have a value that changes while they are held */
  char *text;    /* of the names */
  size_t node_count, child_count, waiting_count, open_count, name_count, text_used;
  size_t node_room, child_room, waiting_room, open_room, bucket_room;
};

/* builder.c.  NULL: there is no memory.  BYTES is about what it will take at most.  */
HIDDEN struct tree *__cilkprof_tree_make(size_t bytes, uint64_t tolerance);
/* Where nodes are too deep it is only counted, in TOO_DEEP.  */
HIDDEN void __cilkprof_tree_begin(struct tree *tree, const struct tree_open *node);
HIDDEN void __cilkprof_tree_end(struct tree *tree); /* the innermost one that is open */
HIDDEN uint64_t __cilkprof_tree_name(struct tree *tree, const char *name);
/* All that is open ends.  */
HIDDEN void __cilkprof_tree_close(struct tree *tree);

/* counters.c, around sections that are in no other one.  NULL: there are no counters.  NAMES is how many names there
   may be; a name is a number of one.  */
HIDDEN struct tree_counters *__cilkprof_counters_make(size_t names);
HIDDEN void __cilkprof_section_begins(void);
HIDDEN void __cilkprof_section_ended(void);
HIDDEN void __cilkprof_counters_begin(struct tree_counters *counters, uint64_t name);
HIDDEN void __cilkprof_counters_end(struct tree_counters *counters, uint64_t name);
/* What was counted, by names; returns of how many.  */
HIDDEN size_t __cilkprof_counters_copy(const struct tree_counters *counters, size_t names,
                                       struct cilkprof_tree_counts *to);

/* dictionary.c.  The number of the node that is like this one, which may be HINT; CILKPROF_NO_NODE: there is no room
   for another.  LENGTH is the work in it, and USES how many there are.  */
HIDDEN uint64_t __cilkprof_tree_find(struct tree *tree, const struct tree_node *like, const struct tree_child *children,
                                     uint64_t hint);
/* Whether two amounts of work are taken to be equal, in a node of a LENGTH.  */
HIDDEN int __cilkprof_tree_close_to(const struct tree *tree, uint64_t a, uint64_t b, uint64_t length);
/* The mean over all uses of what a child has before it.  */
static inline uint64_t tree_mean(uint64_t sum, uint64_t uses) {
  return uses ? (sum + uses / 2) / uses : 0;
}

/* compact.c: makes two of the children that wait from number FROM on into one, wherever that can be.  */
HIDDEN void __cilkprof_tree_compact(struct tree *tree, size_t from);

/* cilk.c: the program's spawns, syncs and loops are recorded.  */
HIDDEN void __cilkprof_tree_of_cilk(void);

/* record.c: the tree is written, if there is one.  */
HIDDEN void __cilkprof_tree_finish(void);
HIDDEN void __cilkprof_tree_write(struct cilkprof_writer *writer);

#endif
