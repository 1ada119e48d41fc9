/* Checks the head of a cilk_for, in which one variable must advance in steps towards a limit.
   SPDX-License-Identifier: GPL-3.0-or-later

   The iterations run in parallel, so their number must be known before the first.  As in C, the head may contain other
   expressions besides the step of the variable, but no step of a second variable that the loop initialises.  */

#include "front.h"
#include "trips.h"

/* The effect of a part of the step on a variable or another object.  */
struct change {
  tree object = NULL_TREE; /* NULL_TREE if it changes none, or an unknown one */
  bool steps = false;      /* with ++, --, += or -= */
  bool hidden = false;     /* it may step any variable, through a function that is chosen at run time */
};

/* Returns the object that T, a part of the head of a cilk_for, stands for: looks through conversions, references, and
   the captures of a lambda.  */
static tree strip_cilk_for_references(tree t) {
  for (t = strip_transparent_cilk_for_trees(t); TREE_CODE(t) == INDIRECT_REF || TREE_CODE(t) == FLOAT_EXPR;
       t = strip_transparent_cilk_for_trees(TREE_OPERAND(t, 0)))
    if (TREE_CODE(t) == INDIRECT_REF && TREE_CODE(TREE_TYPE(TREE_OPERAND(t, 0))) != REFERENCE_TYPE)
      break;
  return t;
}

/* Returns true if A and B, parts of the head of a cilk_for, stand for the same object.  */
static bool same_cilk_for_object_p(tree a, tree b) {
  a = strip_cilk_for_references(a), b = strip_cilk_for_references(b);
  return a == b || operand_equal_p(a, b, 0);
}

/* Callback for walk_tree: stops at OBJECT itself.  */
static tree find_cilk_for_object(tree *place, int *, void *object) {
  return *place == object ? *place : NULL_TREE;
}

/* Returns true if VALUE is OBJECT plus or minus something that does not depend on it.  */
static bool adds_to_cilk_for_object_p(tree value, tree object) {
  value = strip_cilk_for_references(value), object = strip_cilk_for_references(object);
  if (TREE_CODE(value) == COMPOUND_EXPR) /* the addend was evaluated before */
    return adds_to_cilk_for_object_p(TREE_OPERAND(value, 1), object);
  if (TREE_CODE(value) != PLUS_EXPR && TREE_CODE(value) != MINUS_EXPR && TREE_CODE(value) != POINTER_PLUS_EXPR)
    return false;
  bool left = same_cilk_for_object_p(TREE_OPERAND(value, 0), object);
  bool right = TREE_CODE(value) == PLUS_EXPR && same_cilk_for_object_p(TREE_OPERAND(value, 1), object);
  tree *added = &TREE_OPERAND(value, left ? 1 : 0);
  return (left || right) && !walk_tree_without_duplicates(added, find_cilk_for_object, object);
}

/* Returns how CALL, a part of the step of a cilk_for, changes an object with an operator of its class.  A call through
   a pointer may step any variable.  */
static change cilk_for_change_by_call(tree call) {
  static const char *const steps[] = {"++", "--", "+=", "-="};
  const char *name = cilk_for_operator_name(call);
  change found;
  found.hidden = TREE_CODE(call) == CALL_EXPR && !get_callee_fndecl(call);
  if (!*name || !cilk_for_call_argument_count(call))
    return found;
  found.object = *cilk_for_operand_object(cilk_for_call_argument(call, 0));
  for (const char *step : steps)
    found.steps |= !strcmp(name, step);
  return found;
}

/* Returns how the expression T, a part of the step of a cilk_for, changes an object.  */
static change cilk_for_change_by_expression(tree t) {
  change found;
  switch (TREE_CODE(t)) {
  case PREINCREMENT_EXPR:
  case POSTINCREMENT_EXPR:
  case PREDECREMENT_EXPR:
  case POSTDECREMENT_EXPR:
    found.object = TREE_OPERAND(t, 0), found.steps = true;
    break;
  case MODIFY_EXPR:
    found.object = TREE_OPERAND(t, 0), found.steps = adds_to_cilk_for_object_p(TREE_OPERAND(t, 1), found.object);
    break;
  case TARGET_EXPR:
    return TARGET_EXPR_INITIAL(t)
               ? cilk_for_change_by_expression(strip_transparent_cilk_for_trees(TARGET_EXPR_INITIAL(t)))
               : found;
  case CALL_EXPR:
  case AGGR_INIT_EXPR:
    return cilk_for_change_by_call(t);
  default:
    break;
  }
  return found;
}

