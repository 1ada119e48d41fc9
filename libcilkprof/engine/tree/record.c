/* The tree of this run: making it, adding the program's work to it, ending it, and writing it to the profile.
   SPDX-License-Identifier: MIT  */

#include <errno.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/tree/record.h"

enum { DEFAULT_TOLERANCE = 50, DEFAULT_MEGABYTES = 64, MAX_TOLERANCE = 1000 };

/* Returns the tree of sections, tasks and locks of this run; NULL: there is none.  */
static struct tree *recorded_tree(void) {
  return profiled_thread()->tree.tree;
}

/* Returns the work of the program so far: as its events measured it, or, without events, its CPU time in ticks.  */
static uint64_t tree_work_so_far(const struct tree *tree) {
  return tree->timed ? __cilkprof_own_ticks() : __cilkprof_point(THREAD.frames).work;
}

/* Returns the tolerance that the user asked for, in 1/1000; CILKPROF_TOLERANCE is in percent.  */
static uint64_t tree_tolerance_setting(void) {
  uint64_t percent = __cilkprof_environment_number("CILKPROF_TOLERANCE", 0, DEFAULT_TOLERANCE / 10);
  return percent > MAX_TOLERANCE / 10 ? MAX_TOLERANCE : percent * 10;
}

/* Returns the tree of this run, which is made by the first call; NULL if there is no memory, which is reported.  TIMED:
   the program has no events, so its work is measured by the clock.  */
struct tree *__cilkprof_tree_start(int timed) {
  struct profiled_tree *state = &profiled_thread()->tree;
  if (state->tree || state->failed)
    return state->tree;
  uint64_t megabytes = __cilkprof_environment_number("CILKPROF_TREE_MEMORY", 1, DEFAULT_MEGABYTES);
  struct tree *tree = __cilkprof_tree_make(megabytes << 20, tree_tolerance_setting());
  state->failed = !tree;
  if (!tree) {
    __cilkprof_say("out of memory", "no task tree is recorded", NULL);
    return NULL;
  }
  tree->timed = timed;
  tree->counters = __cilkprof_counters_make(tree->name_room);
  tree->last = timed ? tree_work_so_far(tree) : 0;
  return state->tree = tree;
}

/* Adds the work from the last time up to NOW to the innermost open node of TREE.  In a timed tree the cost of reading
   the timer is subtracted.  */
static void add_tree_work_until(struct tree *tree, uint64_t now) {
  if (now <= tree->last) /* the known work may be less for a while, after control left a frame behind */
    return;
  uint64_t done = now - tree->last, cost = tree->timed ? ENGINE.timer_cost / 1024 : 0;
  tree->open[tree->open_count - 1].before += done > cost ? done - cost : 0;
  tree->last = now;
}

/* Adds the program's work since the last time to the innermost open node of TREE, before something is recorded in
   it.  */
void __cilkprof_tree_called(struct tree *tree) {
  add_tree_work_until(tree, tree_work_so_far(tree));
}

/* Makes the time since __cilkprof_tree_called not count as work, after something was recorded in TREE, if that is
   timed.  */
void __cilkprof_tree_returns(struct tree *tree) {
  if (tree->timed)
    tree->last = __cilkprof_own_ticks();
}

/* Ends all open nodes of the tree of this run, or makes one of its long children if it has no annotations.  Called when
   no invocation is open any more: THREAD.foreign has the work of the whole program.  Roots have a tree of their own
   each, which is not known.  */
void __cilkprof_tree_finish(void) {
  struct tree *tree = recorded_tree();
  if (!tree) {
    if (!profiled_thread()->tree.failed && !profiled_thread()->roots)
      profiled_thread()->tree.tree = __cilkprof_tree_grown(THREAD.foreign.work, THREAD.foreign.span,
                                                           THREAD.foreign.burdened_span - THREAD.foreign.span);
    return;
  }
  add_tree_work_until(tree, tree->timed ? __cilkprof_own_ticks() : THREAD.foreign.work);
  __cilkprof_tree_close(tree);
}

/* Copies COUNT children of a node with USES from FROM to TO, with their mean work.  USES is 0 for the program's
   children: each of their sums is over its own repetitions.  */
static void copy_tree_children(struct cilkprof_tree_child *to, const struct tree_child *from, size_t count,
                               uint64_t uses) {
  for (size_t i = 0; i < count; i++)
    to[i] = (struct cilkprof_tree_child){tree_mean(from[i].sum, uses ? uses : from[i].repeat), from[i].repeat,
                                         from[i].node};
}

/* Writes the tree of this run, if there is one, to the profile.  The program is its last node, whose children are those
   that still wait.  */
void __cilkprof_tree_write(struct cilkprof_writer *writer) {
  const struct tree *tree = recorded_tree();
  if (!tree || tree->open_count != 1)
    return;
  size_t node_count = tree->node_count + 1, child_count = tree->child_count + tree->waiting_count;
  struct cilkprof_tree_node *nodes = __cilkprof_reserve(node_count * sizeof *nodes);
  struct cilkprof_tree_child *children = __cilkprof_reserve((child_count + 1) * sizeof *children);
  struct cilkprof_tree_counts *counts = __cilkprof_reserve(tree->name_count * sizeof *counts);
  if (!nodes || !children || !counts) {
    __cilkprof_say("out of memory", "the task tree is not written", NULL);
    return;
  }
  for (size_t i = 0; i < tree->node_count; i++) {
    const struct tree_node *node = &tree->nodes[i];
    nodes[i] = (struct cilkprof_tree_node){node->kind, node->flags, node->name, node->lock, node->first, node->count};
    copy_tree_children(&children[node->first], &tree->children[node->first], node->count, node->uses ? node->uses : 1);
  }
  nodes[node_count - 1] =
      (struct cilkprof_tree_node){.kind = CILKPROF_TREE_TASK, .first = tree->child_count, .count = tree->waiting_count};
  copy_tree_children(&children[tree->child_count], tree->waiting, tree->waiting_count, 0);
  size_t counted = __cilkprof_counters_copy(tree->counters, tree->name_count, counts);
  cilkprof_write_tree(writer, &(struct cilkprof_tree){
                                  .flags = tree->flags | (counted ? CILKPROF_TREE_COUNTED : 0),
                                  .units_per_second = tree->timed ? ENGINE.timer_hz : __cilkprof_units_per_second(),
                                  .tolerance = tree->tolerance,
                                  .node_count = node_count,
                                  .child_count = child_count,
                                  .name_count = tree->name_count,
                                  .nodes = nodes,
                                  .children = children,
                                  .names = (const char *const *)tree->names,
                                  .count_count = counted,
                                  .counts = counts,
                              });
}
