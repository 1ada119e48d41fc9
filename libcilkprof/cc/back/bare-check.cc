/* The check at the start of a function whether it goes on in its bare copy.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that other code may call, or that counted code may enter, looks at a variable first, and calls its copy
   without events if that is set (bare.cc makes the copies).  */

#include "back.h"

static const char variable_name[] = "__cilkprof_bare";

/* Returns the variable __cilkprof_bare, which is set in a reference run.  It exists once in the executable or library
   that this unit becomes part of.  Every unit defines it, since libtool links libraries without -fcilkprof, and so
   without libcilkprof/engine/profile/records.c, which sets it.  */
static tree bare_variable() {
  static tree made;
  if (!made) {
    made = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(variable_name), integer_type_node);
    TREE_STATIC(made) = TREE_PUBLIC(made) = TREE_USED(made) = 1;
    DECL_ARTIFICIAL(made) = DECL_IGNORED_P(made) = DECL_PRESERVE_P(made) = 1;
    DECL_VISIBILITY(made) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(made) = DECL_WEAK(made) = 1;
    varpool_node::finalize_decl(made);
  }
  return made;
}

/* Returns the value of PARAMETER at the start of FUN, in the type in which it is passed: a function without a prototype
   is passed a double for a float.  Adds the statements for that to STATEMENTS.  */
static tree parameter_for_bare_copy(function *fun, tree parameter, gimple_seq *statements) {
  tree type = TREE_TYPE(parameter), value = parameter;
  if (!is_gimple_reg_type(type))
    return parameter;
  if (is_gimple_reg(parameter))
    value = get_or_create_ssa_default_def(fun, parameter);
  else {
    value = make_ssa_name(type);
    gimple_seq_add_stmt(statements, gimple_build_assign(value, parameter));
  }
  if (useless_type_conversion_p(DECL_ARG_TYPE(parameter), type))
    return value;
  tree passed = make_ssa_name(DECL_ARG_TYPE(parameter));
  gimple_seq_add_stmt(statements, gimple_build_assign(passed, NOP_EXPR, value));
  return passed;
}

/* Returns where FUN stores the result of its bare copy, or NULL_TREE if there is none.  *RETURNED is the operand of the
   return statement that follows.  */
static tree bare_copy_result_place(function *fun, tree *returned) {
  tree result = DECL_RESULT(fun->decl), type = result ? TREE_TYPE(result) : void_type_node;
  *returned = NULL_TREE;
  if (VOID_TYPE_P(type))
    return NULL_TREE;
  if (DECL_BY_REFERENCE(result)) {
    *returned = get_or_create_ssa_default_def(fun, result);
    return build_simple_mem_ref(*returned);
  }
  if (is_gimple_reg_type(type))
    return *returned = make_ssa_name(type);
  if (aggregate_value_p(result, fun->decl))
    return *returned = result;
  tree variable = create_tmp_var_raw(type, "cilkprof_result");
  DECL_IGNORED_P(variable) = 1;
  DECL_CONTEXT(variable) = fun->decl;
  add_local_decl(fun, variable);
  return *returned = variable;
}

/* Returns statements that call CALLEE, a function of the same type as FUN, with the parameters of FUN, and return its
   result.  */
gimple_seq build_call_with_own_parameters(tree callee, function *fun) {
  gimple_seq statements = NULL;
  auto_vec<tree> arguments;
  for (tree parameter = DECL_ARGUMENTS(fun->decl); parameter; parameter = DECL_CHAIN(parameter))
    arguments.safe_push(parameter_for_bare_copy(fun, parameter, &statements));
  gcall *call = gimple_build_call_vec(callee, arguments);
  if (gimple_call_noreturn_p(call)) {
    gimple_call_set_ctrl_altering(call, true);
    gimple_seq_add_stmt(&statements, call);
    return statements;
  }
  tree returned, place = bare_copy_result_place(fun, &returned);
  if (place) {
    gimple_call_set_lhs(call, place);
    gimple_call_set_return_slot_opt(call, aggregate_value_p(DECL_RESULT(fun->decl), fun->decl));
  }
  gimple_call_set_tail(call, optimize && flag_optimize_sibling_calls);
  gimple_seq_add_stmt(&statements, call);
  gimple_seq_add_stmt(&statements, gimple_build_return(returned));
  return statements;
}

/* Makes the current function end with the STATEMENTS, which call another function, where control reaches TEST and
   VARIABLE is not VALUE.  TEST is a block without statements that has one successor.  LIKELY is how likely that is.  */
void leave_function_unless_equal(basic_block test, tree variable, unsigned value, gimple_seq statements,
                                 profile_probability likely) {
  basic_block leaving = create_empty_bb(test);
  if (current_loops)
    add_bb_to_loop(leaving,
                   current_loops->tree_root); /* even where TEST is part of a loop: it does not go back there */
  edge on = single_succ_edge(test);
  on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  on->probability = likely.invert();
  edge there = make_edge(test, leaving, EDGE_TRUE_VALUE);
  there->probability = likely;
  leaving->count = there->count();
  tree now = make_ssa_name(TREE_TYPE(variable));
  gimple_stmt_iterator at = gsi_last_bb(test);
  gsi_insert_after(&at, gimple_build_assign(now, variable), GSI_NEW_STMT);
  tree compared = build_int_cst(TREE_TYPE(now), value);
  gsi_insert_after(&at, gimple_build_cond(NE_EXPR, now, compared, NULL_TREE, NULL_TREE), GSI_NEW_STMT);
  at = gsi_last_bb(leaving);
  gsi_insert_seq_after(&at, statements, GSI_NEW_STMT);
  if (gimple_code(last_nondebug_stmt(leaving)) == GIMPLE_RETURN)
    make_edge(leaving, EXIT_BLOCK_PTR_FOR_FN(cfun), 0)->probability = profile_probability::always();
}

/* Returns what is not zero if FUN is to continue in its bare copy: THREAD.counting for a function that may be counted,
   and else the variable that is set in a reference run.  */
static tree variable_for_bare_check(function *fun) {
  return counted_code_enters_copy_p(fun->decl) ? thread_counting_tree() : bare_variable();
}

/* Inserts a check at the start of FUN, which is the current function, if FUN needs one: in a reference run, or called
   by counted code, it calls its bare copy and returns the result.  A comparison function counts the call first.  */
void insert_bare_check(function *fun) {
  cgraph_node *node = cgraph_node::get(fun->decl);
  if (!checks_for_bare_copy_p(node))
    return;
  tree copy = bare_copy_of(fun->decl), checked = variable_for_bare_check(fun);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  basic_block test = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));
  gimple_seq going_on = counts_bare_entries_p(fun->decl) ? build_bare_entry_count(fun->decl) : NULL;
  gimple_seq_add_seq(&going_on, build_call_with_own_parameters(copy, fun));
  leave_function_unless_equal(test, checked, 0, going_on, profile_probability::very_unlikely());
  load_records(fun);
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
}
