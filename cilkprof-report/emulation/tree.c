/* Makes the tree that emulators run.
   SPDX-License-Identifier: GPL-3.0-or-later

   Children come before their parents, so the sums of a node are computed from nodes before it, without recursion.  */

#include "cilkprof-report/emulation/tree.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/table.h"

#define MAX_TASKS 0x1p53 /* larger numbers are not exact in a double */
#define MAX_WORK  0x1p64 /* of any run: the work of a profile has 64 bits */

/* Callback of hash_table_find: returns whether the lock at PLACE of an emulated tree has the id KEY.  */
static bool is_emulated_lock(const void *array, size_t place, const void *key) {
  const struct tree_lock *locks = array;
  return locks[place].id == *(const uint64_t *)key;
}

/* Returns the number of the lock ID in an emulated TREE; adds the lock if it is new.  ID is its address or the number
   that the program gave it.  */
static uint32_t number_emulated_lock(struct task_tree *tree, struct table *table, size_t *room, uint64_t id,
                                     const char *name) {
  size_t place = hash_table_find(table, hash_add(0, id), is_emulated_lock, tree->locks, &id, tree->lock_count);
  if (place == tree->lock_count) {
    tree->locks = grow_array(tree->locks, tree->lock_count, room, sizeof *tree->locks);
    tree->locks[tree->lock_count++] = (struct tree_lock){id, name};
  }
  return (uint32_t)place;
}

/* Adds CHILD to the span of NODE in an emulated tree.  After a spawn, the section continues while the task runs; the
   tasks of a loop begin together.  LONGEST is the latest end of a task so far, and INSIDE the span of the child's
   node.  */
static void add_emulated_child_span(struct tree_node *node, double *longest, const struct tree_child *child,
                                    double inside, bool task) {
  double times = (double)child->repeat;
  if (!task) {
    node->span += times * (child->before + inside);
    return;
  }
  double own = node->spawns ? node->span + times * child->before : node->span;
  double end = node->spawns ? own + inside : child->before + inside;
  *longest = *longest > end ? *longest : end;
  node->span = own;
}

/* Adds work, span, tasks and other sums of CHILD to those of NODE, its parent in an emulated tree.  LONGEST is the
   latest end of a task so far.  */
static void add_emulated_child_sums(struct task_tree *tree, struct tree_node *node, struct tree_child *child,
                                    double *longest) {
  static const struct tree_node none;
  const struct tree_node *inside = child->node != NO_NODE ? &tree->nodes[child->node] : &none;
  bool task = is_emulated_task(tree, child);
  node->work += (double)child->repeat * (child->before + inside->work);
  node->locks |= inside->locks || inside->kind == CILKPROF_TREE_LOCK;
  node->forks |= inside->forks;
  node->plain &= child->node == NO_NODE;
  node->depth = inside->depth >= node->depth ? inside->depth + 1 : node->depth;
  node->sections += (double)child->repeat * inside->sections;
  node->all_tasks += (double)child->repeat * (inside->all_tasks + task);
  node->serial |= node->kind == CILKPROF_TREE_SECTION && !task;
  child->first = node->tasks;
  node->tasks += task ? child->repeat : 0;
  add_emulated_child_span(node, longest, child, inside->span, task);
}

void finish_emulated_tree_node(struct task_tree *tree, struct tree_node *node) {
  double longest = 0;
  node->plain = node->kind == CILKPROF_TREE_TASK;
  node->depth = 1;
  node->sections = node->kind == CILKPROF_TREE_SECTION;
  for (uint64_t i = 0; i < node->count; i++)
    add_emulated_child_sums(tree, node, &tree->children[node->first + i], &longest);
  if (node->kind != CILKPROF_TREE_SECTION)
    return;
  node->forks |= node->tasks > 1 || (node->spawns && node->tasks == 1 && node->count > 1);
  if (!node->spawns)
    longest += node->span; /* the serial part of a loop comes before its tasks */
  node->span = longest > node->span ? longest : node->span;
}

/* Converts FROM, the tree of the profile in the file PATH, to the form that emulators run.  Returns NULL if the profile
   has none.  Fails if nodes, tasks or work are too many to be counted.  */
struct task_tree *make_emulated_tree(const struct cilkprof_tree *from, const char *path) {
  if (from->node_count == 0)
    return NULL;
  if (from->node_count >= NO_NODE)
    fail(path, "its tree has too many nodes");
  struct task_tree *tree = allocate(1, sizeof *tree);
  struct table table = {0};
  size_t room = 0;
  *tree = (struct task_tree){.nodes = allocate(from->node_count, sizeof *tree->nodes),
                             .children = allocate(from->child_count + 1, sizeof *tree->children),
                             .node_count = from->node_count,
                             .child_count = from->child_count,
                             .flags = from->flags,
                             .units_per_second = (double)from->units_per_second,
                             .tolerance = (double)from->tolerance / 1000};
  for (size_t i = 0; i < from->child_count; i++)
    tree->children[i] = (struct tree_child){
        .before = (double)from->children[i].before,
        .repeat = from->children[i].repeat,
        .node = from->children[i].node == CILKPROF_NO_NODE ? NO_NODE : (uint32_t)from->children[i].node};
  for (size_t i = 0; i < from->node_count; i++) {
    const struct cilkprof_tree_node *of = &from->nodes[i];
    struct tree_node *node = &tree->nodes[i];
    *node = (struct tree_node){.kind = (enum cilkprof_tree_kind)of->kind,
                               .nowait = of->flags & CILKPROF_TREE_NOWAIT,
                               .spawns = of->flags & CILKPROF_TREE_SPAWNS,
                               .first = of->first,
                               .count = of->count,
                               .name = from->names[of->name]};
    if (node->kind == CILKPROF_TREE_LOCK)
      node->lock = number_emulated_lock(tree, &table, &room, of->lock, node->name);
    finish_emulated_tree_node(tree, node);
    if (node->all_tasks > MAX_TASKS)
      fail(path, "its tree has too many tasks");
  }
  if (!(emulated_tree_root(tree)->work < MAX_WORK))
    fail(path, "the work of its tree is too large");
  hash_table_free(&table);
  return tree;
}

/* Returns the child of SECTION, in an emulated tree, that contains the section's task number TASK.  */
const struct tree_child *find_emulated_task_child(const struct task_tree *tree, const struct tree_node *section,
                                                  uint64_t task) {
  const struct tree_child *children = emulated_node_children(tree, section);
  uint64_t low = 0, high = section->count;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (children[middle].first <= task)
      low = middle;
    else
      high = middle;
  }
  return &children[low]; /* of children with the same FIRST the last is a task */
}
