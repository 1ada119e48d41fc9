/* Functions that call their events: what they did between them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

since_event outlined_instrumenter::end_of(basic_block bb) {
  since_event end;
  if (bb == ENTRY_BLOCK_PTR_FOR_FN(fun)) {
    end.kind = since_event::CONSTANT;
    return end;
  }
  block_work *work = works.get(bb);
  if (work->has_event)
    end.kind = since_event::CONSTANT;
  else
    end = work->at_start;
  end.instructions += work->counted;
  return end;
}

void outlined_instrumenter::find_starts(const vec<basic_block> &blocks) {
  for (bool changed = true; changed;) {
    changed = false;
    for (basic_block bb : blocks) {
      block_work *work = works.get(bb);
      since_event start = work->at_start;
      edge e;
      edge_iterator ei;
      if (timed_headers.contains(bb))
        start.kind = since_event::VARIABLE; /* it is counted from there on */
      else
        FOR_EACH_EDGE (e, ei, bb->preds)
          start.meet(end_of(e->src));
      changed |= start != work->at_start;
      work->at_start = start;
    }
  }
}

/* The first event in a block is told what was done before the block, too.  */
void outlined_instrumenter::tell_first_event(const block_work &work) {
  if (!work.first_event)
    return;
  tree done = local_work;
  if (work.at_start.kind != since_event::VARIABLE)
    done = build_int_cst(u64, work.at_start.instructions + work.before_first);
  else if (work.before_first) {
    gimple_stmt_iterator at = gsi_for_stmt(work.first_event);
    before(&at, add_to_work(work.before_first));
  }
  gimple_call_set_arg(work.first_event, work.first_argument, done);
  update_stmt(work.first_event);
}

/* Leaves in LOCAL_WORK what those blocks need that follow.  */
void outlined_instrumenter::store_at_end(basic_block bb, const block_work &work) {
  since_event end = end_of(bb);
  bool needed = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (e->dest != EXIT_BLOCK_PTR_FOR_FN(fun))
      needed |= works.get(e->dest)->at_start.kind == since_event::VARIABLE ||
                (end.kind == since_event::VARIABLE && timed_headers.contains(e->dest));
  bool variable = end.kind == since_event::VARIABLE;
  if (!needed || (variable && !work.counted))
    return;
  gimple *store =
      variable ? add_to_work(work.counted) : gimple_build_assign(local_work, build_int_cst(u64, end.instructions));
  gimple_stmt_iterator at = gsi_last_bb(bb);
  if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at)))
    before(&at, store);
  else
    gsi_insert_after(&at, store, GSI_NEW_STMT);
}

/* A function may begin with a loop, to which its first block comes back.  */
void outlined_instrumenter::start_work() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (works.get(e->dest)->at_start.kind == since_event::VARIABLE)
    gsi_insert_on_edge(e, gimple_build_assign(local_work, build_zero_cst(u64)));
}
