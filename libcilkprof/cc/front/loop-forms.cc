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

/* Looks through references, and through the captures of a lambda.  */
static tree plain_object(tree t) {
  for (t = strip(t); TREE_CODE(t) == INDIRECT_REF || TREE_CODE(t) == FLOAT_EXPR; t = strip(TREE_OPERAND(t, 0)))
    if (TREE_CODE(t) == INDIRECT_REF && TREE_CODE(TREE_TYPE(TREE_OPERAND(t, 0))) != REFERENCE_TYPE)
      break;
  return t;
}

static bool same_object_p(tree a, tree b) {
  a = plain_object(a), b = plain_object(b);
  return a == b || operand_equal_p(a, b, 0);
}

static tree find_object(tree *place, int *, void *object) {
  return *place == object ? *place : NULL_TREE;
}

/* Returns true if VALUE is OBJECT plus or minus something that does not depend on it.  */
static bool adds_to_p(tree value, tree object) {
  value = plain_object(value), object = plain_object(object);
  if (TREE_CODE(value) == COMPOUND_EXPR) /* the addend was evaluated before */
    return adds_to_p(TREE_OPERAND(value, 1), object);
  if (TREE_CODE(value) != PLUS_EXPR && TREE_CODE(value) != MINUS_EXPR && TREE_CODE(value) != POINTER_PLUS_EXPR)
    return false;
  bool left = same_object_p(TREE_OPERAND(value, 0), object);
  bool right = TREE_CODE(value) == PLUS_EXPR && same_object_p(TREE_OPERAND(value, 1), object);
  tree *added = &TREE_OPERAND(value, left ? 1 : 0);
  return (left || right) && !walk_tree_without_duplicates(added, find_object, object);
}

static change change_by_call(tree call) {
  static const char *const steps[] = {"++", "--", "+=", "-="};
  const char *name = called_operator(call);
  change found;
  found.hidden = TREE_CODE(call) == CALL_EXPR && !get_callee_fndecl(call);
  if (!*name || !arguments(call))
    return found;
  found.object = *object_of(argument(call, 0));
  for (const char *step : steps)
    found.steps |= !strcmp(name, step);
  return found;
}

static change change_by(tree t) {
  change found;
  switch (TREE_CODE(t)) {
  case PREINCREMENT_EXPR:
  case POSTINCREMENT_EXPR:
  case PREDECREMENT_EXPR:
  case POSTDECREMENT_EXPR:
    found.object = TREE_OPERAND(t, 0), found.steps = true;
    break;
  case MODIFY_EXPR:
    found.object = TREE_OPERAND(t, 0), found.steps = adds_to_p(TREE_OPERAND(t, 1), found.object);
    break;
  case TARGET_EXPR:
    return TARGET_EXPR_INITIAL(t) ? change_by(strip(TARGET_EXPR_INITIAL(t))) : found;
  case CALL_EXPR:
  case AGGR_INIT_EXPR:
    return change_by_call(t);
  default:
    break;
  }
  return found;
}

/* Reads the parts of a step, which commas separate.  */
static void read_step(tree step, vec<change> *changes) {
  step = strip(step);
  if (TREE_CODE(step) == COMPOUND_EXPR) {
    read_step(TREE_OPERAND(step, 0), changes);
    read_step(TREE_OPERAND(step, 1), changes);
  } else
    changes->safe_push(change_by(step));
}

/* The variables that the head initialises.  In C they are declared before the loop, inside the expansion of the
   keyword.  */
struct beginning {
  tree loop;
  auto_vec<tree> variables;
};

static tree find_variable(tree *place, int *walk_subtrees, void *data) {
  beginning *head = (beginning *)data;
  tree t = *place;
  if (t == head->loop) {
    *walk_subtrees = 0;
    walk_tree_without_duplicates(&FOR_INIT_STMT(t), find_variable, data);
  } else if (TREE_CODE(t) == DECL_EXPR && VAR_P(DECL_EXPR_DECL(t)))
    head->variables.safe_push(DECL_EXPR_DECL(t));
  else if (TREE_CODE(t) == MODIFY_EXPR || TREE_CODE(t) == INIT_EXPR)
    head->variables.safe_push(plain_object(TREE_OPERAND(t, 0)));
  return NULL_TREE;
}

/* GCC turns `i < 1' into `i == 0' for an unsigned number.  */
static bool at_its_end_p(const comparison &compared) {
  for (tree side : {*compared.left, *compared.right}) {
    tree type = TREE_TYPE(side), value = tree_strip_any_location_wrapper(side);
    if (TREE_CODE(value) == INTEGER_CST && INTEGRAL_TYPE_P(type) &&
        (tree_int_cst_equal(value, TYPE_MIN_VALUE(type)) || tree_int_cst_equal(value, TYPE_MAX_VALUE(type))))
      return true;
  }
  return false;
}

