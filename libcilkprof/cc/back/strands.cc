/* Hybrid mode: which strands are timed, and not only counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Timing starts where a strand first enters a loop, calls code that is not counted or copies a large object, and lasts
   until the strand ends.  The part before, and strands without any of these, are counted.  So a strand reads the timer
   at most twice, however many loops it has.  */

#include "plan.h"

static bool any_statement(basic_block block, bool (*wanted)(const gimple *)) {
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
    if (wanted(gsi_stmt(at)))
      return true;
  return false;
}

/* A loop can be timed if code can be inserted on every edge that enters it, and nothing in it ends a strand.  */
static bool timeable_p(class loop *loop) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (!flow_bb_inside_loop_p(loop, e->src) && e->flags & (EDGE_ABNORMAL | EDGE_EH))
      return false;
  basic_block *blocks = get_loop_body(loop);
  bool timeable = true;
  for (unsigned i = 0; i < loop->num_nodes && timeable; i++)
    timeable = !any_statement(blocks[i], event_p);
  free(blocks);
  return timeable;
}

static void find_loops(class loop *outer, small_locks *locks, timed_parts *found) {
  for (class loop *loop = outer->inner; loop; loop = loop->next)
    if (locks->retrying.contains(loop->header))
      continue;
    else if (timeable_p(loop)) {
      found->loops.safe_push(loop);
      basic_block *blocks = get_loop_body(loop);
      for (unsigned i = 0; i < loop->num_nodes; i++)
        found->blocks.add(blocks[i]);
      free(blocks);
    } else
      find_loops(loop, locks, found);
}

void find_timed_parts(function *fun, small_locks *locks, timed_parts *found) {
  basic_block block;
  find_loops(loops_for_fn(fun)->tree_root, locks, found);
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      found->uncounted |= uncounted_p(gsi_stmt(at)) && !locks->atomics.contains(gsi_stmt(at));
  find_counted_loops(found);
}
