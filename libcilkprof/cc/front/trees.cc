/* cilk_for, cilk_scope and cilk_sync in a function's trees.
   SPDX-License-Identifier: GPL-3.0-or-later

   `for (; mark_loop ();) for (init; condition; step) body' becomes
     { init; mark_loop (grain, trips); try for (; condition; step) { done++; mark_iterate (); body }
       finally mark_loop_end (done); }
   where the condition's limit has effects, with its first evaluation before the loop:
     { init; first = condition; mark_loop (grain, trips); try if (first) do { ... } while (step, condition); ... }
   `for (; mark_scope ();) body' becomes
     { mark_scope (); try body finally mark_scope_end (); }
   and a spawned block the same with mark_block.
   Counting the iterations costs nothing: it is one more induction variable, of which the optimisers keep the last
   value.  */

#include "front.h"
#include "trips.h"

tree build_mark(marker which, std::initializer_list<tree> arguments) {
  auto_vec<tree> types;
  for (tree argument : arguments)
    types.safe_push(TREE_TYPE(argument));
  tree type = build_function_type_array(void_type_node, types.length(), types.address());
  tree function = known_to_front_end(build_fn_decl(marker_name(which), type));
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  if (which == MARK_ITERATE)
    DECL_IS_NOVOPS(function) =
        1; /* it must not keep the body from being vectorised; loops.cc of the back end decides */
  return build_call_expr_loc_array(UNKNOWN_LOCATION, function, arguments.size(), const_cast<tree *>(arguments.begin()));
}

/* Through what a front end wraps around it.  */
tree marker_call_in(tree t) {
  for (int depth = 0; t && depth < 8; depth++)
    switch (TREE_CODE(t)) {
    case CALL_EXPR:
      return marker_of(get_callee_fndecl(t)) == NO_MARKER ? NULL_TREE : t;
    case NE_EXPR:
    case EQ_EXPR:
    case CLEANUP_POINT_EXPR:
    case TRUTH_NOT_EXPR:
    case ANNOTATE_EXPR: /* a pragma stands before the loop */
      CASE_CONVERT:
      t = TREE_OPERAND (t, 0);
      break;
    default:
      return NULL_TREE;
    }
  return NULL_TREE;
}

marker marker_in_condition(tree t) {
  tree call = marker_call_in(t);
  return call ? marker_of(get_callee_fndecl(call)) : NO_MARKER;
}

static tree find_for(tree *place, int *, void *found) {
  if (TREE_CODE(*place) != FOR_STMT)
    return NULL_TREE;
  *(tree **)found = place;
  return *place;
}

/* What a walk over a body looks for: a statement that would leave it.  */
struct escape_search {
  hash_set<tree> labels; /* of the body itself */
  bool breaks;           /* a break leaves the body: it is not inside another loop or switch */
  bool continues;        /* a continue does */
  bool jumps;            /* a return does, a goto, and an asm goto */
  tree *found;           /* the last break or continue that was looked at */
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
    return search->jumps ? t : NULL_TREE;
  case BREAK_STMT:
    search->found = place;
    return search->breaks ? t : NULL_TREE;
  case CONTINUE_STMT:
    search->found = place;
    return search->continues ? t : NULL_TREE;
  case GOTO_EXPR:
    return search->jumps && TREE_CODE(GOTO_DESTINATION(t)) == LABEL_DECL &&
                   !search->labels.contains(GOTO_DESTINATION(t))
               ? t
               : NULL_TREE;
  case ASM_EXPR:
    return search->jumps && leaving_asm_p(t, &search->labels) ? t : NULL_TREE;
  case FOR_STMT:
  case WHILE_STMT:
  case DO_STMT:
  case SWITCH_STMT: {
    if (TREE_CODE(t) == FOR_STMT && marker_in_condition(FOR_COND(t)) != NO_MARKER)
      return NULL_TREE; /* of a keyword's */
    bool breaks = search->breaks, continues = search->continues;
    search->breaks = false;
    search->continues &= TREE_CODE(t) == SWITCH_STMT;
    *walk_subtrees = 0;
    for (int i = 0; i < TREE_OPERAND_LENGTH(t) && !escape; i++)
      escape = walk_tree_without_duplicates(&TREE_OPERAND(t, i), find_escape, search);
    search->breaks = breaks;
    search->continues = continues;
    return escape;
  }
  default:
    return NULL_TREE;
  }
}

