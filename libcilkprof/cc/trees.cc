/* cilk_for, cilk_scope and cilk_sync in a function's trees.
   SPDX-License-Identifier: GPL-3.0-or-later

   `for (; mark_loop ();) for (init; condition; step) body' becomes
     { init; mark_loop (grain, trips); try for (; condition; step) { done++; mark_iterate (); body }
       finally mark_loop_end (done); }
   `if (!mark_scope ()); else body' becomes
     { mark_scope (); try body finally mark_scope_end (); }
   Counting the iterations costs nothing: it is one more induction variable, of which the optimisers keep the last
   value.  */

#include "front.h"
#include "trips.h"

static tree mark(marker which, tree first = NULL_TREE, tree second = NULL_TREE) {
  tree count = long_unsigned_type_node;
  tree type = second  ? build_function_type_list(void_type_node, count, count, NULL_TREE)
              : first ? build_function_type_list(void_type_node, count, NULL_TREE)
                      : build_function_type_list(void_type_node, NULL_TREE);
  tree function = build_fn_decl(marker_name(which), type);
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  if (which == MARK_ITERATE)
    DECL_IS_NOVOPS(function) =
        1; /* it must not keep the body from being vectorised; loops.cc of the back end decides */
  return second  ? build_call_expr(function, 2, first, second)
         : first ? build_call_expr(function, 1, first)
                 : build_call_expr(function, 0);
}

/* The marker that T calls, through what a front end wraps around a condition.  */
static marker marker_in_condition(tree t) {
  for (int depth = 0; t && depth < 8; depth++)
    switch (TREE_CODE(t)) {
    case CALL_EXPR:
      return marker_of(get_callee_fndecl(t));
    case NE_EXPR:
    case EQ_EXPR:
    case CLEANUP_POINT_EXPR:
    case TRUTH_NOT_EXPR:
      CASE_CONVERT:
      t = TREE_OPERAND (t, 0);
      break;
    default:
      return NO_MARKER;
    }
  return NO_MARKER;
}

static tree find_for(tree *place, int *, void *found) {
  if (TREE_CODE(*place) != FOR_STMT)
    return NULL_TREE;
  *(tree **)found = place;
  return *place;
}

/* What a walk over a loop's body looks for: a statement that would leave it.  */
struct escape_search {
  hash_set<tree> labels; /* of the body itself */
  bool nested;           /* inside another loop or switch, which a break leaves */
};

static tree find_label(tree *place, int *, void *data) {
  if (TREE_CODE(*place) == LABEL_EXPR)
    ((escape_search *)data)->labels.add(LABEL_EXPR_LABEL(*place));
  return NULL_TREE;
}

static tree find_escape(tree *place, int *walk_subtrees, void *data) {
  escape_search *search = (escape_search *)data;
  tree t = *place, escape = NULL_TREE;
  switch (TREE_CODE(t)) {
  case RETURN_EXPR:
    return t;
  case BREAK_STMT:
    return search->nested ? NULL_TREE : t;
  case GOTO_EXPR:
    return TREE_CODE(GOTO_DESTINATION(t)) == LABEL_DECL && !search->labels.contains(GOTO_DESTINATION(t)) ? t
                                                                                                         : NULL_TREE;
  case FOR_STMT:
  case WHILE_STMT:
  case DO_STMT:
  case SWITCH_STMT:
    if (search->nested)
      return NULL_TREE;
    search->nested = true;
    *walk_subtrees = 0;
    for (int i = 0; i < TREE_OPERAND_LENGTH(t) && !escape; i++)
      escape = walk_tree_without_duplicates(&TREE_OPERAND(t, i), find_escape, search);
    search->nested = false;
    return escape;
  default:
    return NULL_TREE;
  }
}

static void check_body(tree *body) {
  escape_search search;
  search.nested = false;
  walk_tree_without_duplicates(body, find_label, &search);
  tree escape = walk_tree_without_duplicates(body, find_escape, &search);
  if (!escape)
    return;
  const char *what = TREE_CODE(escape) == RETURN_EXPR ? "return" : TREE_CODE(escape) == GOTO_EXPR ? "goto" : "break";
  error_at(EXPR_LOCATION(escape), "%qs out of a %<cilk_for%>", what);
}

static tree sequence(tree first, tree second, tree third = NULL_TREE) {
  tree list = alloc_stmt_list();
  for (tree statement : {first, second, third})
    if (statement)
      append_to_statement_list_force(statement, &list);
  return list;
}

static void rewrite_loop(tree *place) {
  tree guard = *place, *inner = NULL;
  tree loop = walk_tree_without_duplicates(&FOR_BODY(guard), find_for, &inner);
  if (!loop) {
    error_at(EXPR_LOCATION(guard), "%<cilk_for%> must be followed by a loop");
    return;
  }
  check_body(&FOR_BODY(loop));
  tree grain = grain_for(EXPR_LOCATION(guard));
  if (!instrumenting) {
    *place = FOR_BODY(guard);
    return;
  }
  tree count = long_unsigned_type_node, trips = trip_count(loop);
  tree begin = mark(MARK_LOOP, grain ? fold_convert(count, grain) : build_zero_cst(count),
                    trips ? fold_convert(count, trips) : build_zero_cst(count));
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(guard));
  tree done = create_tmp_var_raw(count, "cilkprof_trips");
  DECL_CONTEXT(done) = current_function_decl;
  TREE_USED(done) = 1;
  tree clear = build2(MODIFY_EXPR, count, done, build_zero_cst(count));
  tree step = build2(MODIFY_EXPR, count, done, build2(PLUS_EXPR, count, done, build_one_cst(count)));
  FOR_BODY(loop) = sequence(step, mark(MARK_ITERATE), FOR_BODY(loop));
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, loop, mark(MARK_LOOP_END, done));
  TREE_SIDE_EFFECTS(guarded) = 1;
  *inner = sequence(FOR_INIT_STMT(loop), begin, guarded);
  FOR_INIT_STMT(loop) = NULL_TREE;
  *place = build3(BIND_EXPR, void_type_node, done, sequence(clear, FOR_BODY(guard)), NULL_TREE);
  TREE_SIDE_EFFECTS(*place) = 1;
}

static void rewrite_scope(tree *place, tree body) {
  if (!instrumenting) {
    *place = body;
    return;
  }
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, body, mark(MARK_SCOPE_END));
  TREE_SIDE_EFFECTS(guarded) = 1;
  *place = sequence(mark(MARK_SCOPE), guarded);
}

/* The if-statement of C++ is told by name: its code's number is known only to that front end.  */
static bool if_p(tree t) {
  return TREE_CODE(t) == COND_EXPR || !strcmp(get_tree_code_name(TREE_CODE(t)), "if_stmt");
}

static tree rewrite(tree *place, int *, void *) {
  tree t = *place;
  if (TREE_CODE(t) == FOR_STMT && marker_in_condition(FOR_COND(t)) == MARK_LOOP)
    rewrite_loop(place);
  else if (if_p(t) && marker_in_condition(TREE_OPERAND(t, 0)) == MARK_SCOPE)
    rewrite_scope(place, TREE_OPERAND(t, 2));
  else if (!instrumenting && TREE_CODE(t) == CALL_EXPR && marker_of(get_callee_fndecl(t)) == MARK_SYNC)
    *place = build_empty_stmt(EXPR_LOCATION(t));
  return NULL_TREE;
}

void rewrite_constructs(tree function) {
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), rewrite, NULL);
}
