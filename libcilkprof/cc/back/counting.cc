/* Counting: in the bare copy of a serial function, every call that has a site is counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Returns the site of CALL in the bare copy of ORIGINAL, which is that of the same call in ORIGINAL itself.  */
static tree site_of_call_in_copy(gcall *call, tree original) {
  tree callee = gimple_call_fndecl(call), called = callee ? original_of_bare_copy(callee) : NULL_TREE;
  if (called)
    gimple_call_set_fndecl(call, called);
  call_class kind = classify_call_for_events(call);
  tree site = NULL_TREE;
  if (kind == CALL_DIRECT || kind == CALL_FOREIGN)
    site = site_record(call, original, CILKPROF_SITE_CALL, kind == CALL_FOREIGN ? gimple_call_fndecl(call) : NULL_TREE);
  if (called)
    gimple_call_set_fndecl(call, callee);
  return site;
}

/* Returns statements that add 1 to the calls that counted code made at SITE.  */
static gimple_seq build_counting(tree site) {
  gimple_seq statements = NULL;
  tree field = engine_record_field(engine_type_tree(TYPE_SITE), "counted"), type = TREE_TYPE(field);
  tree before = make_ssa_name(type), after = make_ssa_name(type);
  gimple_seq_add_stmt(&statements, gimple_build_assign(before, build3(COMPONENT_REF, type, site, field, NULL_TREE)));
  gimple_seq_add_stmt(&statements, gimple_build_assign(after, PLUS_EXPR, before, build_one_cst(type)));
  gimple_seq_add_stmt(&statements,
                      gimple_build_assign(build3(COMPONENT_REF, type, unshare_expr(site), field, NULL_TREE), after));
  return statements;
}

/* Returns statements that count that FUNCTION goes on in its bare copy.  */
gimple_seq build_bare_entry_count(tree function) {
  tree field = engine_record_field(engine_type_tree(TYPE_FUNCTION), "outside");
  return build_counting(build3(COMPONENT_REF, TREE_TYPE(field), function_record(function), field, NULL_TREE));
}

/* Inserts statements into BB, which runs without events, that count its calls.  FUNCTION is the one whose code it
   is.  */
void count_calls_in_block(basic_block bb, tree function) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
    gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
    tree site = call && !gimple_call_internal_p(call) ? site_of_call_in_copy(call, function) : NULL_TREE;
    if (site)
      gsi_insert_seq_before(&at, build_counting(site), GSI_SAME_STMT);
  }
}

/* Makes FUN, the bare copy of a serial function and the current function, count its calls.  */
void count_calls_in_bare_copy(function *fun) {
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  find_loops_around_calls(fun);
  loop_optimizer_finalize();
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    count_calls_in_block(bb, original_of_bare_copy(fun->decl));
  load_records(fun);
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa_only_virtuals);
}
