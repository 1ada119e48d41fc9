/* Rejects spawns in conditions, as every Cilk compiler does: the value is needed at once, so nothing can run in
   parallel.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"

/* Callback for walk_tree: returns the call at PLACE if a cilk_spawn stands before it.  The walk does not enter nested
   functions and blocks.  */
static tree find_spawn_in_condition(tree *place, int *walk_subtrees, void *) {
  tree t = *place;
  if (TREE_CODE(t) == BIND_EXPR || TREE_CODE(t) == STATEMENT_LIST || TREE_CODE(t) == STMT_EXPR)
    *walk_subtrees = 0;
  bool call = (TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR) && EXPR_HAS_LOCATION(t);
  return call && keyword_at_call_location(EXPR_LOCATION(t)) ? t : NULL_TREE;
}

/* Returns the cilk_spawn before a call in the EXPRESSION, or NULL.  EXPRESSION may be NULL_TREE.  */
static const spawn_keyword *spawn_keyword_in_condition(tree expression) {
  tree call = expression ? walk_tree_without_duplicates(&expression, find_spawn_in_condition, NULL) : NULL_TREE;
  return call ? keyword_at_call_location(EXPR_LOCATION(call)) : NULL;
}

/* Returns the condition of T, an if, a switch, a loop or a conditional expression; NULL_TREE for any other tree.  */
static tree condition_that_may_spawn(tree t) {
  switch ((int)TREE_CODE(t)) {
  case COND_EXPR:
  case SWITCH_EXPR:
    return TREE_OPERAND(t, 0);
  case FOR_STMT:
    return FOR_COND(t);
  case WHILE_STMT:
    return WHILE_COND(t);
  case DO_STMT:
    return DO_COND(t);
  case SWITCH_STMT:
    return SWITCH_STMT_COND(t);
  case IF_STMT:
    return c_dialect_cxx() ? IF_COND(t) : NULL_TREE;
  default:
    return NULL_TREE;
  }
}

/* Callback for walk_tree: reports a cilk_spawn in the condition of the statement at PLACE.  */
static tree refuse_spawn_in_condition(tree *place, int *, void *) {
  if (const spawn_keyword *keyword = spawn_keyword_in_condition(condition_that_may_spawn(*place)))
    error_at(keyword->where, "%<cilk_spawn%> cannot be used in a condition");
  return NULL_TREE;
}

/* Reports every cilk_spawn in FUNCTION that stands in a condition.  */
void check_spawns_in_conditions(tree function) {
  if (file_has_keywords_p(DECL_SOURCE_LOCATION(function)))
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), refuse_spawn_in_condition, NULL);
}
