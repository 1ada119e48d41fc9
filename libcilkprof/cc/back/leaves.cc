/* Leaves: functions without events, the target of most calls (libcilkprof/engine/span/leaf.h).
   SPDX-License-Identifier: GPL-3.0-or-later

   The leaves of a unit are found once, before any of its functions is instrumented, because callers depend on them.
   Later passes can only remove events.  A function is a leaf only if all its copies are: calls of them share a site,
   and one copy may be active while another is called.  */

#include "plan.h"

static hash_set<tree> *leaves;  /* function declarations */
static hash_set<tree> *callers; /* identifiers of originals that have a copy which is not a leaf */

/* Returns true if no statement of FUN gets an event.  Timing does not count as one.  */
bool function_without_events_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (statement_gets_event_p(gsi_stmt(at)) || charged_call_event_p(gsi_stmt(at)) ||
          spawn_marker_for_event_p(gsi_stmt(at)))
        return false;
  return true;
}

/* Returns true if functions without events are treated as leaves: not in clock mode, for what-if questions, or with
   callbacks.  */
bool leaf_functions_enabled_p() {
  return mode != MEASURE_CLOCK && !whatif && !calling_back;
}

/* Finds the leaves of the unit: instrumented functions without events that are no signal handlers and cannot abandon
   frames.  */
void find_leaf_functions() {
  cgraph_node *node;
  leaves = new hash_set<tree>;
  callers = new hash_set<tree>;
  if (!leaf_functions_enabled_p())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || node->inlined_to || !instrumented_function_p(node->decl))
      continue;
    if (!may_be_instrumented_handler_p(node) && function_without_events_p(fun) &&
        !may_abandon_instrumented_frames_p(fun) && !frame_for_serial_loops_p(fun))
      leaves->add(node->decl);
    else
      callers->add(original_site_symbol_identifier(node->decl));
  }
}

/* Returns true if FUNCTION and all copies of it are leaves.  FUNCTION may be NULL_TREE, which is none.  */
bool leaf_callee_p(tree function) {
  cgraph_node *node = function ? cgraph_node::get(function) : NULL;
  tree called = node ? node->ultimate_alias_target()->decl : NULL_TREE;
  return called && leaves->contains(called) && !callers->contains(original_site_symbol_identifier(called));
}

/* Returns true if a strand is being timed after STATEMENT; TIMING says whether it was before.  A strand that is timed
   in a short serial loop continues after the loop.  */
static bool strand_timed_after_p(const gimple *statement, bool timing) {
  if (marker_of_call(statement) == MARK_SERIAL_LOOP_END)
    return timing;
  return statement_gets_event_p(statement) ? false : timing || runs_uncounted_code_p(statement);
}

/* Returns true if a strand is being timed at the end of BB; TIMING tells if it was at the start.  */
static bool strand_timed_at_end_p(basic_block bb, bool timing, timed_parts *timed) {
  if (timed->blocks.contains(bb))
    return true;
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    timing = strand_timed_after_p(gsi_stmt(at), timing);
  return timing;
}

/* Finds the blocks of FUN at whose start a strand may be being timed, and adds them to TIMING.  */
static void find_blocks_with_timed_strand(function *fun, timed_parts *timed, hash_set<basic_block> *timing) {
  for (bool changed = timed->any_strand_timed_p(); changed;) {
    basic_block bb;
    edge e;
    edge_iterator ei;
    changed = false;
    FOR_EACH_BB_FN (bb, fun)
      if (strand_timed_at_end_p(bb, timing->contains(bb), timed))
        FOR_EACH_EDGE (e, ei, bb->succs)
          changed |= !timing->add(e->dest);
  }
}

/* Finds the calls of leaves in FUN that have a single event, after they return, and adds them to FOUND.  Excludes calls
   where a strand may be being timed, since timing must end before the call, and calls that end their block: these have
   no place for an event right after them, and may throw.  A lock that covers a part of one block is treated like a call
   of a leaf.  */
void find_leaf_calls(function *fun, small_locks *locks, timed_parts *timed, hash_set<gimple *> *found) {
  hash_set<basic_block> timing_blocks;
  basic_block bb;
  find_blocks_with_timed_strand(fun, timed, &timing_blocks);
  FOR_EACH_BB_FN (bb, fun) {
    bool timing = timing_blocks.contains(bb);
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      if (!timing && classify_call_for_events(statement) == CALL_DIRECT &&
          leaf_callee_p(gimple_call_fndecl(statement)) && !stmt_ends_bb_p(statement))
        found->add(statement);
      gimple **end = timing ? NULL : locks->begins.get(statement);
      if (end && *end && leaf_functions_enabled_p()) {
        found->add(statement);
        found->add(*end);
      }
      timing = strand_timed_after_p(statement, timing);
    }
  }
}

/* Returns true if STATEMENT is a call whose callee is only known at run time, and may be a leaf.  */
static bool indirect_call_of_leaf_p(const gimple *statement) {
  return is_gimple_call(statement) && !gimple_call_fndecl(statement) &&
         classify_call_for_events(statement) == CALL_FOREIGN;
}

/* Returns true if STATEMENT marks an iteration of a loop.  */
static bool marker_of_loop_iteration_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return which == MARK_ITERATE || which == MARK_COUNTED_LEFT || which == MARK_CALLING_ITERATE;
}

/* Returns true if the only events in LOOP are calls of leaves, or of what may be leaves, and the markers of its own
   iterations.  */
static bool loop_of_leaf_calls_p(class loop *loop, hash_set<gimple *> *leaf_calls) {
  basic_block *blocks = get_loop_body(loop);
  bool only_leaves = true;
  for (unsigned i = 0; i < loop->num_nodes && only_leaves; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && only_leaves; gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      bool event = statement_gets_event_p(statement) || charged_call_event_p(statement);
      only_leaves = !event || leaf_calls->contains(statement) || indirect_call_of_leaf_p(statement) ||
                    marker_of_loop_iteration_p(statement);
    }
  free(blocks);
  return only_leaves;
}

/* Finds calls of known or possible leaves in loops of FUN that call nothing else, and adds them to FOUND.  They are
   counted, and booked together at the frame's next event (span/series.h).  */
void find_leaf_call_series(function *fun, hash_set<gimple *> *leaf_calls, hash_set<gimple *> *found) {
  hash_map<class loop *, bool> known;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      if (!loop_depth(bb->loop_father) || !(leaf_calls->contains(statement) || indirect_call_of_leaf_p(statement)))
        continue;
      bool seen, &series = known.get_or_insert(bb->loop_father, &seen);
      if (!seen)
        series = loop_of_leaf_calls_p(bb->loop_father, leaf_calls);
      if (series)
        found->add(statement);
    }
}
