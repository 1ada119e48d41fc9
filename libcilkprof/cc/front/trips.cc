/* The number of iterations of a cilk_for, from its condition and its step.
   SPDX-License-Identifier: GPL-3.0-or-later

   `i < limit; i += step' has ceil ((limit - i) / step) iterations, and so on for the other comparisons.  The engine
   needs the number before the loop runs, to choose the grain size as a Cilk runtime does.  Computing it does not change
   the program: the limit is evaluated as often as before, even if it has side effects.  */

#include "front.h"
#include "trips.h"

/* Returns true if T only wraps its operand, as a conversion or an annotation does.  */
static bool transparent_cilk_for_tree_p(tree t) {
  return CONVERT_EXPR_P(t) || TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == NON_LVALUE_EXPR ||
         TREE_CODE(t) == ANNOTATE_EXPR || location_wrapper_p(t);
}

/* Returns T without conversions and other transparent nodes around it.  T may be NULL_TREE.  */
tree strip_transparent_cilk_for_trees(tree t) {
  while (t && transparent_cilk_for_tree_p(t))
    t = TREE_OPERAND(t, 0);
  return t;
}

/* Returns the operator of a class that T calls, such as "+=", or "" if T is no such call.  It is a call of a function
   with the name of the operator, whose first argument is the object.  Calls that return an object have a tree code of
   their own, with the same operands.  */
const char *cilk_for_operator_name(tree t) {
  tree function = TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR ? TREE_OPERAND(t, 1) : NULL_TREE;
  function = function && TREE_CODE(function) == ADDR_EXPR ? TREE_OPERAND(function, 0) : NULL_TREE;
  const char *name = function && DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
  return startswith(name, "operator") ? name + strlen("operator") : "";
}

/* Returns where argument INDEX of CALL is, a call of either kind that C++ has.  */
tree *cilk_for_call_argument(tree call, int index) {
  return &TREE_OPERAND(call, 3 + index);
}

/* Returns the number of arguments of CALL, a call of either kind that C++ has.  */
int cilk_for_call_argument_count(tree call) {
  return VL_EXP_OPERAND_LENGTH(call) - 3;
}

/* Returns where the object is that the operand of an operator at PLACE is or refers to.  */
tree *cilk_for_operand_object(tree *place) {
  for (;; place = &TREE_OPERAND(*place, 0)) {
    tree t = *place, value = TREE_CODE(t) == TARGET_EXPR ? TARGET_EXPR_INITIAL(t) : NULL_TREE;
    if (value && DECL_P(strip_transparent_cilk_for_trees(value)))
      return cilk_for_operand_object(&TARGET_EXPR_INITIAL(t)); /* it is a copy of a variable */
    if (TREE_CODE(t) != ADDR_EXPR && !transparent_cilk_for_tree_p(t))
      return place;
  }
}

/* Returns the variable of the loop with this STEP, or NULL_TREE if the step is of no known form. *BY gets the amount by
   which it increases, or decreases if *DOWN is set.  For a pointer the amount is in bytes.  */
tree stepped_cilk_for_variable(tree step, tree *by, bool *down) {
  step = strip_transparent_cilk_for_trees(step);
  if (!step)
    return NULL_TREE;
  tree variable = NULL_TREE;
  switch (TREE_CODE(step)) {
  case PREDECREMENT_EXPR:
  case POSTDECREMENT_EXPR:
    *down = true; /* fall through */
  case PREINCREMENT_EXPR:
  case POSTINCREMENT_EXPR:
    variable = tree_strip_any_location_wrapper(TREE_OPERAND(step, 0)), *by = TREE_OPERAND(step, 1);
    break;
  case MODIFY_EXPR: {
    tree value = strip_transparent_cilk_for_trees(TREE_OPERAND(step, 1));
    variable = tree_strip_any_location_wrapper(TREE_OPERAND(step, 0));
    if (TREE_CODE(value) != PLUS_EXPR && TREE_CODE(value) != MINUS_EXPR && TREE_CODE(value) != POINTER_PLUS_EXPR)
      return NULL_TREE;
    bool swapped =
        TREE_CODE(value) == PLUS_EXPR && strip_transparent_cilk_for_trees(TREE_OPERAND(value, 1)) == variable;
    if (!swapped && strip_transparent_cilk_for_trees(TREE_OPERAND(value, 0)) != variable)
      return NULL_TREE;
    *by = TREE_OPERAND(value, !swapped), *down = TREE_CODE(value) == MINUS_EXPR;
    break;
  }
  case TARGET_EXPR: /* the unused result of `i++' */
    return stepped_cilk_for_variable(TARGET_EXPR_INITIAL(step), by, down);
  case CALL_EXPR:
  case AGGR_INIT_EXPR: {
    const char *name = cilk_for_operator_name(step);
    bool single = !strcmp(name, "++") || !strcmp(name, "--");
    if (!single && strcmp(name, "+=") && strcmp(name, "-="))
      return NULL_TREE;
    variable = *cilk_for_operand_object(cilk_for_call_argument(step, 0)), *down = *name == '-';
    *by = single                                    ? integer_one_node
          : cilk_for_call_argument_count(step) == 2 ? *cilk_for_call_argument(step, 1)
                                                    : NULL_TREE;
    break;
  }
  default:
    return NULL_TREE;
  }
  bool number = *by && (INTEGRAL_TYPE_P(TREE_TYPE(*by)) || POINTER_TYPE_P(TREE_TYPE(*by)));
  return number && DECL_P(variable) ? variable : NULL_TREE;
}