/* Appends to CHANGES what each part of STEP, the step of a cilk_for, changes.  Commas separate the parts.  */
static void read_cilk_for_step(tree step, vec<change> *changes) {
  step = strip_transparent_cilk_for_trees(step);
  if (TREE_CODE(step) == COMPOUND_EXPR) {
    read_cilk_for_step(TREE_OPERAND(step, 0), changes);
    read_cilk_for_step(TREE_OPERAND(step, 1), changes);
  } else
    changes->safe_push(cilk_for_change_by_expression(step));
}

/* The variables that the head initialises.  In C they are declared before the loop, inside the expansion of the
   keyword.  */
struct beginning {
  tree loop;
  auto_vec<tree> variables;
};

/* Callback for walk_tree: adds the variables that the head of the loop declares or assigns to DATA, a struct beginning.
   The body of the loop is not visited.  */
static tree collect_cilk_for_variables(tree *place, int *walk_subtrees, void *data) {
  beginning *head = (beginning *)data;
  tree t = *place;
  if (t == head->loop) {
    *walk_subtrees = 0;
    walk_tree_without_duplicates(&FOR_INIT_STMT(t), collect_cilk_for_variables, data);
  } else if (TREE_CODE(t) == DECL_EXPR && VAR_P(DECL_EXPR_DECL(t)))
    head->variables.safe_push(DECL_EXPR_DECL(t));
  else if (TREE_CODE(t) == MODIFY_EXPR || TREE_CODE(t) == INIT_EXPR)
    head->variables.safe_push(strip_cilk_for_references(TREE_OPERAND(t, 0)));
  return NULL_TREE;
}

/* Returns true if one side of COMPARED is the least or the greatest value of its type: GCC turns `i < 1' into `i == 0'
   for an unsigned number.  */
static bool cilk_for_compares_type_bound_p(const comparison &compared) {
  for (tree side : {*compared.left, *compared.right}) {
    tree type = TREE_TYPE(side), value = tree_strip_any_location_wrapper(side);
    if (TREE_CODE(value) == INTEGER_CST && INTEGRAL_TYPE_P(type) &&
        (tree_int_cst_equal(value, TYPE_MIN_VALUE(type)) || tree_int_cst_equal(value, TYPE_MAX_VALUE(type))))
      return true;
  }
  return false;
}

/* Returns true if SIDE, one side of the comparison of a cilk_for, is OBJECT, possibly converted to another class.
   OF_OBJECTS says that an operator of a class compares.  */
static bool cilk_for_object_on_side_p(tree object, tree *side, bool of_objects) {
  tree t = of_objects ? *cilk_for_operand_object(side) : strip_cilk_for_references(*side);
  if (TREE_CODE(t) == TARGET_EXPR && TARGET_EXPR_INITIAL(t))
    t = strip_transparent_cilk_for_trees(TARGET_EXPR_INITIAL(t));
  bool call = TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR;
  if (call && cilk_for_call_argument_count(t) == 1 && RECORD_OR_UNION_TYPE_P(TREE_TYPE(object)))
    t = *cilk_for_operand_object(cilk_for_call_argument(t, 0));
  return same_cilk_for_object_p(object, t);
}

/* Callback for walk_tree: returns the tree at PLACE if it is VARIABLE, or a step of any variable.  Nested blocks are
   not visited.  */
static tree find_change_in_cilk_for_limit(tree *place, int *walk_subtrees, void *variable) {
  tree t = *place;
  if (TREE_CODE(t) == BIND_EXPR || TREE_CODE(t) == STATEMENT_LIST)
    *walk_subtrees = 0;
  return t == variable || (EXPR_P(t) && cilk_for_change_by_expression(t).steps) ? t : NULL_TREE;
}

/* Returns true if LIMIT of a cilk_for is the same for every iteration: it contains neither VARIABLE nor a step of
   another.  Only limits of numbers and pointers are checked.  */
static bool fixed_cilk_for_limit_p(tree limit, tree variable) {
  bool scalar = INTEGRAL_TYPE_P(TREE_TYPE(variable)) || POINTER_TYPE_P(TREE_TYPE(variable));
  return !scalar || !walk_tree_without_duplicates(&limit, find_change_in_cilk_for_limit, variable);
}

struct loop_head {
  tree guard, loop;
  comparison compared;
  bool compares;
  auto_vec<change> changes;
};

/* Returns the location in the file for an error about PART of the loop HEAD: that of the keyword if the part has
   none.  */
static location_t cilk_for_head_location(const loop_head &head, tree part) {
  location_t where = EXPR_LOC_OR_LOC(part, EXPR_LOCATION(head.guard));
  return location_outside_macros(EXPR_LOC_OR_LOC(strip_transparent_cilk_for_trees(part), where));
}

