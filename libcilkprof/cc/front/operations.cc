/* Spawned operations: what is written as a call but is none, as `__builtin_expect(h(x), 1)' or `abs(x)'.
   SPDX-License-Identifier: GPL-3.0-or-later

   There is no function that another thread could call, and GCC checks the number of arguments, so that there is no room
   for a mark.  The operation stays where it is.  In a profile it is a spawned block.  */

#include "front.h"
#include "internal-fn.h"

/* Returns true if CALL, a call in the trees, is none in the end: of an internal function of GCC, or of a built-in one
   that no library has.  */
bool spawned_operation_p(tree call) {
  if (TREE_CODE(call) != CALL_EXPR)
    return false;
  tree function = get_callee_fndecl(call);
  return !CALL_EXPR_FN(call) || (function && fndecl_built_in_p(function) &&
                                 startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "__builtin_"));
}

/* Puts markers of a spawned block NAME around the operation at PLACE.  */
void mark_spawned_operation(tree *place, const char *name) {
  tree type = TREE_TYPE(*place), value = VOID_TYPE_P(type) ? *place : save_expr(*place);
  tree begin = build_marker_tree(MARK_BLOCK, {build_string_literal(strlen(name) + 1, name)}),
       end = build_marker_tree(MARK_BLOCK_END);
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(value));
  tree after = VOID_TYPE_P(type) ? end : build2(COMPOUND_EXPR, type, end, value);
  *place = build2(COMPOUND_EXPR, type, begin, build2(COMPOUND_EXPR, type, value, after));
}

/* Puts markers of a spawned block around the call at PLACE, which is an operation.  Its arguments are evaluated before
   the block, like those of any spawned call.  */
void mark_spawned_operation_call(tree *place) {
  tree call = *place, type = TREE_TYPE(call), function = get_callee_fndecl(call), before = NULL_TREE;
  for (int i = 0; i < call_expr_nargs(call); i++) {
    tree *argument = &CALL_EXPR_ARG(call, i);
    if (!TREE_SIDE_EFFECTS(*argument) || !is_gimple_reg_type(TREE_TYPE(*argument)))
      continue;
    *argument = save_expr(*argument);
    before = before ? build2(COMPOUND_EXPR, TREE_TYPE(*argument), before, *argument) : *argument;
  }
  const char *name =
      function ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)) : internal_fn_name(CALL_EXPR_IFN(call));
  mark_spawned_operation(place, name);
  if (before)
    *place = build2(COMPOUND_EXPR, type, before, *place);
}
