/* Paths through a function without any event, such as the base case of a recursion.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a path needs no frame: it gets a return of its own, and the frame is set up only where the other paths branch
   off.  GCC can then also avoid saving registers on it.  */

#include "plan.h"

/* Returns true if some statement of BB gets an event.  */
static bool block_has_event_p(basic_block bb) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    if (statement_gets_event_p(gsi_stmt(at)) || charged_call_event_p(gsi_stmt(at)))
      return true;
  return false;
}

/* Adds all blocks of FUN that have an event, or can be reached after one, to AFTER.  */
static void find_blocks_after_events(function *fun, hash_set<basic_block> *after) {
  auto_vec<basic_block> work;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    if (block_has_event_p(bb))
      work.safe_push(bb);
  while (work.length()) {
    bb = work.pop();
    edge e;
    edge_iterator ei;
    if (!after->add(bb))
      FOR_EACH_EDGE (e, ei, bb->succs)
        work.safe_push(e->dest);
  }
}

/* Returns true if STATEMENT does nothing on a path on which nothing was spawned, in a program for parallel runs.  */
static bool ends_spawning_scope_p(gimple *statement) {
  return all_workers && (gimple_clobber_p(statement) || profiled_join_p(statement));
}

/* Returns the return statement of BB if the block does nothing else, unless a child was spawned; or NULL.  */
static greturn *only_return_statement_without_event(basic_block bb) {
  for (gimple_stmt_iterator at = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(at); gsi_next_nondebug(&at))
    if (gimple_code(gsi_stmt(at)) != GIMPLE_PREDICT && !ends_spawning_scope_p(gsi_stmt(at)))
      return dyn_cast<greturn *>(gsi_stmt(at));
  return NULL;
}

/* Finds the value that STATEMENT, a return, returns when control arrives by the edge E, and stores it in *VALUE.
   Returns false if that is not possible.  */
static bool returned_value_on_bare_edge(greturn *statement, edge e, tree *value) {
  *value = gimple_return_retval(statement);
  if (!*value || is_gimple_min_invariant(*value))
    return true;
  if (TREE_CODE(*value) != SSA_NAME)
    return false;
  gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(*value));
  if (phi && gimple_bb(phi) == e->dest)
    *value = gimple_phi_arg_def(phi, e->dest_idx);
  else if (!SSA_NAME_IS_DEFAULT_DEF(*value) && gimple_bb(SSA_NAME_DEF_STMT(*value)) == e->dest)
    return false;
  return true;
}

/* Redirects the edge E to a new block that returns VALUE, and returns that block.  */
static basic_block make_separate_bare_return(edge e, tree value) {
  basic_block own = split_edge(e);
  gimple_stmt_iterator at = gsi_last_bb(own);
  gsi_insert_after(&at, gimple_build_return(value), GSI_NEW_STMT);
  remove_edge(single_succ_edge(own));
  make_edge(own, EXIT_BLOCK_PTR_FOR_FN(cfun), 0)->probability = profile_probability::always();
  return own;
}

/* Gives paths through FUN without any event returns of their own, where possible, and adds the blocks with such returns
   to BARE_RETURNS.  */
void separate_bare_returns(function *fun, hash_set<basic_block> *bare_returns) {
  hash_set<basic_block> after;
  find_blocks_after_events(fun, &after);
  auto_vec<basic_block> returns;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN(fun)->preds)
    returns.safe_push(e->src);
  for (basic_block bb : returns) {
    if (!after.contains(bb)) {
      bare_returns->add(bb);
      continue;
    }
    greturn *statement = only_return_statement_without_event(bb);
    tree value;
    auto_vec<edge> bare;
    FOR_EACH_EDGE (e, ei, bb->preds)
      if (statement && !after.contains(e->src) && !(e->flags & (EDGE_ABNORMAL | EDGE_EH)))
        bare.safe_push(e);
    for (edge each : bare)
      if (returned_value_on_bare_edge(statement, each, &value))
        bare_returns->add(make_separate_bare_return(each, value));
  }
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
}

/* Returns the last block, outside of loops, that all paths to an event, and to a return that has a frame, have in
   common; or NULL if FUN has neither.  */
static basic_block last_block_before_events(function *fun, hash_set<basic_block> *bare_returns) {
  basic_block bb, entry = NULL;
  FOR_EACH_BB_FN (bb, fun) {
    bool leaves = find_edge(bb, EXIT_BLOCK_PTR_FOR_FN(fun)) && !bare_returns->contains(bb);
    if (leaves || block_has_event_p(bb))
      entry = entry ? nearest_common_dominator(CDI_DOMINATORS, entry, bb) : bb;
  }
  while (entry && bb_loop_depth(entry))
    entry = get_immediate_dominator(CDI_DOMINATORS, entry->loop_father->header);
  return entry;
}

/* Returns the block of FUN in which the frame must be set up, as late as possible, or NULL if no frame is needed.
   Paths without events that branch off after it have a frame like all others, so their returns are removed from
   BARE_RETURNS.  */
basic_block frame_setup_event_block(function *fun, hash_set<basic_block> *bare_returns) {
  calculate_dominance_info(CDI_DOMINATORS);
  basic_block entry = last_block_before_events(fun, bare_returns);
  edge e;
  edge_iterator ei;
  if (entry)
    FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN(fun)->preds)
      if (dominated_by_p(CDI_DOMINATORS, e->src, entry))
        bare_returns->remove(e->src);
  return entry;
}