/* Returns true if the HEAD cannot be checked: that of a range-based loop, or one with unknown effects.  */
static bool hidden_cilk_for_step_p(const loop_head &head) {
  tree condition = strip_transparent_cilk_for_trees(FOR_COND(head.loop));
  bool hidden = TREE_CODE(condition) == CALL_EXPR && cilk_for_change_by_expression(condition).hidden;
  for (const change &each : head.changes) {
    tree object = each.object ? strip_cilk_for_references(each.object) : NULL_TREE;
    hidden |= each.hidden || (object && VAR_P(object) && DECL_ARTIFICIAL(object));
  }
  return hidden;
}

/* Returns the first change in the step of HEAD that is made with ++, --, += or -=; NULL if there is none.  */
static const change *find_cilk_for_step(const loop_head &head) {
  for (const change &each : head.changes)
    if (each.steps)
      return &each;
  return NULL;
}

/* Returns the change, in the step of HEAD, of the variable that its condition compares; NULL if there is none.  */
static const change *find_cilk_for_variable_change(const loop_head &head) {
  for (const change &each : head.changes)
    for (tree *side : {head.compared.left, head.compared.right})
      if (head.compares && each.object && cilk_for_object_on_side_p(each.object, side, head.compared.of_objects))
        return &each;
  return NULL;
}

/* Reports an error if the limit with which the condition of HEAD compares VARIABLE may change between iterations.  */
static void check_cilk_for_limit(const loop_head &head, tree variable) {
  const comparison &compared = head.compared;
  bool left = cilk_for_object_on_side_p(variable, compared.left, compared.of_objects);
  if (!fixed_cilk_for_limit_p(left ? *compared.right : *compared.left, strip_cilk_for_references(variable)))
    error_at(cilk_for_head_location(head, FOR_COND(head.loop)),
             "the limit of a %<cilk_for%> must be the same for every iteration");
}

/* Reports an error if VARIABLE, that of HEAD, is a floating-point number, of which a runtime cannot tell how many steps
   lead to the limit.  */
static void check_cilk_for_variable_type(const loop_head &head, tree variable) {
  tree type = TREE_TYPE(strip_cilk_for_references(variable));
  if (FLOAT_TYPE_P(POINTER_TYPE_P(type) && TREE_CODE(type) == REFERENCE_TYPE ? TREE_TYPE(type) : type))
    error_at(
        cilk_for_head_location(head, FOR_COND(head.loop)),
        "the variable of a %<cilk_for%> must be an integer, a pointer or an iterator, not a floating-point number");
}

/* Reports an error if the step of HEAD changes another variable than VARIABLE that the loop initialises.  */
static void check_other_cilk_for_variables(const loop_head &head, tree variable) {
  beginning begins = {head.loop, {}};
  walk_tree_without_duplicates(&FOR_BODY(head.guard), collect_cilk_for_variables, &begins);
  for (const change &each : head.changes)
    for (tree other : begins.variables)
      if (each.object && !same_cilk_for_object_p(each.object, variable) && same_cilk_for_object_p(each.object, other)) {
        error_at(cilk_for_head_location(head, FOR_EXPR(head.loop)),
                 "a %<cilk_for%> has one loop variable: %qE must not change with it", other);
        return;
      }
}

/* Reports an error if the head of LOOP, inside GUARD, the expansion of cilk_for, is not one in which a variable
   advances in steps towards a fixed limit.  */
void check_cilk_for_head(tree guard, tree loop) {
  if (error_operand_p(strip_transparent_cilk_for_trees(FOR_COND(loop))) ||
      error_operand_p(strip_transparent_cilk_for_trees(FOR_EXPR(loop))))
    return;
  loop_head head = {guard, loop, {}, false, {}};
  head.compares = read_cilk_for_condition(FOR_COND(loop), &head.compared);
  read_cilk_for_step(FOR_EXPR(loop), &head.changes);
  if (hidden_cilk_for_step_p(head))
    return;
  const change *variable = find_cilk_for_variable_change(head);
  if (variable ? !variable->steps : !find_cilk_for_step(head))
    error_at(cilk_for_head_location(head, FOR_EXPR(loop)),
             "the step of a %<cilk_for%> must be %<++%>, %<--%>, %<+=%> or %<-=%> of its variable");
  else if (!variable || (head.compared.code == EQ_EXPR && !cilk_for_compares_type_bound_p(head.compared)))
    error_at(
        cilk_for_head_location(head, FOR_COND(loop)),
        "the condition of a %<cilk_for%> must be %<<%>, %<<=%>, %<>%>, %<>=%> or %<!=%> between its variable and a "
        "limit");
  else {
    check_cilk_for_variable_type(head, variable->object);
    check_cilk_for_limit(head, variable->object);
    check_other_cilk_for_variables(head, variable->object);
  }
}
