/* Errors in the bodies and heads of constructs: statements that jump out of them, a cilk_for without a loop, a wrong
   grain size.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "trips.h"

/* Callback for walk_tree: stops at the first for loop and stores its place in *FOUND, a pointer to a tree.  */
static tree find_loop_of_cilk_for(tree *place, int *, void *found) {
  if (TREE_CODE(*place) != FOR_STMT)
    return NULL_TREE;
  *(tree **)found = place;
  return *place;
}

/* The search for a statement that leaves a body.  */
struct escape_search {
  hash_set<tree> labels; /* in the body itself, and names of loops in it */
  tree own_name;         /* of the loop that has the body: a continue may name it */
  bool breaks;           /* a break leaves the body, because the walk is not inside another loop or switch */
  bool continues;        /* a continue leaves it */
  bool jumps;            /* search for return, goto and asm goto, too */
  tree *found;           /* the last break or continue that was visited */
};

/* Callback for walk_tree: adds the label or the name of the loop at PLACE to the labels of DATA, an escape_search,
   which jumps inside the body may use.  */
static tree collect_cilk_body_labels(tree *place, int *, void *data) {
  escape_search *search = (escape_search *)data;
  tree t = *place;
  if (TREE_CODE(t) == LABEL_EXPR)
    search->labels.add(LABEL_EXPR_LABEL(t));
  else if (TREE_CODE(t) != BREAK_STMT && TREE_CODE(t) != CONTINUE_STMT && gcc_loop_name(t))
    search->labels.add(gcc_loop_name(t));
  return NULL_TREE;
}

/* Callback for walk_tree: returns the first statement that jumps out of the body that DATA, an escape_search,
   describes.  Inside inner loops and switches a break, and in loops a continue, stays in the body.  */
static tree find_cilk_body_escape(tree *place, int *walk_subtrees, void *data) {
  escape_search *search = (escape_search *)data;
  tree t = *place, escape = NULL_TREE;
  switch (TREE_CODE(t)) {
  case RETURN_EXPR:
    return search->jumps ? t : NULL_TREE;
  case BREAK_STMT:
  case CONTINUE_STMT: {
    bool is_break = TREE_CODE(t) == BREAK_STMT;
    search->found = place;
    if (tree name = gcc_loop_name(t))
      return search->jumps && !search->labels.contains(name) && (is_break || name != search->own_name) ? t : NULL_TREE;
    return (is_break ? search->breaks : search->continues) ? t : NULL_TREE;
  }
  case GOTO_EXPR:
    return search->jumps && TREE_CODE(GOTO_DESTINATION(t)) == LABEL_DECL &&
                   !search->labels.contains(GOTO_DESTINATION(t))
               ? t
               : NULL_TREE;
  case ASM_EXPR:
    return search->jumps && asm_goto_leaves_construct_p(t, &search->labels) ? t : NULL_TREE;
  case FOR_STMT:
  case WHILE_STMT:
  case DO_STMT:
  case SWITCH_STMT: {
    if (TREE_CODE(t) == FOR_STMT && marker_tree_in_condition(FOR_COND(t)) != NO_MARKER)
      return NULL_TREE; /* the expansion of a keyword is not a loop */
    bool breaks = search->breaks, continues = search->continues;
    search->breaks = false;
    search->continues &= TREE_CODE(t) == SWITCH_STMT;
    *walk_subtrees = 0;
    for (int i = 0; i < TREE_OPERAND_LENGTH(t) && !escape; i++)
      escape = walk_tree_without_duplicates(&TREE_OPERAND(t, i), find_cilk_body_escape, search);
    search->breaks = breaks;
    search->continues = continues;
    return escape;
  }
  default:
    return NULL_TREE;
  }
}

/* Returns the keyword of the jump T for an error message, such as "return" or "asm goto".  */
static const char *cilk_jump_statement_name(tree t) {
  switch (TREE_CODE(t)) {
  case RETURN_EXPR:
    return "return";
  case GOTO_EXPR:
    return "goto";
  case ASM_EXPR:
    return "asm goto";
  case CONTINUE_STMT:
    return "continue";
  default:
    return "break";
  }
}

/* Reports an error if a statement jumps out of BODY, that of the keyword CONSTRUCT.  LOOP says that it is the body of a
   loop, in which a continue is allowed; NAME is the name of that loop, or NULL_TREE.  */
