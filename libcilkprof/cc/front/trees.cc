/* Rewrites cilk_for, cilk_scope and cilk_sync in the trees of a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   `for (; mark_loop ();) for (init; condition; step) body' becomes
     { init; mark_loop (grain, trips); try for (; condition; step) { done++; mark_iterate (); body }
       finally mark_loop_end (done); }
   If the limit in the condition has side effects, it is first evaluated before the loop:
     { init; first = condition; mark_loop (grain, trips); try if (first) do { ... } while (step, condition); ... }
   `for (; mark_scope ();) body' becomes
     { mark_scope (); try body finally mark_scope_end (); }
   and a spawned block becomes the same with mark_omp_locked_block.
   Counting the iterations costs nothing: the counter is an induction variable, of which the optimisers only keep the
   final value.  */

#include "front.h"
#include "trips.h"

/* Sets *BEGIN to the marker that starts a cilk_for, and returns LOOP, which has lost its initialisation.  If counting
   the iterations has already evaluated the condition once, the loop is changed to test it after the body.  */
static tree begin_marked_cilk_for(tree loop, trip_count &known, tree grain, location_t where, tree function,
                                  tree *begin) {
  tree count = long_unsigned_type_node;
  tree trips = known.trips ? fold_convert(count, known.trips) : build_zero_cst(count);
  *begin = build_marker_tree(MARK_LOOP, {fold_convert(count, grain), trips});
  SET_EXPR_LOCATION(*begin, where);
  if (known.trips && known.condition) {
    tree first = new_tree_temporary(boolean_type_node, function);
    known.variables.safe_push(first);
    tree test = build2(MODIFY_EXPR, boolean_type_node, first, known.condition);
    *begin = build2(COMPOUND_EXPR, void_type_node, test, *begin);
    *begin = build2(COMPOUND_EXPR, void_type_node, known.limit, *begin);
    tree again = FOR_COND(loop);
    if (FOR_EXPR(loop))
      again = build2(COMPOUND_EXPR, TREE_TYPE(again), FOR_EXPR(loop), again);
    tree rest =
        make_node(DO_STMT); /* build_stmt would need the number of operands, which differs between versions of GCC */
    TREE_TYPE(rest) = void_type_node;
    SET_EXPR_LOCATION(rest, EXPR_LOCATION(loop));
    DO_COND(rest) = again;
    DO_BODY(rest) = FOR_BODY(loop);
    TREE_SIDE_EFFECTS(rest) = 1;
    loop = build3(COND_EXPR, void_type_node, first, rest, build_empty_stmt(UNKNOWN_LOCATION));
    TREE_SIDE_EFFECTS(loop) = 1;
  }
  if (c_dialect_cxx())
    *begin = build1(CLEANUP_POINT_EXPR, void_type_node, *begin);
  return loop;
}

/* Replaces the expansion of a cilk_for at PLACE in FUNCTION by the loop, with markers around it and in its body if the
   program is profiled.  */
static void rewrite_cilk_for(tree *place, tree function) {
  tree guard = *place, grain, *inner = checked_cilk_for(guard, &grain);
  if (!inner)
    return;
  tree loop = *inner;
  if (!instrumenting || !grain) {
    *place = FOR_BODY(guard);
    return;
  }
  tree count = long_unsigned_type_node, done = new_tree_temporary(count, function), variables = done;
  trip_count known;
  count_cilk_for_trips(FOR_COND(loop), FOR_EXPR(loop), function, &known);
  tree clear = build2(MODIFY_EXPR, count, done, build_zero_cst(count));
  tree step = build2(MODIFY_EXPR, count, done, build2(PLUS_EXPR, count, done, build_one_cst(count)));
  FOR_BODY(loop) = statement_sequence(step, build_marker_tree(MARK_ITERATE), FOR_BODY(loop));
  tree begin, initialise = FOR_INIT_STMT(loop), end = build_marker_tree(MARK_LOOP_END, {done});
  FOR_INIT_STMT(loop) = NULL_TREE;
  SET_EXPR_LOCATION(end, EXPR_LOCATION(loop));
  tree rest = begin_marked_cilk_for(loop, known, grain, EXPR_LOCATION(guard), function, &begin);
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, rest, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  *inner = statement_sequence(initialise, begin, guarded);
  for (tree variable : known.variables) {
    DECL_CHAIN(variable) = variables;
    variables = variable;
  }
  *place = build3(BIND_EXPR, void_type_node, variables, statement_sequence(clear, FOR_BODY(guard)), NULL_TREE);
  TREE_SIDE_EFFECTS(*place) = 1;
}

/* Returns the location of the last statement in BODY, which GCC uses for warnings about the code after a construct.  */
static location_t last_cilk_statement_location(tree body) {
  location_t where = UNKNOWN_LOCATION;
  while (body)
    switch (TREE_CODE(body)) {
    case BIND_EXPR:
      body = BIND_EXPR_BODY(body);
      break;
    case STATEMENT_LIST:
      body = tsi_end_p(tsi_last(body)) ? NULL_TREE : tsi_stmt(tsi_last(body));
      break;
    default:
      where = EXPR_LOCATION(body);
      body = NULL_TREE;
    }
  return where;
}

