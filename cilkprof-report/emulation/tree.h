/* The tree that emulators run: the tree of a profile, with sums for every node.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EMULATION_TREE_H
#define CILKPROF_REPORT_EMULATION_TREE_H

#include <stdbool.h>
#include "fmt/profile.h"

enum { NO_NODE = UINT32_MAX };

struct tree_child {
  double before;   /* own work of the parent before each repetition */
  uint64_t repeat; /* number of repetitions */
  uint64_t first;  /* number of tasks of the section that come before */
  uint32_t node;   /* NO_NODE: only the work of BEFORE */
};

struct tree_node {
  enum cilkprof_tree_kind kind;
  bool nowait, spawns;
  bool plain;        /* a task that is only work, without locks and sections */
  bool locks;        /* contains locks */
  bool forks;        /* contains parts that can run in parallel */
  bool serial;       /* section only: has children that are not tasks */
  uint32_t lock;     /* lock only: its number */
  uint32_t depth;    /* levels of the subtree, including this node */
  uint64_t first;    /* index of the first child */
  uint64_t count;    /* number of children */
  uint64_t tasks;    /* section only: number of its tasks */
  const char *name;  /* empty: none */
  double work, span; /* of the subtree */
  double sections;   /* sections that are run in the subtree, including this node */
  double all_tasks;  /* tasks that are run in the subtree */
};

struct tree_lock {
  uint64_t id;
  const char *name;
};

struct task_tree {
  struct tree_node *nodes;
  struct tree_child *children;
  struct tree_lock *locks;
  size_t node_count, child_count, lock_count;
  uint64_t flags;
  double units_per_second; /* 0: instructions */
  double tolerance;        /* 0.05 is 5% */
};

/* Converts the tree of the profile in the file PATH.  Returns NULL if the profile has none.  Fails if nodes, tasks or
   work are too many to be counted.  */
struct task_tree *make_emulated_tree(const struct cilkprof_tree *from, const char *path);

/* Computes the sums of NODE from its children, whose sums must be known.  */
void finish_emulated_tree_node(struct task_tree *tree, struct tree_node *node);

/* Returns the node of the whole program in an emulated TREE, which is the last one.  */
static inline const struct tree_node *emulated_tree_root(const struct task_tree *tree) {
  return &tree->nodes[tree->node_count - 1];
}
/* Returns the array of the children of NODE in an emulated TREE; NODE has their number.  */
static inline const struct tree_child *emulated_node_children(const struct task_tree *tree,
                                                              const struct tree_node *node) {
  return &tree->children[node->first];
}
/* Returns whether CHILD is a task, which may run in parallel with others of its section.  */
static inline bool is_emulated_task(const struct task_tree *tree, const struct tree_child *child) {
  return child->node != NO_NODE && tree->nodes[child->node].kind == CILKPROF_TREE_TASK;
}

/* Returns the child of SECTION that contains its task number TASK.  */
const struct tree_child *find_emulated_task_child(const struct task_tree *tree, const struct tree_node *section,
                                                  uint64_t task);

#endif
