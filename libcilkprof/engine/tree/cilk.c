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

static struct tree_open *innermost(struct tree *tree) {
  return &tree->open[tree->open_count - 1];
}

/* Returns whether the innermost open node is FRAME's, in the role WHAT.  */
static int is_open(struct tree *tree, const frame_t *frame, int what) {
  return innermost(tree)->owner == frame && innermost(tree)->line == what;
}

/* Begins a node of FRAME in the role WHAT.  */
static void begin(struct tree *tree, const frame_t *frame, int what) {
  uint64_t kind = what <= OF_LOOP ? CILKPROF_TREE_SECTION : CILKPROF_TREE_TASK;
  __cilkprof_tree_begin(
      tree, &(struct tree_open){
                .kind = kind, .flags = what <= OF_SCOPE ? CILKPROF_TREE_SPAWNS : 0, .owner = frame, .line = what});
}

/* Ends the innermost node, if it is FRAME's in the role WHAT.  */
static void end(struct tree *tree, const frame_t *frame, int what) {
  if (tree->too_deep)
    tree->too_deep--;
  else if (is_open(tree, frame, what))
    __cilkprof_tree_end(tree);
}

/* FRAME spawns: begins a section, unless one is open, and a task in it.  */
static void spawn(struct tree *tree, const frame_t *frame, int what) {
  if (!tree->too_deep && !is_open(tree, frame, OF_SPAWNS) && !is_open(tree, frame, OF_SCOPE))
    begin(tree, frame, OF_SPAWNS);
  begin(tree, frame, what);
}

/* FRAME syncs: ends the section of its spawns.  Where the tree is too deep, only tasks are counted in TOO_DEEP, and not
   their sections.  */
static void join(struct tree *tree, const frame_t *frame) {
  if (!tree->too_deep)
    end(tree, frame, OF_SPAWNS);
}

/* Begins an iteration, and a new grain if the iteration before was the last of its grain.  */
static void iterate(struct tree *tree, const frame_t *frame) {
  if (tree->too_deep)
    return;
  join(tree, frame);
  if (frame->left == 0)
    end(tree, frame, OF_GRAIN);
  if (is_open(tree, frame, OF_LOOP))
    begin(tree, frame, OF_GRAIN);
}

/* Divides the work of a loop of TRIPS iterations evenly among its grains: no events separated the iterations.  */
static void divide_evenly(struct tree *tree, const frame_t *frame, uint64_t trips) {
  uint64_t grain = frame->block && frame->block->grain ? frame->block->grain : 1, grains = (trips + grain - 1) / grain;
  uint64_t work = innermost(tree)->before;
  for (uint64_t i = 0; i < grains; i++) {
    uint64_t part = work / grains + (i < work % grains);
    innermost(tree)->before = 0;
    begin(tree, frame, OF_GRAIN);
    innermost(tree)->before = part;
    __cilkprof_tree_end(tree);
  }
}

/* Ends the last grain of a loop.  TRIPS is the number of iterations if no events separated them, else 0.  */
static void end_last_grain(struct tree *tree, const frame_t *frame, uint64_t trips) {
  if (tree->too_deep)
    return;
  join(tree, frame);
  end(tree, frame, OF_GRAIN);
  if (trips && is_open(tree, frame, OF_LOOP) && tree->waiting_count == innermost(tree)->waiting &&
      tree->open_count < tree->open_room)
    divide_evenly(tree, frame, trips);
}

/* Distributes the cost of a loop's own spawns among its grains: those who run the grains also spawn them.  */
static void share_spawns(struct tree *tree) {
  struct tree_open *loop = innermost(tree);
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

static void end_loop(struct tree *tree, const frame_t *frame) {
  if (!tree->too_deep && is_open(tree, frame, OF_LOOP))
    share_spawns(tree);
  end(tree, frame, OF_LOOP);
}

/* Control came back to FRAME without a return: ends all nodes of frames inside of it, and the task that it called.  */
static void resume(struct tree *tree, const frame_t *frame) {
  while (tree->open_count > 1 && (const frame_t *)innermost(tree)->owner > frame)
    __cilkprof_tree_end(tree);
  end(tree, frame, OF_CHILD);
  end(tree, frame, OF_FOREIGN_CHILD);
}

/* FRAME's function returns: ends all its nodes.  */
static void leave(struct tree *tree, const frame_t *frame) {
  while (tree->open_count > 1 && !tree->too_deep && innermost(tree)->owner == frame)
    __cilkprof_tree_end(tree);
}

/* Changes the tree for the event WHAT in FRAME.  */
static void apply(struct tree *tree, enum cilkprof_fork what, const frame_t *frame, uint64_t trips) {
  switch (what) {
  case FORK_SPAWN:
    spawn(tree, frame, OF_CHILD);
    break;
  case FORK_RETURNED:
    end(tree, frame, OF_CHILD);
    break;
  case FORK_FOREIGN:
    spawn(tree, frame, OF_FOREIGN_CHILD);
    break;
  case FORK_FOREIGN_RETURNED:
    if (!tree->too_deep)
      end(tree, frame, OF_FOREIGN_CHILD);
    break;
  case FORK_SYNC:
    join(tree, frame);
    break;
  case FORK_SCOPE:
    begin(tree, frame, OF_SCOPE);
    break;
  case FORK_SCOPE_END:
    join(tree, frame);
    end(tree, frame, OF_SCOPE);
    break;
  case FORK_LOOP:
    begin(tree, frame, OF_LOOP);
    break;
  case FORK_ITERATE:
    iterate(tree, frame);
    break;
  case FORK_LAST_GRAIN:
    end_last_grain(tree, frame, trips);
    break;
  case FORK_LOOP_END:
    end_loop(tree, frame);
    break;
  case FORK_RESUME:
    resume(tree, frame);
    break;
  case FORK_LEAVE:
    leave(tree, frame);
    break;
  }
}

/* Records the event WHAT in FRAME.  The time that this takes is not the program's.  */
static void record(enum cilkprof_fork what, frame_t *frame, uint64_t local_work, uint64_t trips) {
  struct tree *tree = profiled_thread()->tree.tree;
  if (THREAD.signals || profiled_thread()->tree.busy || frame == THREAD.frames_end || !__cilkprof_api_begins())
    return;
  profiled_thread()->tree.busy = 1;
  frame->local_work = local_work;
  __cilkprof_tree_called(tree);
  apply(tree, what, frame, trips);
  profiled_thread()->tree.busy = 0;
  profiled_thread()->tree.told = 1;
  __cilkprof_api_ends();
}

void __cilkprof_tree_of_cilk(void) {
  struct tree *tree = __cilkprof_tree_start(0);
  if (!tree)
    return;
  tree->flags |= CILKPROF_TREE_OF_CILK;
  __cilkprof_observer.forked = record;
}
