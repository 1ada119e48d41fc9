/* The tree of a Cilk or OpenMP program, made from the events of its spawns, syncs and loops.
   SPDX-License-Identifier: MIT

   The first spawn of a function since its last sync begins a section, which the sync ends.  The spawned calls are the
   tasks of the section, and what the function does in between is its own work.  A cilk_for is a section whose tasks are
   grains, a loop of an OpenMP team one whose tasks are chunks.  A tree cannot express everything, so some waiting is
   assumed: tasks that outlive a function or task are joined where that ends, a loop with nowait is waited for, and a
   task with depend is no task but part of the task that makes it.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/engine.h"
#include "libcilkprof/engine/tree/record.h"

/* The role of an open node in the frame that owns it.  The first three are sections, the others tasks.  */
enum { OF_SPAWNS = 1, OF_SCOPE, OF_LOOP, OF_CHILD, OF_FOREIGN_CHILD, OF_GRAIN };

/* Returns the innermost open node of TREE; the program itself is the outermost one.  */
static struct tree_open *innermost_cilk_tree_node(struct tree *tree) {
  return &tree->open[tree->open_count - 1];
}

/* Returns whether the innermost open node of TREE is FRAME's, in the role WHAT.  */
static int is_innermost_cilk_tree_node(struct tree *tree, const frame_t *frame, int what) {
  return innermost_cilk_tree_node(tree)->owner == frame && innermost_cilk_tree_node(tree)->line == what;
}

/* Begins a section or task of TREE for FRAME in the role WHAT.  */
static void begin_cilk_tree_node(struct tree *tree, const frame_t *frame, int what) {
  uint64_t kind = what <= OF_LOOP ? CILKPROF_TREE_SECTION : CILKPROF_TREE_TASK;
  __cilkprof_tree_begin(
      tree, &(struct tree_open){
                .kind = kind, .flags = what <= OF_SCOPE ? CILKPROF_TREE_SPAWNS : 0, .owner = frame, .line = what});
}

/* Ends the innermost open node of TREE, if it is FRAME's in the role WHAT.  Where the tree is too deep, the node was
   not opened, and is only counted.  */
static void end_cilk_tree_node(struct tree *tree, const frame_t *frame, int what) {
  if (tree->too_deep)
    tree->too_deep--;
  else if (is_innermost_cilk_tree_node(tree, frame, what))
    __cilkprof_tree_end(tree);
}

/* Begins a task of TREE in the role WHAT, which FRAME spawns, and a section around it unless one is open.  */
static void begin_spawned_tree_task(struct tree *tree, const frame_t *frame, int what) {
  if (!tree->too_deep && !is_innermost_cilk_tree_node(tree, frame, OF_SPAWNS) &&
      !is_innermost_cilk_tree_node(tree, frame, OF_SCOPE))
    begin_cilk_tree_node(tree, frame, OF_SPAWNS);
  begin_cilk_tree_node(tree, frame, what);
}

/* Ends the section of FRAME's spawns, where FRAME syncs.  Where the tree is too deep, only tasks are counted in
   TOO_DEEP, and not their sections.  */
static void end_tree_section_of_spawns(struct tree *tree, const frame_t *frame) {
  if (!tree->too_deep)
    end_cilk_tree_node(tree, frame, OF_SPAWNS);
}

/* Begins an iteration of FRAME's loop, and a new grain if the iteration before was the last of its grain.  */
static void begin_tree_loop_iteration(struct tree *tree, const frame_t *frame) {
  if (tree->too_deep)
    return;
  end_tree_section_of_spawns(tree, frame);
  if (frame->left == 0 && !(frame->block && frame->block->grain_rest))
    end_cilk_tree_node(tree, frame, OF_GRAIN);
  if (is_innermost_cilk_tree_node(tree, frame, OF_LOOP))
    begin_cilk_tree_node(tree, frame, OF_GRAIN);
}

/* Divides the work of FRAME's loop, which has TRIPS iterations, evenly among its grains: no events separated the
   iterations.  */
static void divide_tree_loop_evenly(struct tree *tree, const frame_t *frame, uint64_t trips) {
  uint64_t grain = frame->block && frame->block->grain ? frame->block->grain : 1, grains = (trips + grain - 1) / grain;
  uint64_t work = innermost_cilk_tree_node(tree)->before;
  for (uint64_t i = 0; i < grains; i++) {
    uint64_t part = work / grains + (i < work % grains);
    innermost_cilk_tree_node(tree)->before = 0;
    begin_cilk_tree_node(tree, frame, OF_GRAIN);
    innermost_cilk_tree_node(tree)->before = part;
    __cilkprof_tree_end(tree);
  }
}

/* Ends the last grain of FRAME's loop.  TRIPS is the number of iterations if no events separated them, else 0.  */
static void end_last_tree_grain(struct tree *tree, const frame_t *frame, uint64_t trips) {
  if (tree->too_deep)
    return;
  end_tree_section_of_spawns(tree, frame);
  end_cilk_tree_node(tree, frame, OF_GRAIN);
  if (trips && is_innermost_cilk_tree_node(tree, frame, OF_LOOP) &&
      tree->waiting_count == innermost_cilk_tree_node(tree)->waiting && tree->open_count < tree->open_room)
    divide_tree_loop_evenly(tree, frame, trips);
}