static void check_cilk_construct_body(tree *body, const char *construct, bool loop, tree name) {
  escape_search search;
  search.own_name = name;
  search.breaks = true;
  search.continues = !loop;
  search.jumps = true;
  walk_tree_without_duplicates(body, collect_cilk_body_labels, &search);
  if (tree escape = walk_tree_without_duplicates(body, find_cilk_body_escape, &search))
    error_at(EXPR_LOCATION(escape), "%qs out of a %qs", cilk_jump_statement_name(escape), construct);
}

/* Reports an error if a statement jumps out of BODY, that of a cilk_for loop.  NAME is the name of the loop, which a
   continue may use, or NULL_TREE.  */
void check_cilk_for_body(tree *body, tree name) {
  check_cilk_construct_body(body, "cilk_for", true, name);
}

/* Reports each break or continue in the function BODY that is in no loop, and removes it.  To the front end a
   cilk_scope is a loop, so it accepts any break in it.  */
void check_breaks_in_cilk_scopes(tree *body) {
  escape_search search;
  search.own_name = NULL_TREE;
  search.breaks = search.continues = true;
  search.jumps = false;
  while (tree stray = walk_tree_without_duplicates(body, find_cilk_body_escape, &search)) {
    error_at(EXPR_LOCATION(stray), "%qs statement not within a loop", cilk_jump_statement_name(stray));
    *search.found = build_empty_stmt(EXPR_LOCATION(stray));
  }
}

/* Returns the grain size that the marker in the condition of GUARD, the expansion of cilk_for, was given: 0 if no
   pragma requested one, NULL_TREE after reporting that it is not a positive integer.  */
tree checked_grain_size(tree guard) {
  tree grain = CALL_EXPR_ARG(marker_tree_call_in_condition(FOR_COND(guard)), 1);
  tree value = tree_strip_any_location_wrapper(grain);
  if (SCALAR_FLOAT_TYPE_P(TREE_TYPE(value)))
    return fold_build1(FIX_TRUNC_EXPR, long_integer_type_node, grain);
  if (INTEGRAL_TYPE_P(TREE_TYPE(value)) && (TREE_CODE(value) != INTEGER_CST || tree_int_cst_sgn(value) >= 0))
    return grain;
  error_at(location_outside_macros(EXPR_LOC_OR_LOC(grain, EXPR_LOCATION(guard))),
           "%<#pragma cilk grainsize%> needs a positive integer");
  return NULL_TREE;
}

/* Moves annotations such as ivdep from the condition of GUARD, the expansion of cilk_for, to that of LOOP inside it.  A
   pragma before the keyword is meant for the inner loop.  */
static void move_cilk_for_annotations(tree guard, tree loop) {
  tree condition = FOR_COND(guard);
  for (; TREE_CODE(condition) == ANNOTATE_EXPR && FOR_COND(loop); condition = TREE_OPERAND(condition, 0))
    FOR_COND(loop) = build3(ANNOTATE_EXPR, TREE_TYPE(FOR_COND(loop)), FOR_COND(loop), TREE_OPERAND(condition, 1),
                            TREE_OPERAND(condition, 2));
}

/* Checks the head, the body and the grain size of a cilk_for, and reports errors in them.  Returns where the loop is
   inside GUARD, the expansion of the keyword, or NULL if there is none; *GRAIN gets the grain size, or NULL_TREE after
   an error in it.  */
tree *checked_cilk_for(tree guard, tree *grain) {
  tree *inner = NULL, loop = walk_tree_without_duplicates(&FOR_BODY(guard), find_loop_of_cilk_for, &inner);
  if (!loop) {
    error_at(location_outside_macros(EXPR_LOCATION(guard)), "%<cilk_for%> must be followed by a loop");
    return NULL;
  }
  check_cilk_for_body(&FOR_BODY(loop), gcc_loop_name(guard));
  gcc_copy_loop_name(loop, guard);
  if (!FOR_COND(loop) || !FOR_EXPR(loop))
    error_at(location_outside_macros(EXPR_LOCATION(guard)), "%<cilk_for%> needs a condition and a step");
  else
    check_cilk_for_head(guard, loop);
  *grain = checked_grain_size(guard);
  move_cilk_for_annotations(guard, loop);
  return inner;
}

/* Returns the block that a cilk_spawn spawns, after checking that nothing jumps out of it.  GUARD is the expansion of
   the keyword.  */
tree checked_spawned_block(tree guard) {
  check_cilk_construct_body(&FOR_BODY(guard), "cilk_spawn", false, NULL_TREE);
  return FOR_BODY(guard);
}