/* Returns true if OBJECT is that SIDE of the comparison, possibly converted to another class.  */
static bool stands_there_p(tree object, tree *side, bool of_objects) {
  tree t = of_objects ? *object_of(side) : plain_object(*side);
  if (TREE_CODE(t) == TARGET_EXPR && TARGET_EXPR_INITIAL(t))
    t = strip(TARGET_EXPR_INITIAL(t));
  bool call = TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR;
  if (call && arguments(t) == 1 && RECORD_OR_UNION_TYPE_P(TREE_TYPE(object)))
    t = *object_of(argument(t, 0));
  return same_object_p(object, t);
}

static tree find_change(tree *place, int *walk_subtrees, void *variable) {
  tree t = *place;
  if (TREE_CODE(t) == BIND_EXPR || TREE_CODE(t) == STATEMENT_LIST)
    *walk_subtrees = 0;
  return t == variable || (EXPR_P(t) && change_by(t).steps) ? t : NULL_TREE;
}

/* The limit must be the same for every iteration, so it contains neither the variable nor a step of another.  */
static bool fixed_limit_p(tree limit, tree variable) {
  bool scalar = INTEGRAL_TYPE_P(TREE_TYPE(variable)) || POINTER_TYPE_P(TREE_TYPE(variable));
  return !scalar || !walk_tree_without_duplicates(&limit, find_change, variable);
}

struct loop_head {
  tree guard, loop;
  comparison compared;
  bool compares;
  auto_vec<change> changes;
};

static location_t place_of(const loop_head &head, tree part) {
  location_t where = EXPR_LOC_OR_LOC(part, EXPR_LOCATION(head.guard));
  return place_in_file(EXPR_LOC_OR_LOC(strip(part), where));
}

/* Returns true for a range-based loop, or one with unknown effects.  */
static bool hidden_p(const loop_head &head) {
  tree condition = strip(FOR_COND(head.loop));
  bool hidden = TREE_CODE(condition) == CALL_EXPR && change_by(condition).hidden;
  for (const change &each : head.changes) {
    tree object = each.object ? plain_object(each.object) : NULL_TREE;
    hidden |= each.hidden || (object && VAR_P(object) && DECL_ARTIFICIAL(object));
  }
  return hidden;
}

static const change *find_step(const loop_head &head) {
  for (const change &each : head.changes)
    if (each.steps)
      return &each;
  return NULL;
}

/* The change of the variable that the condition compares.  */
static const change *find_variable_compared(const loop_head &head) {
  for (const change &each : head.changes)
    for (tree *side : {head.compared.left, head.compared.right})
      if (head.compares && each.object && stands_there_p(each.object, side, head.compared.of_objects))
        return &each;
  return NULL;
}

static void check_limit(const loop_head &head, tree variable) {
  const comparison &compared = head.compared;
  bool left = stands_there_p(variable, compared.left, compared.of_objects);
  if (!fixed_limit_p(left ? *compared.right : *compared.left, plain_object(variable)))
    error_at(place_of(head, FOR_COND(head.loop)), "the limit of a %<cilk_for%> must be the same for every iteration");
}

static void check_other_variables(const loop_head &head, tree variable) {
  beginning begins = {head.loop, {}};
  walk_tree_without_duplicates(&FOR_BODY(head.guard), find_variable, &begins);
  for (const change &each : head.changes)
    for (tree other : begins.variables)
      if (each.object && !same_object_p(each.object, variable) && same_object_p(each.object, other)) {
        error_at(place_of(head, FOR_EXPR(head.loop)),
                 "a %<cilk_for%> has one loop variable: %qE must not change with it", other);
        return;
      }
}

void check_loop_head(tree guard, tree loop) {
  if (error_operand_p(strip(FOR_COND(loop))) || error_operand_p(strip(FOR_EXPR(loop))))
    return;
  loop_head head = {guard, loop, {}, false, {}};
  head.compares = read_condition(FOR_COND(loop), &head.compared);
  read_step(FOR_EXPR(loop), &head.changes);
  if (hidden_p(head))
    return;
  const change *variable = find_variable_compared(head);
  if (variable ? !variable->steps : !find_step(head))
    error_at(place_of(head, FOR_EXPR(loop)),
             "the step of a %<cilk_for%> must be %<++%>, %<--%>, %<+=%> or %<-=%> of its variable");
  else if (!variable || (head.compared.code == EQ_EXPR && !at_its_end_p(head.compared)))
    error_at(
        place_of(head, FOR_COND(loop)),
        "the condition of a %<cilk_for%> must be %<<%>, %<<=%>, %<>%>, %<>=%> or %<!=%> between its variable and a "
        "limit");
  else {
    check_limit(head, variable->object);
    check_other_variables(head, variable->object);
  }
}
