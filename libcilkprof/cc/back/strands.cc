/* Hybrid mode: which strands are timed, and not only counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Timing starts where a strand first enters a loop, calls code that is not counted or copies a large object, and lasts
   until the strand ends.  The part before, and strands without any of these, are counted.  So a strand reads the timer
   at most twice, however many loops it has.  */

#include "plan.h"

/* Finds the loops and other statements of FUN that make hybrid mode time a strand, and adds them to FOUND.  Atomic
   operations under LOCKS are not among them, nor is anything in the blocks COUNTED, which have no events.  DIVIDING is
   as for find_loops_without_events.  */
void find_timed_strand_parts(function *fun, small_locks *locks, hash_set<basic_block> *counted, bool dividing,
                             timed_parts *found) {
  basic_block block;
  scev_initialize();
  find_loops_without_events(loops_for_fn(fun)->tree_root, locks, dividing, &found->loops);
  scev_finalize();
  for (unsigned i = found->loops.length(); i-- > 0;)
    if (counted->contains(found->loops[i]->header))
      found->loops.ordered_remove(i);
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
