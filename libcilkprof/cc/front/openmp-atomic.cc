/* OpenMP atomic operations.  Those on the same variable exclude each other, like critical sections.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "tree-pretty-print.h"

/* Returns the object at ADDRESS if that is the same every time, else NULL_TREE.  */
static tree fixed_omp_object(tree address) {
  if (TREE_CODE(address) == TARGET_EXPR) /* made by the front end, to evaluate it once */
    address = TARGET_EXPR_INITIAL(address);
  STRIP_NOPS(address);
  if (TREE_CODE(address) != ADDR_EXPR)
    return NULL_TREE;
  tree object = TREE_OPERAND(address, 0), inner = object;
  for (; handled_component_p(inner); inner = TREE_OPERAND(inner, 0))
    if (TREE_CODE(inner) == ARRAY_REF && TREE_CODE(TREE_OPERAND(inner, 1)) != INTEGER_CST)
      return NULL_TREE;
  return VAR_P(inner) ? object : NULL_TREE;
}

/* Returns true if ADDRESS, of an atomic operation's object or of a lock, is that of the same object every time.  */
bool fixed_omp_address_p(tree address) {
  return fixed_omp_object(address) || (VAR_P(address) && (TREE_STATIC(address) || DECL_EXTERNAL(address)));
}

/* Moves parts of the operand at PLACE that may take more than a few instructions to *BEFORE, the code before the atomic
   operation.  */
static void evaluate_before_omp_atomic(tree *place, tree *before) {
  tree t = *place;
  if (!TREE_SIDE_EFFECTS(t))
    return;
  if (BINARY_CLASS_P(t) || CONVERT_EXPR_P(t) || COMPARISON_CLASS_P(t)) {
    for (int i = 0; i < TREE_OPERAND_LENGTH(t); i++)
      evaluate_before_omp_atomic(&TREE_OPERAND(t, i), before);
  } else if (TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == SAVE_EXPR || TREE_CODE(t) == TARGET_EXPR) {
    *place = save_expr(t);
    *before = *before ? statement_sequence(*before, *place) : *place;
  }
}

/* Returns the name of the atomic operation T in the profile: it is named after the variable, or by its location WHERE
   if the variable differs from time to time.  */
static tree omp_atomic_construct_name(tree t, location_t where) {
  tree object = fixed_omp_object(TREE_OPERAND(t, 0));
  if (!object)
    return located_omp_construct_name("omp atomic", where);
  char *variable = print_generic_expr_to_str(object), *name = xasprintf("omp atomic (%s)", variable);
  tree made = omp_string_literal_tree(name);
  free(variable);
  free(name);
  return made;
}

/* Returns a call that tells the engine that the variable at ADDRESS is read, or that it was written to if WRITTEN:
   threads of a team may wait for each other by it.  */
tree tell_engine_of_omp_flag(tree address, bool written) {
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
  tree function = build_fn_decl(written ? "__cilkprof_api_omp_post" : "__cilkprof_api_omp_poll", type);
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  return build_call_expr(function, 1, fold_convert(const_ptr_type_node, address));
}

/* Returns the atomic operation T at WHERE with the markers of a lock around it.  If the operation has a value, the
   value is produced after the marker at its end.  SHARED: threads of a team may wait for each other by its
   variable.  */
tree mark_omp_atomic(tree t, location_t where, bool shared) {
  tree before = NULL_TREE, begin = build_marker_tree(MARK_LOCK, {omp_atomic_construct_name(t, where)}),
       end = build_marker_tree(MARK_BLOCK_END);
  SET_EXPR_LOCATION(begin, where);
  SET_EXPR_LOCATION(end, where);
  tree address = TREE_OPERAND(t, 0);
  bool in_slot = TREE_CODE(address) == TARGET_EXPR, saved = TREE_CODE(address) == SAVE_EXPR; /* evaluated once */
  if (shared && (in_slot || saved || !TREE_SIDE_EFFECTS(address))) {
    bool reads = TREE_CODE(t) == OMP_ATOMIC_READ;
    if (in_slot && !reads)
      address = TARGET_EXPR_SLOT(address);
    else if (!in_slot && !saved)
      address = unshare_expr(address);
    if (reads)
      begin = build2(COMPOUND_EXPR, void_type_node, tell_engine_of_omp_flag(address, false), begin);
    else
      end = build2(COMPOUND_EXPR, void_type_node, end, tell_engine_of_omp_flag(address, true));
  }
  if (TREE_CODE(t) != OMP_ATOMIC_READ)
    evaluate_before_omp_atomic(&TREE_OPERAND(t, 1), &before);
  if (before)
    begin = build2(COMPOUND_EXPR, void_type_node, before, begin);
  if (VOID_TYPE_P(TREE_TYPE(t)))
    return build2(COMPOUND_EXPR, void_type_node, build2(COMPOUND_EXPR, void_type_node, begin, t), end);
  tree value = save_expr(t);
  tree done = build2(COMPOUND_EXPR, void_type_node, build2(COMPOUND_EXPR, TREE_TYPE(t), begin, value), end);
  return build2(COMPOUND_EXPR, TREE_TYPE(t), done, value);
}