/* Returns the tree code of the comparison operator NAME, such as "<"; ERROR_MARK if it is none.  */
static enum tree_code cilk_for_comparison_code(const char *name) {
  static const struct {
    const char *name;
    enum tree_code code;
  } operators[] = {{"<", LT_EXPR}, {"<=", LE_EXPR}, {">", GT_EXPR}, {">=", GE_EXPR}, {"!=", NE_EXPR}, {"==", EQ_EXPR}};
  for (const auto &each : operators)
    if (!strcmp(name, each.name))
      return each.code;
  return ERROR_MARK;
}

/* Changes FOUND, a comparison with 0 of the result of `a <=> b', to that of a and b.  C++20 can implement `a < b' so,
   with 0 on either side.  */
static void look_through_cilk_for_spaceship(comparison *found) {
  for (tree *side : {found->left, found->right}) {
    tree t = strip_transparent_cilk_for_trees(*side);
    if (TREE_CODE(t) == TARGET_EXPR)
      t = strip_transparent_cilk_for_trees(TARGET_EXPR_INITIAL(t));
    if (strcmp(cilk_for_operator_name(t), "<=>") || cilk_for_call_argument_count(t) != 2)
      continue;
    if (side == found->right)
      found->code = swap_tree_comparison(found->code);
    found->left = cilk_for_call_argument(t, 0), found->right = cilk_for_call_argument(t, 1);
    return;
  }
}

/* Sets *FOUND to the comparison that the condition T of a loop makes.  Returns false if it makes none.  */
bool read_cilk_for_condition(tree t, comparison *found) {
  bool inverted = false;
  for (t = strip_transparent_cilk_for_trees(t); t && TREE_CODE(t) == TRUTH_NOT_EXPR;
       t = strip_transparent_cilk_for_trees(TREE_OPERAND(t, 0)))
    inverted = !inverted;
  if (t && TREE_CODE(t) == CALL_EXPR && cilk_for_call_argument_count(t) == 2)
    *found = {cilk_for_comparison_code(cilk_for_operator_name(t)), cilk_for_call_argument(t, 0),
              cilk_for_call_argument(t, 1), true};
  else if (t && COMPARISON_CLASS_P(t))
    *found = {TREE_CODE(t), &TREE_OPERAND(t, 0), &TREE_OPERAND(t, 1), false};
  else
    return false;
  if (found->code == ERROR_MARK)
    return false;
  if (found->of_objects)
    look_through_cilk_for_spaceship(found);
  if (inverted)
    found->code = invert_tree_comparison(found->code, false);
  return true;
}

/* Sets *FOUND to the comparison that CONDITION makes, with its sides swapped if necessary so that VARIABLE is on the
   left.  Returns false if it does not compare VARIABLE, or only for equality.  */
static bool cilk_for_compares_variable_p(tree condition, tree variable, comparison *found) {
  if (!read_cilk_for_condition(condition, found))
    return false;
  for (int side = 0; side < 2; side++) {
    tree left =
        found->of_objects ? *cilk_for_operand_object(found->left) : strip_transparent_cilk_for_trees(*found->left);
    if (left == variable)
      return found->code != EQ_EXPR;
    *found = {swap_tree_comparison(found->code), found->right, found->left, found->of_objects};
  }
  return false;
}

/* Returns T, a number or a pointer, as a long long.  */
static tree cilk_for_value_as_number(tree t) {
  if (POINTER_TYPE_P(TREE_TYPE(t)))
    t = fold_convert(ssizetype, t);
  return fold_convert(long_long_integer_type_node, t);
}

/* Returns the size of a step towards the limit, in the direction that the COMPARISON implies, which *UP is set to;
   NULL_TREE if the loop would not end there.  The step is BY, downwards if DOWN is set.  */
static tree cilk_for_step_size(tree by, bool down, enum tree_code comparison, bool *up) {
  tree type = long_long_integer_type_node, wrapping = long_long_unsigned_type_node;
  /* For a pointer, -1 is a huge unsigned number; a constant of a narrow type has the value that is written.  */
  tree size = cilk_for_value_as_number(TREE_TYPE(by) == sizetype ? fold_convert(ssizetype, by) : by);
  *up = comparison == LT_EXPR || comparison == LE_EXPR;
  if (TREE_CODE(size) == INTEGER_CST) {
    bool positive = tree_int_cst_sgn(size) > 0;
    if (integer_zerop(size) || (comparison != NE_EXPR && *up != (positive != down)))
      return NULL_TREE;
    *up = positive != down;
  } else if (comparison == NE_EXPR || TREE_SIDE_EFFECTS(by))
    return NULL_TREE;
  if (*up == down)
    size = fold_convert(type, fold_build1(NEGATE_EXPR, wrapping, fold_convert(wrapping, unshare_expr(size))));
  return fold_build2(MAX_EXPR, type, unshare_expr(size), build_one_cst(type));
}

