/* How many Cilk blocks of a function are open at each place; a jump may have left some of them.
   SPDX-License-Identifier: GPL-3.0-or-later

   On every path through the function, beginnings and ends of blocks match.  So the number at a place follows from any
   path without jumps from the entry to this place, or from there to a return.  */

#include "plan.h"

/* On this edge, a computed goto or an asm goto may leave blocks without their ends.  GCC merges all computed gotos of a
   function into one, so the edges to that one are jumps, too.  */
static bool jump_p(const_edge e) {
  gimple *last = last_nondebug_stmt(e->src), *next = last_nondebug_stmt(e->dest);
  bool computed = next && computed_goto_p(next) && !single_pred_p(e->dest);
  bool by_asm = last && gimple_code(last) == GIMPLE_ASM && !(e->flags & EDGE_FALLTHRU);
  return computed || by_asm || (e->flags & EDGE_ABNORMAL && !(e->flags & EDGE_EH));
}

static int change_in(basic_block bb) {
  int change = 0;
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    change += open_blocks_changed(gsi_stmt(at));
  return change;
}

/* Notes that OPEN blocks are open at the start of BB, if it was not visited before.  */
static void visit(basic_block bb, int open, hash_map<basic_block, int> *at_start, vec<basic_block> *work) {
  if (bb->index < NUM_FIXED_BLOCKS || at_start->get(bb))
    return;
  at_start->put(bb, open);
  work->safe_push(bb);
}

void find_open_blocks(function *fun, hash_map<basic_block, int> *at_start) {
  auto_vec<basic_block> work;
  edge e;
  edge_iterator ei;
  visit(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)), 0, at_start, &work);
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN(fun)->preds)
    visit(e->src, -change_in(e->src), at_start, &work);
  while (work.length()) {
    basic_block bb = work.pop();
    int start = *at_start->get(bb), end = start + change_in(bb);
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (!jump_p(e))
        visit(e->dest, end, at_start, &work);
    FOR_EACH_EDGE (e, ei, bb->preds)
      if (!jump_p(e))
        visit(e->src, start - change_in(e->src), at_start, &work);
  }
}

bool has_blocks_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (open_blocks_changed(gsi_stmt(at)))
        return true;
  return false;
}
