/* Functions that call their events: locks under which little is done (locks.cc).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* NULL: it is measured as a block.  Where all of it is part of one block, the event at its end says it all.  */
gimple *outlined_instrumenter::small_lock(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  if (!leaves_available_p() || !plan.locks.begins.get(mark))
    return NULL;
  lock_sites.put(mark, lock_record(mark, fun->decl));
  if (!plan.leaf_calls.contains(mark))
    return event(at, CALL_o_set_jump, {NULL_TREE});
  before_lock = counted;
  return gimple_build_nop();
}

/* thread.local_work = what was done: as a leaf says it.  */
void outlined_instrumenter::tell_work(gimple_stmt_iterator *at, int instructions) {
  tree thread = engine_thread(), field = field_of(TREE_TYPE(thread), "local_work");
  before(at, gimple_build_assign(build3(COMPONENT_REF, TREE_TYPE(field), thread, field, NULL_TREE),
                                 build_int_cst(TREE_TYPE(field), instructions)));
}

gimple *outlined_instrumenter::small_lock_end(gimple_stmt_iterator *at) {
  gimple *end = gsi_stmt(*at), **mark = plan.locks.ends.get(end);
  if (!leaves_available_p() || !mark)
    return NULL;
  tree *known = lock_sites.get(*mark), site = known ? *known : lock_record(*mark, fun->decl);
  if (!plan.leaf_calls.contains(end))
    return event(at, CALL_o_lock_end, {address(site), NULL_TREE});
  tell_work(at, counted - before_lock);
  counted = before_lock;
  bool in_series = plan.series.contains(end);
  gcall *made = event(at, in_series ? CALL_o_series : CALL_o_leaf, {address(site), NULL_TREE});
  if (!in_series)
    calls.safe_push({made, site, CALL_o_leaf_here});
  return made;
}
