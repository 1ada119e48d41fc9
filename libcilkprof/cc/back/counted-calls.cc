/* Counted calls: those of which the engine decides each time whether they are counted or followed.
   SPDX-License-Identifier: GPL-3.0-or-later

   They are the calls of countable functions, and of guarded ones.  */

#include "plan.h"

/* Returns true if STATEMENT, in FUNCTION, is a call that returns, of a countable function or of a guarded one.  A
   guarded function mostly spawns where a recursion calls it, of which it is part.  */
static bool countable_call_event_p(const gimple *statement, tree function) {
  if (classify_call_for_events(statement) != CALL_DIRECT || gimple_call_noreturn_p(statement))
    return false;
  tree callee = gimple_call_fndecl(statement);
  return countable_callee_p(callee) || (guarded_callee_p(callee) && !in_same_recursion_p(function, callee));
}

/* Returns the event before a counted call of FUNCTION.  */
engine_function counted_call_event(tree function) {
  if (guarded_callee_p(function))
    return CALL_o_guarded_call;
  return guarded_countable_callee_p(function) ? CALL_o_guarded_countable_call : CALL_o_counted_call;
}

/* Finds such calls in FUN, and adds them to FOUND.  Calls in LEAF_CALLS have an event that is as short.  */
void find_counted_calls(function *fun, hash_set<gimple *> *leaf_calls, hash_set<gimple *> *found) {
  basic_block bb;
  if (!counted_calls_enabled_p())
    return;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (countable_call_event_p(gsi_stmt(at), fun->decl) && !leaf_calls->contains(gsi_stmt(at)))
        found->add(gsi_stmt(at));
}
