/* Nodes of the tree that is made from the long children of a program: their children, and how long they are.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/tree/grown.h"

/* Adds NODE as a child, REPEAT times, with WORK before each.  A child that is equal to the last one is only
   counted.  */
void __cilkprof_grown_child(struct growing *growing, uint64_t work, uint64_t repeat, uint64_t node) {
  struct tree_child *last = &growing->children[growing->child_count];
  if (growing->child_count && node != CILKPROF_NO_NODE && last[-1].node == node && last[-1].sum == work)
    last[-1].repeat += repeat;
  else
    growing->children[growing->child_count++] = (struct tree_child){work, work, repeat, node};
}

/* Returns the span of a node of KIND, with FLAGS, whose children are those from FIRST on.  */
uint64_t __cilkprof_grown_span(const struct growing *growing, uint64_t kind, uint64_t flags, size_t first) {
  uint64_t path = 0, longest = 0; /* through what the node does itself; to the end of a task in it */
  for (size_t i = first; i < growing->child_count; i++) {
    const struct tree_child *child = &growing->children[i];
    int has_node = child->node != CILKPROF_NO_NODE,
        is_task =
            kind == CILKPROF_TREE_SECTION && has_node && growing->tree->nodes[child->node].kind == CILKPROF_TREE_TASK;
    uint64_t before = child->reference, inside = has_node ? growing->spans[child->node] : 0, end = before + inside;
    if (!is_task || flags & CILKPROF_TREE_SPAWNS) { /* else it is an iteration, which has the work before it in it */
      path += child->repeat * (before + (is_task ? 0 : inside));
      end = path + inside;
    }
    if (is_task && end > longest)
      longest = end;
  }
  if (kind == CILKPROF_TREE_SECTION && !(flags & CILKPROF_TREE_SPAWNS)) /* a loop's own work comes before its tasks */
    return path + longest;
  return longest > path ? longest : path;
}

/* Makes a node of KIND, with FLAGS, of the children from FIRST on, which become its own.  LENGTH is all work inside it.
   Returns its index; CILKPROF_NO_NODE: there is no room.  */
uint64_t __cilkprof_grown_node(struct growing *growing, uint64_t kind, uint64_t flags, size_t first, uint64_t length) {
  struct tree_node like = {
      .kind = kind, .flags = flags, .count = growing->child_count - first, .uses = 1, .length = length};
  uint64_t span = __cilkprof_grown_span(growing, kind, flags, first);
  growing->child_count = first;
  uint64_t node = __cilkprof_tree_find(growing->tree, &like, &growing->children[first], CILKPROF_NO_NODE);
  if (node != CILKPROF_NO_NODE)
    growing->spans[node] = span;
  return node;
}

/* Adds tasks with WORK in all as children of a loop, none longer than LONGEST.  */
void __cilkprof_grown_equal_tasks(struct growing *growing, uint64_t work, uint64_t longest) {
  if (work >= longest)
    __cilkprof_grown_child(growing, longest, work / longest, growing->empty);
  if (work % longest)
    __cilkprof_grown_child(growing, work % longest, 1, growing->empty);
}

/* Returns a loop of equal tasks with WORK in all and a span of SPAN.  */
uint64_t __cilkprof_grown_equal_loop(struct growing *growing, uint64_t work, uint64_t span) {
  size_t first = growing->child_count;
  __cilkprof_grown_equal_tasks(growing, work, span);
  return __cilkprof_grown_node(growing, CILKPROF_TREE_SECTION, 0, first, work);
}
