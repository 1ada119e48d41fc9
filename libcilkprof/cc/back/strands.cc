/* Hybrid mode: which strands are timed, and not only counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Timing starts where a strand first enters a loop, calls code that is not counted or copies a large object, and lasts
   until the strand ends.  The part before, and strands without any of these, are counted.  So a strand reads the timer
   at most twice, however many loops it has.  */

#include "plan.h"

/* Returns true if BLOCK has a statement for which WANTED returns true.  */
static bool block_has_statement_p(basic_block block, bool (*wanted)(const gimple *)) {
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
    if (wanted(gsi_stmt(at)))
      return true;
  return false;
}

/* Returns true if LOOP can be timed: code can be inserted on every edge that enters it, and nothing in it ends a
   strand.  */
static bool timeable_loop_p(class loop *loop) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (!flow_bb_inside_loop_p(loop, e->src) && e->flags & (EDGE_ABNORMAL | EDGE_EH))
      return false;
  basic_block *blocks = get_loop_body(loop);
  bool timeable = true;
  for (unsigned i = 0; i < loop->num_nodes && timeable; i++)
    timeable = !block_has_statement_p(blocks[i], statement_gets_event_p);
  free(blocks);
  return timeable;
}

/* Adds the outermost loops in OUTER without events to FOUND, except those that retry an atomic operation under one of
   LOCKS.  If DIVIDING, a loop that is divided into the loops in it is replaced by these.  */
void find_loops_without_events(class loop *outer, small_locks *locks, bool dividing, vec<class loop *> *found) {
  for (class loop *loop = outer->inner; loop; loop = loop->next)
    if (locks->retrying.contains(loop->header))
      continue;
    else if (timeable_loop_p(loop) && !(dividing && divided_loop_p(loop)))
      found->safe_push(loop);
    else
      find_loops_without_events(loop, locks, dividing, found);
}

/* Finds the loops and other statements of FUN that make hybrid mode time a strand, and adds them to FOUND.  Atomic
   operations under LOCKS are not among them.  DIVIDING is as for find_loops_without_events.  */
void find_timed_strand_parts(function *fun, small_locks *locks, bool dividing, timed_parts *found) {
  basic_block block;
  find_loops_without_events(loops_for_fn(fun)->tree_root, locks, dividing, &found->loops);
  for (class loop *loop : found->loops) {
    basic_block *blocks = get_loop_body(loop);
    for (unsigned i = 0; i < loop->num_nodes; i++)
      found->blocks.add(blocks[i]);
    free(blocks);
  }
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      found->uncounted |= runs_uncounted_code_p(gsi_stmt(at)) && !locks->atomics.contains(gsi_stmt(at));
  find_counted_loops(found);
}
