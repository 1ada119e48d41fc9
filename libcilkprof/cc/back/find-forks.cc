/* Finds the functions of a unit that neither fork nor join (forks.cc).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Returns true if STATEMENT forks, joins, locks, calls the engine, or says that its function is spawned somewhere: the
   optimisers would remove or move the call of one that does nothing else, and its spawn would be that of another.  */
static bool forks_p(const gimple *statement) {
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return forbids_counted_calls_p(statement) || marker_of_call(statement) == MARK_ENTRY ||
         (callee && mutex_event_callee_p(callee));
}

/* Returns true if some statement of FUN is WANTED.  */
static bool has_statement_p(function *fun, bool (*wanted)(const gimple *)) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (wanted(gsi_stmt(at)))
        return true;
  return false;
}

/* Returns true if STATEMENT calls what may fork, as far as is known.  */
static bool may_reach_fork_p(const gimple *statement) {
  if (!is_gimple_call(statement) || gimple_call_internal_p(statement))
    return false;
  tree callee = gimple_call_fndecl(statement);
  if (callee && callee_without_forks_p(callee))
    return callee_may_reach_fork_p(callee);
  return classify_call_for_events(statement) != CALL_OF_NO_INTEREST;
}

/* Finds those of the functions without forks that may call functions with forks: again and again, until there are no
   more of them.  */
static void find_ways_to_forks(const vec<tree> &without_forks) {
  for (bool changed = true; changed;) {
    changed = false;
    for (tree function : without_forks)
      if (!way_to_fork_noted_p(function) && has_statement_p(DECL_STRUCT_FUNCTION(function), may_reach_fork_p)) {
        note_way_to_fork(function);
        changed = true;
      }
  }
}

/* Makes FUNCTION what it would be without -fcilkprof: it has no events, and no markers that say how it was called.  */
static void leave_without_events(tree function) {
  basic_block bb;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("no_instrument_function"), NULL_TREE, DECL_ATTRIBUTES(function));
  push_cfun(DECL_STRUCT_FUNCTION(function));
  current_function_decl = function;
  FOR_EACH_BB_FN (bb, cfun)
    strip_bare_block(bb, true);
  cgraph_edge::rebuild_edges();
  pop_cfun();
  current_function_decl = NULL_TREE;
}

/* Finds the functions of the unit that neither fork nor join, and excludes them from instrumentation.  The main program
   has events: it is where the run begins.  */
void exclude_functions_without_forks() {
  cgraph_node *node;
  if (!only_forks_have_events_p())
    return;
  describe_loop_lines_of_unit();
  auto_vec<tree> without_forks;
  start_finding_forks();
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (fun && fun->cfg && !node->inlined_to && instrumented_function_p(node->decl) &&
        !instrumented_start_p(node->decl) && !has_statement_p(fun, forks_p))
      without_forks.safe_push(node->decl);
  }
  for (tree function : without_forks) {
    note_function_without_forks(function);
    leave_without_events(function);
  }
  find_ways_to_forks(without_forks);
}
