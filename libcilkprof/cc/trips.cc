/* The number of iterations of a cilk_for, from its condition and its step.
   SPDX-License-Identifier: GPL-3.0-or-later

   `i < limit; i += step' has ceil ((limit - i) / step) iterations, and so on for the other comparisons.  The engine
   needs the number to choose the grain as a Cilk runtime does before the loop runs.  */

#include "front.h"
#include "trips.h"

static tree strip(tree t) {
  while (t && (CONVERT_EXPR_P(t) || TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == NON_LVALUE_EXPR ||
               TREE_CODE(t) == ANNOTATE_EXPR || location_wrapper_p(t)))
    t = TREE_OPERAND(t, 0);
  return t;
}

/* The loop's variable, and by how much the step changes it (bytes, for a pointer).  */
static tree stepped_variable(tree step, HOST_WIDE_INT *change) {
  step = strip(step);
  if (!step)
    return NULL_TREE;
  tree by = NULL_TREE, variable = NULL_TREE;
  bool down = false;
  switch (TREE_CODE(step)) {
  case PREDECREMENT_EXPR:
  case POSTDECREMENT_EXPR:
    down = true; /* fall through */
  case PREINCREMENT_EXPR:
  case POSTINCREMENT_EXPR:
    variable = tree_strip_any_location_wrapper(TREE_OPERAND(step, 0)), by = strip(TREE_OPERAND(step, 1));
    break;
  case MODIFY_EXPR: {
    tree value = strip(TREE_OPERAND(step, 1));
    variable = tree_strip_any_location_wrapper(TREE_OPERAND(step, 0));
    if (TREE_CODE(value) != PLUS_EXPR && TREE_CODE(value) != MINUS_EXPR && TREE_CODE(value) != POINTER_PLUS_EXPR)
      return NULL_TREE;
    if (strip(TREE_OPERAND(value, 0)) != variable)
      return NULL_TREE;
    by = strip(TREE_OPERAND(value, 1)), down = TREE_CODE(value) == MINUS_EXPR;
    break;
  }
  default:
    return NULL_TREE;
  }
  if (!by || TREE_CODE(by) != INTEGER_CST || !DECL_P(variable))
    return NULL_TREE;
  *change = (HOST_WIDE_INT)TREE_INT_CST_LOW(by); /* a pointer's -1 is a huge unsigned number */
  if (TYPE_PRECISION(TREE_TYPE(by)) < HOST_BITS_PER_WIDE_INT && !TYPE_UNSIGNED(TREE_TYPE(by)))
    *change = tree_to_shwi(by);
  if (down)
    *change = -*change;
  return *change ? variable : NULL_TREE;
}

static enum tree_code mirrored(enum tree_code comparison) {
  switch (comparison) {
  case LT_EXPR:
    return GT_EXPR;
  case LE_EXPR:
    return GE_EXPR;
  case GT_EXPR:
    return LT_EXPR;
  case GE_EXPR:
    return LE_EXPR;
  default:
    return comparison;
  }
}

static tree as_number(tree t) {
  if (POINTER_TYPE_P(TREE_TYPE(t)))
    t = fold_convert(ssizetype, t);
  return fold_convert(long_long_integer_type_node, t);
}

tree trip_count(tree loop) {
  HOST_WIDE_INT change = 0;
  tree variable = stepped_variable(FOR_EXPR(loop), &change), condition = strip(FOR_COND(loop));
  if (!variable || !condition || !COMPARISON_CLASS_P(condition))
    return NULL_TREE;
  if (!INTEGRAL_TYPE_P(TREE_TYPE(variable)) && !POINTER_TYPE_P(TREE_TYPE(variable)))
    return NULL_TREE;
  enum tree_code comparison = TREE_CODE(condition);
  tree limit = TREE_OPERAND(condition, 1);
  if (strip(TREE_OPERAND(condition, 0)) != variable) {
    if (strip(limit) != variable)
      return NULL_TREE;
    limit = TREE_OPERAND(condition, 0), comparison = mirrored(comparison);
  }
  bool up = change > 0;
  if (TREE_SIDE_EFFECTS(limit) || comparison == EQ_EXPR ||
      (comparison != NE_EXPR && up != (comparison == LT_EXPR || comparison == LE_EXPR)))
    return NULL_TREE;
  tree type = long_long_integer_type_node, wrapping = long_long_unsigned_type_node;
  tree from = fold_convert(wrapping, as_number(variable)), to = fold_convert(wrapping, as_number(unshare_expr(limit)));
  tree distance = fold_convert(type, fold_build2(MINUS_EXPR, wrapping, up ? to : from, up ? from : to));
  HOST_WIDE_INT step = up ? change : -change;
  HOST_WIDE_INT more = step - (comparison == LT_EXPR || comparison == GT_EXPR || comparison == NE_EXPR ? 1 : 0);
  tree rounded = fold_convert(
      type, fold_build2(PLUS_EXPR, wrapping, fold_convert(wrapping, distance), build_int_cst(wrapping, more)));
  tree count = fold_build2(TRUNC_DIV_EXPR, type, rounded, build_int_cst(type, step));
  return fold_build2(MAX_EXPR, type, count, build_zero_cst(type));
}
