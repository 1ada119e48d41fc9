/* Building the tree: beginning and ending nodes.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/tree/tree.h"

enum {
  DEPTH = 1 << 16,       /* open nodes at most */
  NAMES = 1 << 14,       /* names at most, */
  NAME_BYTES = 1 << 20,  /* their characters in all, */
  MAX_NAME = 256,        /* and those of one name */
  MAX_WAITING = 1 << 15, /* children of an open node from which on they are compacted */
};

/* Returns a new tree that takes about BYTES at most, with TOLERANCE in 1/1000, or NULL if there is no memory.  Nodes,
   their children, and the children of open nodes get a quarter of BYTES each.  The rest is for the dictionary's hash
   table.  */
struct tree *__cilkprof_tree_make(size_t bytes, uint64_t tolerance) {
  struct tree *tree = __cilkprof_reserve(sizeof *tree);
  if (!tree)
    return NULL;
  tree->tolerance = tolerance;
  tree->node_room = bytes / 4 / sizeof *tree->nodes;
  tree->child_room = bytes / 4 / sizeof *tree->children;
  tree->waiting_room = bytes / 4 / sizeof *tree->waiting;
  tree->open_room = DEPTH;
  tree->name_room = NAMES;
  tree->bucket_room = 1;
  while (tree->bucket_room < tree->node_room)
    tree->bucket_room *= 2;
  tree->nodes = __cilkprof_reserve(tree->node_room * sizeof *tree->nodes);
  tree->children = __cilkprof_reserve(tree->child_room * sizeof *tree->children);
  tree->waiting = __cilkprof_reserve(tree->waiting_room * sizeof *tree->waiting);
  tree->open = __cilkprof_reserve(tree->open_room * sizeof *tree->open);
  tree->buckets = __cilkprof_reserve(tree->bucket_room * sizeof *tree->buckets);
  tree->names = __cilkprof_reserve(NAMES * sizeof *tree->names);
  tree->changes = __cilkprof_reserve(NAMES);
  tree->text = __cilkprof_reserve(NAME_BYTES);
  if (!tree->nodes || !tree->children || !tree->waiting || !tree->open || !tree->buckets || !tree->names ||
      !tree->changes || !tree->text)
    return NULL;
  __cilkprof_tree_name(tree, "");
  tree->open[tree->open_count++] = (struct tree_open){.kind = CILKPROF_TREE_TASK, .most = MAX_WAITING, .file = ""};
  return tree;
}

/* Removes the quotes around NAME, if it has any, and returns its length.  Advisor's macros make a string of their
   argument, which may already be one.  */
static size_t trim_tree_name_quotes(const char **name) {
  size_t length = strnlen(*name, MAX_NAME);
  if (length >= 2 && (*name)[0] == '"' && (*name)[length - 1] == '"')
    ++*name, length -= 2;
  return length;
}

/* Returns the index of NAME in TREE, to which it is added if it is new; 0, the empty name, if there is no room for it.
   This is a linear search from the last name on: there are few names, and mostly one of the last is asked for.  */
uint64_t __cilkprof_tree_name(struct tree *tree, const char *name) {
  size_t length = name ? trim_tree_name_quotes(&name) : 0;
  for (size_t i = tree->name_count; i > 0; i--)
    if (strncmp(tree->names[i - 1], name ? name : "", length) == 0 && tree->names[i - 1][length] == 0)
      return i - 1;
  if (tree->name_count == tree->name_room || tree->text_used + length + 1 > NAME_BYTES)
    return 0;
  char *copy = tree->text + tree->text_used;
  if (length)
    memcpy(copy, name, length);
  tree->text_used += length + 1;
  tree->names[tree->name_count] = copy;
  return tree->name_count++;
}

/* Opens NODE inside the innermost open node of TREE.  If the tree is too deep, only TOO_DEEP is incremented.  */
void __cilkprof_tree_begin(struct tree *tree, const struct tree_open *node) {
  if (tree->open_count == tree->open_room) {
    tree->too_deep++;
    tree->flags |= CILKPROF_TREE_CUT;
    return;
  }
  tree->open[tree->open_count] = *node;
  tree->open[tree->open_count].before = 0;
  tree->open[tree->open_count].most = MAX_WAITING;
  tree->open[tree->open_count++].waiting = tree->waiting_count;
  if (node->kind == CILKPROF_TREE_SECTION && tree->sections++ == 0)
    __cilkprof_counters_begin(tree->counters, node->name);
}

