/* How many blocks of a function are open where control arrives by a jump, which may have left some.
   SPDX-License-Identifier: GPL-3.0-or-later

   On every way through the function blocks begin and end in pairs.  So the number at a place follows from any way that
   leads there without a jump, or from there to a return.  */

#include "plan.h"

/* Whether control may leave blocks there, by a computed goto or an asm goto, without their ends.  All computed gotos of
   a function are one to GCC, to which the ways of all others lead.  */
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

/* Goes on where OPEN blocks are at the beginning of BB.  */
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