/* Distributes the cost of a loop's own spawns among its grains: those who run the grains also spawn them.  The loop is
   the innermost open node of TREE.  */
static void share_tree_loop_spawns(struct tree *tree) {
  struct tree_open *loop = innermost_cilk_tree_node(tree);
  uint64_t grains = 0, cost = loop->before;
  for (size_t i = loop->waiting; i < tree->waiting_count; i++)
    grains += tree->waiting[i].repeat;
  if (!grains)
    return;
  loop->before = 0;
  for (size_t i = loop->waiting; i < tree->waiting_count; i++) {
    uint64_t part = (uint64_t)((unsigned __int128)cost * tree->waiting[i].repeat / grains);
    cost -= part;
    grains -= tree->waiting[i].repeat;
    tree->waiting[i].sum += part;
  }
}

/* Ends the section of FRAME's loop, after the cost of its own spawns was distributed among its grains.  */
static void end_tree_loop(struct tree *tree, const frame_t *frame) {
  if (!tree->too_deep && is_innermost_cilk_tree_node(tree, frame, OF_LOOP))
    share_tree_loop_spawns(tree);
  end_cilk_tree_node(tree, frame, OF_LOOP);
}

/* Ends all nodes of frames inside of FRAME, to which control came back without a return, and the task that FRAME
   called.  */
static void end_tree_nodes_inside(struct tree *tree, const frame_t *frame) {
  while (tree->open_count > 1 && (const frame_t *)innermost_cilk_tree_node(tree)->owner > frame)
    __cilkprof_tree_end(tree);
  end_cilk_tree_node(tree, frame, OF_CHILD);
  end_cilk_tree_node(tree, frame, OF_FOREIGN_CHILD);
}

/* Ends all nodes of FRAME, whose function returns.  */
static void end_tree_nodes_of_frame(struct tree *tree, const frame_t *frame) {
  while (tree->open_count > 1 && !tree->too_deep && innermost_cilk_tree_node(tree)->owner == frame)
    __cilkprof_tree_end(tree);
}

/* Changes TREE for the event WHAT in FRAME, a fork or join of strands.  TRIPS is the number of iterations of a
   loop.  */
static void apply_fork_to_tree(struct tree *tree, enum cilkprof_fork what, const frame_t *frame, uint64_t trips) {
  switch (what) {
  case FORK_SPAWN:
    begin_spawned_tree_task(tree, frame, OF_CHILD);
    break;
  case FORK_RETURNED:
    end_cilk_tree_node(tree, frame, OF_CHILD);
    break;
  case FORK_FOREIGN:
    begin_spawned_tree_task(tree, frame, OF_FOREIGN_CHILD);
    break;
  case FORK_FOREIGN_RETURNED:
    if (!tree->too_deep)
      end_cilk_tree_node(tree, frame, OF_FOREIGN_CHILD);
    break;
  case FORK_SYNC:
    end_tree_section_of_spawns(tree, frame);
    break;
  case FORK_SCOPE:
    begin_cilk_tree_node(tree, frame, OF_SCOPE);
    break;
  case FORK_SCOPE_END:
    end_tree_section_of_spawns(tree, frame);
    end_cilk_tree_node(tree, frame, OF_SCOPE);
    break;
  case FORK_LOOP:
    begin_cilk_tree_node(tree, frame, OF_LOOP);
    break;
  case FORK_ITERATE:
    begin_tree_loop_iteration(tree, frame);
    break;
  case FORK_LAST_GRAIN:
    end_last_tree_grain(tree, frame, trips);
    break;
  case FORK_LOOP_END:
    end_tree_loop(tree, frame);
    break;
  case FORK_RESUME:
    end_tree_nodes_inside(tree, frame);
    break;
  case FORK_LEAVE:
    end_tree_nodes_of_frame(tree, frame);
    break;
  }
}

/* Records the event WHAT in FRAME, a fork or join of strands, in the tree of this run.  LOCAL_WORK is what FRAME's
   function did itself so far.  The time that this takes is not the program's.  */
static void record_fork_in_tree(enum cilkprof_fork what, frame_t *frame, uint64_t local_work, uint64_t trips) {
  struct tree *tree = profiled_thread()->tree.tree;
  if (THREAD.signals || profiled_thread()->tree.busy || frame == THREAD.frames_end || !__cilkprof_api_begins())
    return;
  profiled_thread()->tree.busy = 1;
  frame->local_work = local_work;
  __cilkprof_tree_called(tree);
  apply_fork_to_tree(tree, what, frame, trips);
  profiled_thread()->tree.busy = 0;
  profiled_thread()->tree.told = 1;
  __cilkprof_api_ends();
}

/* Makes the program's spawns, syncs and loops be recorded as a tree.  Does nothing if there is no memory.  */
void __cilkprof_tree_of_cilk(void) {
  struct tree *tree = __cilkprof_tree_start(0);
  if (!tree)
    return;
  tree->flags |= CILKPROF_TREE_OF_CILK;
  __cilkprof_observer.forked = record_fork_in_tree;
}