/* Returns the work of CHILD, in all its repetitions, with its parent's work before it.  */
static uint64_t tree_child_length(const struct tree *tree, const struct tree_child *child) {
  uint64_t inside = child->node == CILKPROF_NO_NODE ? 0 : tree->nodes[child->node].length;
  return child->sum + inside * child->repeat;
}

/* Compacts the children of OPEN, an open node of TREE, if they are too many.  Where that helps little, it is not tried
   again soon.  */
static void make_room_for_tree_child(struct tree *tree, struct tree_open *open) {
  if (tree->waiting_count - open->waiting < open->most && tree->waiting_count < tree->waiting_room)
    return;
  __cilkprof_tree_compact(tree, open->waiting);
  uint64_t left = tree->waiting_count - open->waiting;
  open->most = 2 * left > MAX_WAITING ? 2 * left : MAX_WAITING;
}

/* Adds NODE as a child of the innermost open node, after that node's own work.  A child that is equal to the last one
   is only counted.  */
static void add_tree_child(struct tree *tree, uint64_t node) {
  struct tree_open *open = &tree->open[tree->open_count - 1];
  struct tree_child *last = tree->waiting_count > open->waiting ? &tree->waiting[tree->waiting_count - 1] : NULL;
  uint64_t before = open->before;
  if (last && node != CILKPROF_NO_NODE && last->node == node &&
      __cilkprof_tree_close_to(tree, before, last->reference, tree->nodes[node].length + before)) {
    last->repeat++;
    last->sum += before;
    open->before = 0;
    return;
  }
  make_room_for_tree_child(tree, open);
  if (tree->waiting_count == tree->waiting_room) {
    tree->flags |= CILKPROF_TREE_CUT; /* the child becomes its parent's own work */
    open->before += node == CILKPROF_NO_NODE ? 0 : tree->nodes[node].length;
    return;
  }
  tree->waiting[tree->waiting_count++] = (struct tree_child){before, before, 1, node};
  open->before = 0;
}

/* Closes the innermost open node of TREE, and sets LENGTH to the work inside it.  Returns its index, or
   CILKPROF_NO_NODE if there is no room for it.  Runs of equal children enter the dictionary with their mean.  */
static uint64_t close_tree_node(struct tree *tree, uint64_t *length) {
  struct tree_open *open = &tree->open[tree->open_count - 1];
  if (open->before)
    add_tree_child(tree, CILKPROF_NO_NODE);
  struct tree_child *children = &tree->waiting[open->waiting];
  size_t count = tree->waiting_count - open->waiting;
  struct tree_node like = {open->kind, open->flags, open->name, open->lock, 0, count, 1, open->before, 0};
  for (size_t i = 0; i < count; i++) {
    like.length += tree_child_length(tree, &children[i]);
    children[i].sum = children[i].reference = tree_mean(children[i].sum, children[i].repeat);
  }
  *length = like.length;
  uint64_t hint = CILKPROF_NO_NODE;
  if (tree->open_count > 1 && open->waiting > open[-1].waiting)
    hint = tree->waiting[open->waiting - 1].node;
  uint64_t node = __cilkprof_tree_find(tree, &like, children, hint);
  tree->waiting_count = open->waiting;
  return node;
}

/* Ends the innermost open node of TREE: it becomes a child of the one around it, or that node's own work if there is no
   room for it.  */
void __cilkprof_tree_end(struct tree *tree) {
  const struct tree_open *open = &tree->open[tree->open_count - 1];
  if (open->kind == CILKPROF_TREE_SECTION && --tree->sections == 0)
    __cilkprof_counters_end(tree->counters, open->name);
  uint64_t length, node = close_tree_node(tree, &length);
  tree->open_count--;
  if (node != CILKPROF_NO_NODE) {
    add_tree_child(tree, node);
    return;
  }
  tree->flags |= CILKPROF_TREE_CUT;
  tree->open[tree->open_count - 1].before += length;
}

/* Ends all open nodes of TREE but the program itself.  The program does not become a node, for which there may be no
   room: its children stay in WAITING.  */
void __cilkprof_tree_close(struct tree *tree) {
  tree->too_deep = 0;
  if (tree->open_count > 1)
    tree->flags |= CILKPROF_TREE_OPEN;
  while (tree->open_count > 1)
    __cilkprof_tree_end(tree);
  if (tree->open[0].before)
    add_tree_child(tree, CILKPROF_NO_NODE);
}