/* Returns TO - FROM as an unsigned number that may wrap around, for numbers, pointers or iterators; NULL_TREE if it
   cannot be computed.  */
static tree cilk_for_distance_between(tree from, tree to, location_t where) {
  tree wrapping = long_long_unsigned_type_node;
  for (tree end : {from, to})
    if (!INTEGRAL_TYPE_P(TREE_TYPE(end)) && !POINTER_TYPE_P(TREE_TYPE(end))) {
      tree distance = build_cilk_for_iterator_distance(from, to, where);
      return distance ? fold_convert(wrapping, distance) : NULL_TREE;
    }
  return fold_build2(MINUS_EXPR, wrapping, fold_convert(wrapping, cilk_for_value_as_number(to)),
                     fold_convert(wrapping, cilk_for_value_as_number(from)));
}

/* Callback for walk_tree: stops at a tree that cannot be evaluated a second time by copying it, such as a block.  */
static tree find_uncopyable_cilk_for_tree(tree *place, int *, void *) {
  switch (TREE_CODE(*place)) {
  case SAVE_EXPR:
  case BIND_EXPR:
  case STATEMENT_LIST:
  case DECL_EXPR:
    return *place;
  default:
    return NULL_TREE;
  }
}

/* Evaluates a limit with side effects into a variable, which replaces it in a copy of CONDITION, both of which COUNT
   gets.  Returns the variable, or NULL_TREE if that is impossible.  */
static tree evaluate_cilk_for_limit(tree condition, tree variable, tree function, trip_count *count) {
  comparison copied;
  tree copy = TREE_CODE(condition) == ANNOTATE_EXPR ||
                      walk_tree_without_duplicates(&condition, find_uncopyable_cilk_for_tree, NULL)
                  ? NULL_TREE
                  : copy_cilk_for_expression(condition);
  if (!copy || !cilk_for_compares_variable_p(copy, variable, &copied))
    return NULL_TREE;
  tree *limit = copied.of_objects ? cilk_for_operand_object(copied.right) : copied.right, t = *limit, value;
  if (TREE_CODE(t) == TARGET_EXPR) {
    if (limit == copied.right && !trivially_copied_iterator_p(TREE_TYPE(t)))
      return NULL_TREE;
    value = TARGET_EXPR_SLOT(t), count->limit = t;
    TREE_ADDRESSABLE(value) = 1;
  } else if (INTEGRAL_TYPE_P(TREE_TYPE(t)) || POINTER_TYPE_P(TREE_TYPE(t))) {
    value = new_tree_temporary(TREE_TYPE(t), function);
    count->variables.safe_push(value);
    count->limit = build2(MODIFY_EXPR, TREE_TYPE(t), value, t);
  } else
    return NULL_TREE;
  *limit = value;
  count->condition = fold_build2(NE_EXPR, boolean_type_node, copy, build_zero_cst(TREE_TYPE(copy)));
  return value;
}

/* Sets COUNT to an expression for the number of iterations of a loop in FUNCTION, from its CONDITION and STEP; leaves
   it NULL_TREE if the number is unknown before the loop has run.  START is the initial value of the variable, or
   NULL_TREE if the variable has it already.  */
void count_cilk_for_trips(tree condition, tree step, tree function, trip_count *count, tree start) {
  tree by = NULL_TREE;
  bool down = false, up = false;
  comparison found;
  tree variable = stepped_cilk_for_variable(step, &by, &down);
  if (!variable || !condition || !cilk_for_compares_variable_p(condition, variable, &found))
    return;
  tree size = cilk_for_step_size(by, down, found.code, &up);
  if (!size)
    return;
  tree limit = found.of_objects ? *cilk_for_operand_object(found.right) : *found.right;
  limit =
      TREE_SIDE_EFFECTS(limit) ? evaluate_cilk_for_limit(condition, variable, function, count) : unshare_expr(limit);
  if (!limit)
    return;
  tree from = start ? start : variable, type = long_long_integer_type_node, wrapping = long_long_unsigned_type_node;
  tree distance =
      cilk_for_distance_between(up ? from : limit, up ? limit : from, EXPR_LOC_OR_LOC(condition, input_location));
  if (!distance)
    return;
  bool beyond = found.code == LE_EXPR || found.code == GE_EXPR;
  tree more = fold_build2(MINUS_EXPR, wrapping, fold_convert(wrapping, size), build_int_cst(wrapping, beyond ? 0 : 1));
  tree rounded = fold_convert(type, fold_build2(PLUS_EXPR, wrapping, distance, more));
  tree whole = fold_build2(TRUNC_DIV_EXPR, type, rounded, unshare_expr(size));
  count->trips = fold_build2(MAX_EXPR, type, whole, build_zero_cst(type));
}