static const char *statement_name(tree t) {
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

static void check_body(tree *body, const char *construct, bool loop) {
  escape_search search;
  search.breaks = true;
  search.continues = !loop;
  search.jumps = true;
  walk_tree_without_duplicates(body, find_label, &search);
  if (tree escape = walk_tree_without_duplicates(body, find_escape, &search))
    error_at(EXPR_LOCATION(escape), "%qs out of a %qs", statement_name(escape), construct);
}

void check_loop(tree *body) {
  check_body(body, "cilk_for", true);
}

/* What a cilk_scope expands to is a loop to the front end, which then takes any break in it.  */
void check_scopes(tree *body) {
  escape_search search;
  search.breaks = search.continues = true;
  search.jumps = false;
  while (tree stray = walk_tree_without_duplicates(body, find_escape, &search)) {
    error_at(EXPR_LOCATION(stray), "%qs statement not within a loop", statement_name(stray));
    *search.found = build_empty_stmt(EXPR_LOCATION(stray));
  }
}

tree sequence(tree first, tree second, tree third) {
  tree list = alloc_stmt_list();
  for (tree statement : {first, second, third})
    if (statement)
      append_to_statement_list_force(statement, &list);
  return list;
}

/* What a pragma before it says of the loop, as ivdep, is meant for the inner one.  */
static void move_annotations(tree guard, tree loop) {
  tree condition = FOR_COND(guard);
  for (; TREE_CODE(condition) == ANNOTATE_EXPR && FOR_COND(loop); condition = TREE_OPERAND(condition, 0))
    FOR_COND(loop) = build3(ANNOTATE_EXPR, TREE_TYPE(FOR_COND(loop)), FOR_COND(loop), TREE_OPERAND(condition, 1),
                            TREE_OPERAND(condition, 2));
}

tree checked_grain(tree guard) {
  tree grain = CALL_EXPR_ARG(marker_call_in(FOR_COND(guard)), 1);
  tree value = tree_strip_any_location_wrapper(grain);
  if (SCALAR_FLOAT_TYPE_P(TREE_TYPE(value)))
    return fold_build1(FIX_TRUNC_EXPR, long_integer_type_node, grain);
  if (INTEGRAL_TYPE_P(TREE_TYPE(value)) && (TREE_CODE(value) != INTEGER_CST || tree_int_cst_sgn(value) >= 0))
    return grain;
  error_at(place_in_file(EXPR_LOC_OR_LOC(grain, EXPR_LOCATION(guard))),
           "%<#pragma cilk grainsize%> needs a positive integer");
  return NULL_TREE;
}

tree temporary(tree type, tree function) {
  tree variable = create_tmp_var_raw(type, "cilkprof_trips");
  DECL_CONTEXT(variable) = function;
  TREE_USED(variable) = 1;
  return variable;
}

/* The loop after its initialisation, and before it what MARK counts.  Where the first evaluation of the condition came
   with the number of iterations, what is left of the loop tests behind its body.  */
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
    tree rest = make_node(DO_STMT); /* the number of its operands depends on the version of GCC */
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

tree *checked_loop(tree guard, tree *grain) {
  tree *inner = NULL, loop = walk_tree_without_duplicates(&FOR_BODY(guard), find_for, &inner);
  if (!loop) {
    error_at(place_in_file(EXPR_LOCATION(guard)), "%<cilk_for%> must be followed by a loop");
    return NULL;
  }
  check_loop(&FOR_BODY(loop));
  if (!FOR_COND(loop) || !FOR_EXPR(loop))
    error_at(place_in_file(EXPR_LOCATION(guard)), "%<cilk_for%> needs a condition and a step");
  else
    check_loop_head(guard, loop);
  *grain = checked_grain(guard);
  move_annotations(guard, loop);
  return inner;
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

/* Warnings about what follows a construct look at its last statement.  */
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

tree checked_block(tree guard) {
  check_body(&FOR_BODY(guard), "cilk_spawn", false);
  return FOR_BODY(guard);
}

static void rewrite_block(tree *place) {
  static const char name[] = "(block)";
  tree body = checked_block(*place);
  if (instrumenting)
    bracket(place, build_mark(MARK_BLOCK, {build_string_literal(sizeof name, name)}), body, build_mark(MARK_BLOCK_END));
  else
    *place = body;
}

/* The call of the marker, if that is what a statement is.  */
static tree sync_of(tree t) {
  while (TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == EXPR_STMT || CONVERT_EXPR_P(t))
    t = TREE_OPERAND(t, 0);
  return TREE_CODE(t) == CALL_EXPR && marker_of(get_callee_fndecl(t)) == MARK_SYNC ? t : NULL_TREE;
}

/* Falling through to a label is warned of as in the serial program, where a sync is an empty statement: it is what
   comes before it that falls through, and nothing where that is a label.  */
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
  bool constructs; /* there are any, */
  bool scopes;     /* of this kind */
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
  return rewrite(place, walk_subtrees, data); /* what takes its place may be another construct */
}

void rewrite_constructs(tree function) {
  rewriting state = {function, false, false};
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), rewrite, &state);
  if (state.scopes)
    check_scopes(&DECL_SAVED_TREE(function));
  if (instrumenting && state.constructs)
    mark_arrivals(function);
}
