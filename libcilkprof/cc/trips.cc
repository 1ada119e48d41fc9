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

/* The loop's variable, and by how much the step increases it, or decreases it if it is DOWN (bytes, for a pointer).  */
static tree stepped_variable(tree step, tree *by, bool *down) {
  step = strip(step);
  if (!step)
    return NULL_TREE;
  switch (TREE_CODE(step)) {
  case PREDECREMENT_EXPR:
  case POSTDECREMENT_EXPR:
    *down = true; /* fall through */
  case PREINCREMENT_EXPR:
  case POSTINCREMENT_EXPR:
    *by = TREE_OPERAND(step, 1);
    break;
  case MODIFY_EXPR: {
    tree value = strip(TREE_OPERAND(step, 1));
    if (TREE_CODE(value) != PLUS_EXPR && TREE_CODE(value) != MINUS_EXPR && TREE_CODE(value) != POINTER_PLUS_EXPR)
      return NULL_TREE;
    if (strip(TREE_OPERAND(value, 0)) != tree_strip_any_location_wrapper(TREE_OPERAND(step, 0)))
      return NULL_TREE;
    *by = TREE_OPERAND(value, 1), *down = TREE_CODE(value) == MINUS_EXPR;
    break;
  }
  default:
    return NULL_TREE;
  }
  tree variable = tree_strip_any_location_wrapper(TREE_OPERAND(step, 0));
  return *by && DECL_P(variable) ? variable : NULL_TREE;
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

/* The step towards the limit, of which the comparison says the direction; NULL_TREE: the loop would not end there.  */
static tree step_size(tree by, bool down, enum tree_code comparison, bool *up) {
  tree type = long_long_integer_type_node;
  /* A pointer's -1 is a huge unsigned number, a constant of a short type is the number that is written.  */
  tree size = fold_convert(type, TREE_TYPE(by) == sizetype ? fold_convert(ssizetype, by) : by);
  *up = comparison == LT_EXPR || comparison == LE_EXPR;
  if (TREE_CODE(size) == INTEGER_CST) {
    bool positive = tree_int_cst_sgn(size) > 0;
    if (integer_zerop(size) || (comparison != NE_EXPR && *up != (positive != down)))
      return NULL_TREE;
    *up = positive != down;
  } else if (comparison == NE_EXPR || TREE_SIDE_EFFECTS(by))
    return NULL_TREE;
  if (*up == down)
    size = fold_convert(type, fold_build1(NEGATE_EXPR, long_long_unsigned_type_node,
                                          fold_convert(long_long_unsigned_type_node, unshare_expr(size))));
  return fold_build2(MAX_EXPR, type, unshare_expr(size), build_one_cst(type));
}

tree trip_count(tree condition, tree step, tree start) {
  tree by = NULL_TREE;
  bool down = false, up = false;
  tree variable = stepped_variable(step, &by, &down);
  condition = strip(condition);
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
  if (TREE_SIDE_EFFECTS(limit) || comparison == EQ_EXPR)
    return NULL_TREE;
  tree size = step_size(by, down, comparison, &up);
  if (!size)
    return NULL_TREE;
  tree type = long_long_integer_type_node, wrapping = long_long_unsigned_type_node;
  tree from = fold_convert(wrapping, as_number(start ? start : variable));
  tree to = fold_convert(wrapping, as_number(unshare_expr(limit)));
  tree distance = fold_build2(MINUS_EXPR, wrapping, up ? to : from, up ? from : to);
  bool beyond = comparison == LE_EXPR || comparison == GE_EXPR;
  tree more = fold_build2(MINUS_EXPR, wrapping, fold_convert(wrapping, size), build_int_cst(wrapping, beyond ? 0 : 1));
  tree rounded = fold_convert(type, fold_build2(PLUS_EXPR, wrapping, distance, more));
  tree count = fold_build2(TRUNC_DIV_EXPR, type, rounded, unshare_expr(size));
  return fold_build2(MAX_EXPR, type, count, build_zero_cst(type));
}
