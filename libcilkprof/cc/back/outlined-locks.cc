/* Outlined events: locks that are held for a short time only (locks.cc).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Returns NULL if the lock is measured as a block.  A lock within one basic block only needs an event at its end.  */
gimple *outlined_instrumenter::small_lock(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  if (!leaves_enabled_p() || !plan.locks.begins.get(mark))
    return NULL;
  lock_sites.put(mark, lock_record(mark, fun->decl));
  if (!plan.leaf_calls.contains(mark))
    return event(at, CALL_o_set_jump, {NULL_TREE});
  before_lock = counted;
  return gimple_build_nop();
}

gimple *outlined_instrumenter::small_lock_end(gimple_stmt_iterator *at) {
  gimple *end = gsi_stmt(*at), **mark = plan.locks.ends.get(end);
  if (!leaves_enabled_p() || !mark)
    return NULL;
  tree *known = lock_sites.get(*mark), site = known ? *known : lock_record(*mark, fun->decl);
  if (!plan.leaf_calls.contains(end))
    return event(at, CALL_o_locked, {address(site), build_zero_cst(u64), NULL_TREE});
  tree inside = build_int_cst(u64, counted - before_lock);
  counted = before_lock;
  return event(at, plan.series.contains(end) ? CALL_o_locked_series : CALL_o_locked,
               {address(site), NULL_TREE, inside});
}
