/* Outlined events: locks that are held for a short time only (locks.cc).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Returns what replaces the marker at AT, where an OpenMP lock begins that is held without any event; or NULL if the
   lock is measured as a block.  A lock within one basic block only needs an event at its end, so a statement without
   effect is returned for it.  */
gimple *outlined_instrumenter::begin_small_lock_event(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  if (!leaf_functions_enabled_p() || !plan.locks.begins.get(mark))
    return NULL;
  lock_sites.put(mark, lock_site_record(mark, fun->decl));
  if (!plan.leaf_calls.contains(mark))
    return build_outlined_event(at, CALL_o_set_jump, {NULL_TREE});
  before_lock = counted;
  return gimple_build_nop();
}

/* Returns the event that replaces the marker at AT, where an OpenMP lock ends that was held without any event; or NULL
   if it is another marker.  The event is passed the work before and under the lock.  */
gimple *outlined_instrumenter::end_small_lock_event(gimple_stmt_iterator *at) {
  gimple *end = gsi_stmt(*at), **mark = plan.locks.ends.get(end);
  if (!leaf_functions_enabled_p() || !mark)
    return NULL;
  tree *known = lock_sites.get(*mark), site = known ? *known : lock_site_record(*mark, fun->decl);
  if (!plan.leaf_calls.contains(end))
    return build_outlined_event(at, CALL_o_locked, {event_address_operand_of(site), build_zero_cst(u64), NULL_TREE});
  tree inside = build_int_cst(u64, counted - before_lock);
  counted = before_lock;
  return build_outlined_event(at, plan.series.contains(end) ? CALL_o_locked_series : CALL_o_locked,
                              {event_address_operand_of(site), NULL_TREE, inside});
}
