/* The tree that emulators run: that of a profile, with what is known of every node.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EMULATION_TREE_H
#define CILKPROF_REPORT_EMULATION_TREE_H

#include <stdbool.h>
#include "fmt/profile.h"

enum { NO_NODE = UINT32_MAX };

struct tree_child {
  double before; /* what the parent does itself before each of them */
  uint64_t repeat;
  uint64_t first; /* of a task: how many of its section's tasks come before it */
  uint32_t node;  /* NO_NODE: it is only that work */
};

struct tree_node {
  enum cilkprof_tree_kind kind;
  bool nowait, spawns;
  bool plain;     /* neither locks nor sections are in it: it is only work */
  bool locks;     /* there are locks in it */
  bool forks;     /* there are things in it that can run at the same time */
  bool serial;    /* of a section: it has children that are no tasks */
  uint32_t lock;  /* number of the lock */
  uint32_t depth; /* of the nodes below it, with itself */
  uint64_t first; /* of its children */
  uint64_t count;
  uint64_t tasks;    /* of a section */
  const char *name;  /* empty: it has none */
  double work, span; /* of all that is in it */
  double sections;   /* how many times a section begins in it, */
  double all_tasks;  /* and a task */
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

/* NULL when the profile has none.  Fails when its work is more than a number can hold; PATH is its file.  */
struct task_tree *tree_of(const struct cilkprof_tree *from, const char *path);

/* What is known of a node follows from its children, which are known.  */
void tree_finish_node(struct task_tree *tree, struct tree_node *node);

/* The last one: the program.  */
static inline const struct tree_node *tree_root(const struct task_tree *tree) {
  return &tree->nodes[tree->node_count - 1];
}
static inline const struct tree_child *children_of(const struct task_tree *tree, const struct tree_node *node) {
  return &tree->children[node->first];
}
/* Whether a child of a section may run in parallel.  */
static inline bool is_task(const struct task_tree *tree, const struct tree_child *child) {
  return child->node != NO_NODE && tree->nodes[child->node].kind == CILKPROF_TREE_TASK;
}

/* Which child of a section is its task number TASK.  */
const struct tree_child *task_child(const struct task_tree *tree, const struct tree_node *section, uint64_t task);

#endif
