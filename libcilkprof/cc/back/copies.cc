/* A second copy of every recursive function that other code may call.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that code without instrumentation may call must check at every entry how it was called.  The copy is only
   called by instrumented code of this unit, and need not check.  If calls of the function may be counted, only its own
   recursion calls the copy.

   GCC optimises original and copy separately and may choose different instructions.  The same copies are therefore made
   when tests ask for another form of events, which must not change any number.  */

#include "back.h"

static const char suffix[] = "direct";

/* Returns true if FUN contains a direct call of itself, or spawns itself.  */
static bool instrumented_function_calls_itself_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun) {
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (is_gimple_call(gsi_stmt(at)) && called_or_spawned_decl(gsi_stmt(at)) == fun->decl)
        return true;
  }
  return false;
}

/* Returns true if the function of NODE gets a second copy for calls in this unit: it is recursive, inlining its events
   pays, other code may enter it, and it can be copied.  */
static bool worth_direct_instrumented_copy_p(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  return fun && fun->cfg && !node->inlined_to && !node->alias && !node->thunk &&
         enterable_by_uninstrumented_code_p(node) && node->get_availability() > AVAIL_INTERPOSABLE &&
         !fun->calls_setjmp && !copy_forbidden(fun) && !stdarg_p(TREE_TYPE(node->decl)) &&
         !lookup_attribute("noclone", DECL_ATTRIBUTES(node->decl)) && instrumented_function_p(node->decl) &&
         inlining_events_pays_p(fun) && instrumented_function_calls_itself_p(fun);
}

/* Returns the address of a function in STATEMENT that is called by a closure: where the closure gets it, and where it
   is spawned.  NULL: there is none.  */
static tree *closure_callee_operand(gimple *statement) {
  tree *operand = NULL;
  if (profiled_spawn_p(statement))
    operand = gimple_call_arg_ptr(statement, gimple_call_num_args(statement) - 1);
  else if (all_workers && prepares_deferral_p(statement) && gimple_assign_single_p(statement))
    operand = gimple_assign_rhs1_ptr(statement);
  bool function = operand && TREE_CODE(*operand) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(*operand, 0)) == FUNCTION_DECL;
  return function ? operand : NULL;
}

/* Makes STATEMENT, in CALLER, call or spawn a function's copy instead of the function, if that is a key of COPIES and
   the call is not to be counted: the copy does not look whether it is.  Returns whether it was done.  */
static bool redirect_statement_to_direct_copy(gimple *statement, tree caller, hash_map<tree, tree> &copies) {
  tree *operand = closure_callee_operand(statement);
  tree callee = operand                     ? TREE_OPERAND(*operand, 0)
                : is_gimple_call(statement) ? gimple_call_fndecl(statement)
                                            : NULL_TREE;
  tree *copy = callee ? copies.get(callee) : NULL;
  if (!copy || (counted_code_enters_copy_p(callee) && !in_same_recursion_p(caller, callee)))
    return false;
  if (operand)
    *operand = build1(ADDR_EXPR, TREE_TYPE(*operand), *copy);
  else
    gimple_call_set_fndecl(as_a<gcall *>(statement), *copy);
  update_stmt(statement);
  return true;
}

/* Makes FUN, the current function, call a function's copy instead of the function, for all that are keys of COPIES.  */
static void redirect_to_direct_instrumented_copies(function *fun, hash_map<tree, tree> &copies) {
  basic_block bb;
  bool changed = false;
  FOR_EACH_BB_FN (bb, fun) {
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      changed |= redirect_statement_to_direct_copy(gsi_stmt(at), fun->decl, copies);
  }
  if (changed)
    cgraph_edge::rebuild_edges();
}

/* Copies every recursive function of the unit that other code may enter and whose events are worth inlining, and lets
   instrumented code call the copy, which need not check how it was called.  */
void copy_recursive_instrumented_functions() {
  if (!optimize)
    return;
  auto_vec<cgraph_node *> originals;
  hash_map<tree, tree> copies;
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    if (worth_direct_instrumented_copy_p(node))
      originals.safe_push(node);
  }
  for (cgraph_node *original : originals) {
    cgraph_node *copy = original->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, suffix);
    if (!copy)
      continue;
    DECL_NAME(copy->decl) = DECL_NAME(original->decl); /* for warnings: the programmer knows only this name */
    copies.put(original->decl, copy->decl);
    note_direct_instrumented_copy(copy->decl);
    note_copy_in_recursion(copy->decl, original->decl);
  }
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || node->inlined_to || !instrumented_function_p(node->decl))
      continue;
    if (stays_instrumented_p(node) && !direct_instrumented_copy_p(node->decl))
      continue; /* unlike the copy, the original checks for its bare copy */
    push_cfun(fun);
    current_function_decl = node->decl;
    redirect_to_direct_instrumented_copies(fun, copies);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}
