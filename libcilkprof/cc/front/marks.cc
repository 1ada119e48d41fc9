/* Markers in trees, and the few other trees that everything in this folder builds.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* Returns a call of the marker WHICH with ARGUMENTS, as a tree.  */
tree build_marker_tree(marker which, std::initializer_list<tree> arguments) {
  auto_vec<tree> types;
  for (tree argument : arguments)
    types.safe_push(TREE_TYPE(argument));
  tree type = build_function_type_array(void_type_node, types.length(), types.address());
  tree function = complete_gcc_function_decl(build_fn_decl(marker_name(which), type));
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  if (which == MARK_ITERATE)
    DECL_IS_NOVOPS(function) = 1; /* must not prevent vectorisation; back/loops.cc decides */
  return build_call_expr_loc_array(UNKNOWN_LOCATION, function, arguments.size(), const_cast<tree *>(arguments.begin()));
}

/* Returns the call of a marker that the condition T consists of, or NULL_TREE.  Looks through conversions and other
   nodes that the front end adds.  */
tree marker_tree_call_in_condition(tree t) {
  for (int depth = 0; t && depth < 8; depth++)
    switch (TREE_CODE(t)) {
    case CALL_EXPR:
      return marker_of_decl(get_callee_fndecl(t)) == NO_MARKER ? NULL_TREE : t;
    case NE_EXPR:
    case EQ_EXPR:
    case CLEANUP_POINT_EXPR:
    case TRUTH_NOT_EXPR:
    case ANNOTATE_EXPR: /* from a pragma before the loop */
      CASE_CONVERT:
      t = TREE_OPERAND (t, 0);
      break;
    default:
      return NULL_TREE;
    }
  return NULL_TREE;
}

/* Returns the marker that the condition T of a loop consists of, which tells the keyword that expanded to the loop;
   NO_MARKER for other loops.  */
marker marker_tree_in_condition(tree t) {
  tree call = marker_tree_call_in_condition(t);
  return call ? marker_of_decl(get_callee_fndecl(call)) : NO_MARKER;
}

/* Returns a statement list of up to three statements, those that are not NULL_TREE.  */
tree statement_sequence(tree first, tree second, tree third) {
  tree list = alloc_stmt_list();
  for (tree statement : {first, second, third})
    if (statement)
      append_to_statement_list_force(statement, &list);
  return list;
}

/* Returns a new local variable of TYPE in FUNCTION, which the caller puts into a BIND_EXPR.  */
tree new_tree_temporary(tree type, tree function) {
  tree variable = create_tmp_var_raw(type, "cilkprof_trips");
  DECL_CONTEXT(variable) = function;
  TREE_USED(variable) = 1;
  return variable;
}
