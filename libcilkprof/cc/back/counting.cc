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

/* Inserts statements before AT that add 1 to the calls that counted code made at SITE.  */
static void insert_counting(gimple_stmt_iterator *at, tree site) {
  tree field = engine_record_field(engine_type_tree(TYPE_SITE), "counted"), type = TREE_TYPE(field);
  tree before = make_ssa_name(type), after = make_ssa_name(type);
  gsi_insert_before(at, gimple_build_assign(before, build3(COMPONENT_REF, type, site, field, NULL_TREE)),
                    GSI_SAME_STMT);
  gsi_insert_before(at, gimple_build_assign(after, PLUS_EXPR, before, build_one_cst(type)), GSI_SAME_STMT);
  gsi_insert_before(at, gimple_build_assign(build3(COMPONENT_REF, type, site, field, NULL_TREE), after), GSI_SAME_STMT);
}

/* Makes FUN, the bare copy of a serial function and the current function, count its calls.  */
void count_calls_in_bare_copy(function *fun) {
  tree original = original_of_bare_copy(fun->decl);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
      tree site = call && !gimple_call_internal_p(call) ? site_of_call_in_copy(call, original) : NULL_TREE;
      if (site)
        insert_counting(&at, site);
    }
  load_records(fun);
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa_only_virtuals);
}
