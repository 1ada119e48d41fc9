/* How many Cilk blocks of a function are open at each place; a jump may have left some of them.
   SPDX-License-Identifier: GPL-3.0-or-later

   On every path through the function, beginnings and ends of blocks match.  So the number at a place follows from any
   path without jumps from the entry to this place, or from there to a return.  */

#include "plan.h"

/* Returns true if control may leave Cilk blocks without their ends on the edge E, by a computed goto or an asm goto.
   GCC merges all computed gotos of a function into one, so the edges to that one count, too.  */
static bool edge_may_leave_marked_blocks_p(const_edge e) {
  gimple *last = last_nondebug_stmt(e->src), *next = last_nondebug_stmt(e->dest);
  bool computed = next && computed_goto_p(next) && !single_pred_p(e->dest);
  bool by_asm = last && gimple_code(last) == GIMPLE_ASM && !(e->flags & EDGE_FALLTHRU);
  return computed || by_asm || (e->flags & EDGE_ABNORMAL && !(e->flags & EDGE_EH));
}

/* Returns by how many more Cilk blocks are open at the end of BB than at its start; the number may be negative.
   OPENED tells how many a statement opens.  */
static int open_marked_blocks_changed_in_bb(basic_block bb, int (*opened)(const gimple *)) {
  int change = 0;
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    change += opened(gsi_stmt(at));
  return change;
}

/* Notes that OPEN Cilk blocks are open at the start of BB, if it was not visited before, and adds it to WORK, the basic
   blocks from which to go on.  */
static void note_open_marked_blocks_in_bb(basic_block bb, int open, hash_map<basic_block, int> *at_start,
                                          vec<basic_block> *work) {
  if (bb->index < NUM_FIXED_BLOCKS || at_start->get(bb))
    return;
  at_start->put(bb, open);
  work->safe_push(bb);
}

/* Finds how many Cilk blocks are open at the start of each basic block of FUN, and stores it in AT_START.  OPENED
   tells how many a statement opens.  Basic blocks that only jumps connect with the entry and with all returns are left
   out.  */
void find_open_marked_blocks_in_bbs(function *fun, int (*opened)(const gimple *),
                                    hash_map<basic_block, int> *at_start) {
  auto_vec<basic_block> work;
  edge e;
  edge_iterator ei;
  note_open_marked_blocks_in_bb(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)), 0, at_start, &work);
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN(fun)->preds)
    note_open_marked_blocks_in_bb(e->src, -open_marked_blocks_changed_in_bb(e->src, opened), at_start, &work);
  while (work.length()) {
    basic_block bb = work.pop();
    int start = *at_start->get(bb), end = start + open_marked_blocks_changed_in_bb(bb, opened);
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (!edge_may_leave_marked_blocks_p(e))
        note_open_marked_blocks_in_bb(e->dest, end, at_start, &work);
    FOR_EACH_EDGE (e, ei, bb->preds)
      if (!edge_may_leave_marked_blocks_p(e))
        note_open_marked_blocks_in_bb(e->src, start - open_marked_blocks_changed_in_bb(e->src, opened), at_start,
                                      &work);
  }
}

/* Returns true if FUN has a marker that opens or closes a Cilk block, such as a cilk_for.  */
bool has_block_markers_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (blocks_opened_by_marker(gsi_stmt(at)))
        return true;
  return false;
}
