/* Rewrites cilk_for, cilk_scope and cilk_sync in the trees of a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   `for (; mark_loop ();) for (init; condition; step) body' becomes
     { init; mark_loop (grain, trips); try for (; condition; step) { done++; mark_iterate (); body }
       finally mark_loop_end (done); }
   If the limit in the condition has side effects, it is first evaluated before the loop:
     { init; first = condition; mark_loop (grain, trips); try if (first) do { ... } while (step, condition); ... }
   `for (; mark_scope ();) body' becomes
     { mark_scope (); try body finally mark_scope_end (); }
   and a spawned block becomes the same with mark_block.
   Counting the iterations costs nothing: the counter is an induction variable, of which the optimisers only keep the
   final value.  */

#include "front.h"
#include "trips.h"

/* Sets *BEGIN to the marker that starts the loop, and returns the loop without its initialisation.  If counting the
   iterations has already evaluated the condition once, the loop is changed to test it after the body.  */
static tree begin_loop(tree loop, trip_count &known, tree grain, location_t where, tree function, tree *begin) {
  tree count = long_unsigned_type_node;
  tree trips = known.trips ? fold_convert(count, known.trips) : build_zero_cst(count);
  *begin = build_mark(MARK_LOOP, {fold_convert(count, grain), trips});
  SET_EXPR_LOCATION(*begin, where);
  if (known.trips && known.condition) {
    tree first = temporary(boolean_type_node, function);
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

static void rewrite_loop(tree *place, tree function) {
  tree guard = *place, grain, *inner = checked_loop(guard, &grain);
  if (!inner)
    return;
  tree loop = *inner;
  if (!instrumenting || !grain) {
    *place = FOR_BODY(guard);
    return;
  }
  tree count = long_unsigned_type_node, done = temporary(count, function), variables = done;
  trip_count known;
  count_trips(FOR_COND(loop), FOR_EXPR(loop), function, &known);
  tree clear = build2(MODIFY_EXPR, count, done, build_zero_cst(count));
  tree step = build2(MODIFY_EXPR, count, done, build2(PLUS_EXPR, count, done, build_one_cst(count)));
  FOR_BODY(loop) = sequence(step, build_mark(MARK_ITERATE), FOR_BODY(loop));
  tree begin, initialise = FOR_INIT_STMT(loop), end = build_mark(MARK_LOOP_END, {done});
  FOR_INIT_STMT(loop) = NULL_TREE;
  SET_EXPR_LOCATION(end, EXPR_LOCATION(loop));
  tree rest = begin_loop(loop, known, grain, EXPR_LOCATION(guard), function, &begin);
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, rest, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  *inner = sequence(initialise, begin, guarded);
  for (tree variable : known.variables) {
    DECL_CHAIN(variable) = variables;
    variables = variable;
  }
  *place = build3(BIND_EXPR, void_type_node, variables, sequence(clear, FOR_BODY(guard)), NULL_TREE);
  TREE_SIDE_EFFECTS(*place) = 1;
}

/* The location of the last statement, which GCC uses for warnings about the code after a construct.  */
static location_t end_of(tree body) {
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

static void bracket(tree *place, tree begin, tree body, tree end) {
  SET_EXPR_LOCATION(end, end_of(body));
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, body, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(*place));
  *place = sequence(begin, guarded);
}

static void rewrite_scope(tree *place, tree body) {
  if (instrumenting)
    bracket(place, build_mark(MARK_SCOPE), body, build_mark(MARK_SCOPE_END));
  else
    *place = body;
}

static void rewrite_block(tree *place) {
  static const char name[] = "(block)";
  tree body = checked_block(*place);
  if (instrumenting)
    bracket(place, build_mark(MARK_BLOCK, {build_string_literal(sizeof name, name)}), body, build_mark(MARK_BLOCK_END));
  else
    *place = body;
}

/* The call of the marker if the statement is a sync, else NULL_TREE.  */
static tree sync_of(tree t) {
  while (TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == EXPR_STMT || CONVERT_EXPR_P(t))
    t = TREE_OPERAND(t, 0);
  return TREE_CODE(t) == CALL_EXPR && marker_of(get_callee_fndecl(t)) == MARK_SYNC ? t : NULL_TREE;
}

/* Gives the warnings about falling through to a label that the serial program would get, where a sync is an empty
   statement: the statement before the sync falls through, or nothing does if that is a label.  */
void hide_syncs_before_labels(tree list) {
  if (!warn_implicit_fallthrough)
    return;
  tree previous = NULL_TREE, sync = NULL_TREE;
  for (tree_stmt_iterator at = tsi_start(list); !tsi_end_p(at); tsi_next(&at)) {
    tree statement = tsi_stmt(at), found = sync_of(statement);
    if (found) {
      sync = found;
      continue;
    }
    bool label = TREE_CODE(statement) == CASE_LABEL_EXPR;
    if (label && sync && previous && TREE_CODE(previous) == CASE_LABEL_EXPR)
      tsi_link_before(&at, build_call_expr_internal_loc(EXPR_LOCATION(sync), IFN_FALLTHROUGH, void_type_node, 0),
                      TSI_SAME_STMT);
    else if (label && sync && previous)
      SET_EXPR_LOCATION(sync, end_of(previous));
    previous = statement;
    sync = NULL_TREE;
  }
}

struct rewriting {
  tree function;
  bool constructs; /* the function has constructs */
  bool scopes;     /* it has a cilk_scope */
};

static tree rewrite(tree *place, int *walk_subtrees, void *data) {
  rewriting *state = (rewriting *)data;
  tree t = *place;
  switch (TREE_CODE(t) == FOR_STMT ? marker_in_condition(FOR_COND(t)) : NO_MARKER) {
  case MARK_LOOP:
    rewrite_loop(place, state->function);
    break;
  case MARK_SCOPE:
    state->scopes = true;
    rewrite_scope(place, FOR_BODY(t));
    break;
  case MARK_BLOCK:
    rewrite_block(place);
    break;
  default:
    if (TREE_CODE(t) == OMP_SIMD)
      rewrite_simd(place, state->function);
    if (instrumenting && TREE_CODE(t) == STATEMENT_LIST)
      hide_syncs_before_labels(t);
    if (!instrumenting && TREE_CODE(t) == CALL_EXPR && marker_of(get_callee_fndecl(t)) == MARK_SYNC)
      *place = build_empty_stmt(EXPR_LOCATION(t));
  }
  if (*place == t)
    return NULL_TREE;
  state->constructs = true;
  return rewrite(place, walk_subtrees, data); /* the replacement may be another construct */
}

void rewrite_constructs(tree function) {
  rewriting state = {function, false, false};
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), rewrite, &state);
  if (state.scopes)
    check_scopes(&DECL_SAVED_TREE(function));
  if (instrumenting && state.constructs)
    mark_arrivals(function);
}
