/* Counting: in the bare copy of a serial function, every call that has a site is counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Returns the site of CALL in the bare copy of ORIGINAL, which is that of the same call in ORIGINAL itself; NULL_TREE:
   the call is not counted.  That of a function with events is not: the function notes itself that it is entered.  */
static tree site_of_call_in_copy(gcall *call, tree original) {
  tree callee = gimple_call_fndecl(call), called = callee ? called_by_bare_copy_call(callee) : NULL_TREE;
  if (called)
    gimple_call_set_fndecl(call, called);
  call_class kind = classify_call_for_events(call);
  tree site = NULL_TREE;
  if (kind == CALL_FOREIGN || (kind == CALL_DIRECT && (called || countable_callee_p(callee))))
    site = site_record(call, original, CILKPROF_SITE_CALL, kind == CALL_FOREIGN ? gimple_call_fndecl(call) : NULL_TREE);
  if (called)
    gimple_call_set_fndecl(call, callee);
  return site;
}

/* Adds statements to STATEMENTS that add MORE, a number, to the calls that counted code made at SITE.  */
static void add_counting(gimple_seq *statements, tree site, tree more) {
  tree field = engine_record_field(engine_type_tree(TYPE_SITE), "counted"), type = TREE_TYPE(field);
  tree before = make_ssa_name(type), after = make_ssa_name(type);
  gimple_seq_add_stmt(statements, gimple_build_assign(before, build3(COMPONENT_REF, type, site, field, NULL_TREE)));
  gimple_seq_add_stmt(statements, gimple_build_assign(after, PLUS_EXPR, before, more));
  gimple_seq_add_stmt(statements,
                      gimple_build_assign(build3(COMPONENT_REF, type, unshare_expr(site), field, NULL_TREE), after));
}

/* Returns statements that add 1 to the calls that counted code made at SITE.  */
static gimple_seq build_counting(tree site) {
  gimple_seq statements = NULL;
  add_counting(&statements, site, build_one_cst(engine_work_type_tree()));
  return statements;
}

/* Returns statements that add 1 to the calls that counted code made at SITE, unless the callee began anew with events,
   which count the call.  */
static gimple_seq build_counting_unless_begun_anew(tree site) {
  gimple_seq statements = NULL;
  tree anew = thread_began_anew_tree(), type = TREE_TYPE(anew);
  tree now = make_ssa_name(type), more = make_ssa_name(type);
  gimple_seq_add_stmt(&statements, gimple_build_assign(now, anew));
  gimple_seq_add_stmt(&statements, gimple_build_assign(more, BIT_XOR_EXPR, now, build_one_cst(type)));
  gimple_seq_add_stmt(&statements, gimple_build_assign(unshare_expr(anew), build_zero_cst(type)));
  add_counting(&statements, site, more);
  return statements;
}

/* Returns statements that count that FUNCTION goes on in its bare copy.  */
gimple_seq build_bare_entry_count(tree function) {
  tree field = engine_record_field(engine_type_tree(TYPE_FUNCTION), "outside");
  return build_counting(build3(COMPONENT_REF, TREE_TYPE(field), function_record(function), field, NULL_TREE));
}

/* Inserts COUNTING after the call at AT, where it returns.  It is no tail call then.  */
static void insert_counting_after_call(gimple_stmt_iterator *at, gimple_seq counting) {
  gimple_call_set_tail(as_a<gcall *>(gsi_stmt(*at)), false);
  if (!stmt_ends_bb_p(gsi_stmt(*at)))
    gsi_insert_seq_after(at, counting, GSI_CONTINUE_LINKING);
  else if (edge e = find_fallthru_edge(gsi_bb(*at)->succs))
    gsi_insert_seq_on_edge(e, counting);
}

/* Replaces the marker at AT, in a block that runs without events, by statements that count the call that was inlined
   there, and moves AT to the next statement.  FUNCTION is the one whose code it is; NULL_TREE: nothing is counted.  */
static void count_inlined_call(gimple_stmt_iterator *at, tree function) {
  gcall *mark = as_a<gcall *>(gsi_stmt(*at));
  gimple_call_set_fndecl(mark, TREE_OPERAND(gimple_call_arg(mark, 0), 0));
  tree site = function ? site_of_call_in_copy(mark, function) : NULL_TREE;
  if (site)
    gsi_insert_seq_before(at, build_counting(site), GSI_SAME_STMT);
  gsi_remove(at, true);
}

/* Returns true if CALL, in counted code, is that by which its function begins anew with events, which count it.  */
static bool call_begins_anew_p(gcall *call) {
  tree told = engine_function_decl(CALL_o_begin_anew);
  gimple_stmt_iterator at = gsi_for_stmt(call);
  for (gsi_prev(&at); !gsi_end_p(at); gsi_prev(&at))
    if (is_gimple_call(gsi_stmt(at)))
      return gimple_call_fndecl(gsi_stmt(at)) == told;
  return false;
}

/* Inserts statements into BB, which runs without events, that count its calls.  FUNCTION is the one whose code it is.
   The call of a guarded function is counted when it returns: if it spawned, the function with events was entered.  */
void count_calls_in_block(basic_block bb, tree function) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    while (!gsi_end_p(at) && marker_of_call(gsi_stmt(at)) == MARK_COUNTED_PART)
      count_inlined_call(&at, function);
    if (gsi_end_p(at))
      return;
    gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
    bool counted = call && !gimple_call_internal_p(call) && !call_begins_anew_p(call);
    tree site = counted ? site_of_call_in_copy(call, function) : NULL_TREE;
    tree called = site && gimple_call_fndecl(call) ? original_of_bare_copy(gimple_call_fndecl(call)) : NULL_TREE;
    if (called && !countable_function_p(called))
      insert_counting_after_call(&at, build_counting_unless_begun_anew(site));
    else if (site)
      gsi_insert_seq_before(&at, build_counting(site), GSI_SAME_STMT);
  }
}

/* Removes the markers of inlined calls from BB, which runs only where nothing is counted.  */
static void leave_inlined_calls_uncounted(basic_block bb) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);)
    if (marker_of_call(gsi_stmt(at)) == MARK_COUNTED_PART)
      count_inlined_call(&at, NULL_TREE);
    else
      gsi_next(&at);
}

/* Makes FUN, the bare copy of a function that counted code enters and the current function, count its calls.  */
void count_calls_in_bare_copy(function *fun) {
  hash_set<basic_block> uncounted;
  basic_block bb;
  find_blocks_behind_marker(fun, MARK_UNCOUNTED_PART, &uncounted);
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  find_loops_around_calls(fun);
  find_clocks_around_calls(fun);
  loop_optimizer_finalize();
  FOR_EACH_BB_FN (bb, fun)
    if (!uncounted.contains(bb))
      count_calls_in_block(bb, original_of_bare_copy(fun->decl));
    else
      leave_inlined_calls_uncounted(bb);
  gsi_commit_edge_inserts();
  load_records(fun);
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa_only_virtuals);
}