/* Puts BODY to PLACE, between the marker BEGIN and the marker END, which is reached on every way out.  */
static void bracket_with_markers(tree *place, tree begin, tree body, tree end) {
  SET_EXPR_LOCATION(end, last_cilk_statement_location(body));
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, body, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(*place));
  *place = statement_sequence(begin, guarded);
}

/* Replaces the expansion of a cilk_scope at PLACE by its BODY, between markers if the program is profiled.  */
static void rewrite_cilk_scope(tree *place, tree body) {
  if (instrumenting)
    bracket_with_markers(place, build_marker_tree(MARK_SCOPE), body, build_marker_tree(MARK_SCOPE_END));
  else
    *place = body;
}

/* Replaces the expansion of a cilk_spawn before a block at PLACE by the block, between markers if the program is
   profiled.  */
static void rewrite_spawned_block(tree *place) {
  static const char name[] = "(block)";
  tree body = checked_spawned_block(*place);
  if (instrumenting)
    bracket_with_markers(place, build_marker_tree(MARK_BLOCK, {build_string_literal(sizeof name, name)}), body,
                         build_marker_tree(MARK_BLOCK_END));
  else
    *place = body;
}

/* Returns the call of the marker if the statement T is a cilk_sync, else NULL_TREE.  */
static tree sync_marker_of_statement(tree t) {
  while (TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == EXPR_STMT || CONVERT_EXPR_P(t))
    t = TREE_OPERAND(t, 0);
  return TREE_CODE(t) == CALL_EXPR && marker_of_decl(get_callee_fndecl(t)) == MARK_SYNC ? t : NULL_TREE;
}

/* Changes the statement LIST so that it gets the warnings about falling through to a label that the serial program
   would get, where a sync is an empty statement: the statement before the sync falls through, or nothing does if that
   is a label.  */
void hide_syncs_before_labels(tree list) {
  if (!warn_implicit_fallthrough)
    return;
  tree previous = NULL_TREE, sync = NULL_TREE;
  for (tree_stmt_iterator at = tsi_start(list); !tsi_end_p(at); tsi_next(&at)) {
    tree statement = tsi_stmt(at), found = sync_marker_of_statement(statement);
    if (found) {
      sync = found;
      continue;
    }
    bool label = TREE_CODE(statement) == CASE_LABEL_EXPR;
    if (label && sync && previous && TREE_CODE(previous) == CASE_LABEL_EXPR)
      tsi_link_before(&at, build_call_expr_internal_loc(EXPR_LOCATION(sync), IFN_FALLTHROUGH, void_type_node, 0),
                      TSI_SAME_STMT);
    else if (label && sync && previous)
      SET_EXPR_LOCATION(sync, last_cilk_statement_location(previous));
    previous = statement;
    sync = NULL_TREE;
  }
}

struct rewriting {
  tree function;
  bool constructs; /* the function has constructs */
  bool scopes;     /* it has a cilk_scope */
};

/* Callback for walk_tree: rewrites the Cilk construct at PLACE, and notes in DATA, a struct rewriting, what the
   function has.  */
static tree rewrite_cilk_construct_tree(tree *place, int *walk_subtrees, void *data) {
  rewriting *state = (rewriting *)data;
  tree t = *place;
  switch (TREE_CODE(t) == FOR_STMT ? marker_tree_in_condition(FOR_COND(t)) : NO_MARKER) {
  case MARK_LOOP:
    rewrite_cilk_for(place, state->function);
    break;
  case MARK_SCOPE:
    state->scopes = true;
    rewrite_cilk_scope(place, FOR_BODY(t));
    break;
  case MARK_BLOCK:
    rewrite_spawned_block(place);
    break;
  default:
    if (TREE_CODE(t) == OMP_SIMD)
      rewrite_simd_loop(place, state->function);
    if (instrumenting && TREE_CODE(t) == STATEMENT_LIST)
      hide_syncs_before_labels(t);
    if (!instrumenting && TREE_CODE(t) == CALL_EXPR && marker_of_decl(get_callee_fndecl(t)) == MARK_SYNC)
      *place = build_empty_stmt(EXPR_LOCATION(t));
  }
  if (*place == t)
    return NULL_TREE;
  state->constructs = true;
  return rewrite_cilk_construct_tree(place, walk_subtrees, data); /* the replacement may be another construct */
}

/* Rewrites cilk_for, cilk_scope, cilk_sync and spawned blocks in the trees of FUNCTION: to markers if the program is
   profiled, else to serial code.  */
void rewrite_cilk_constructs(tree function) {
  rewriting state = {function, false, false};
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), rewrite_cilk_construct_tree, &state);
  if (state.scopes)
    check_breaks_in_cilk_scopes(&DECL_SAVED_TREE(function));
  if (instrumenting && state.constructs)
    mark_construct_arrival_labels(function);
}
