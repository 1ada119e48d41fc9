/* cilk_for in parallel.
   SPDX-License-Identifier: GPL-3.0-or-later

   `for (init; condition; step) body' becomes
     { init;
       if (trips > 0) {
         range = {0, trips, grain};
         region { lo = range.low; hi = range.high; variable += lo * step; for (; lo < hi; step, lo++) body }
         if (range.thrown) loop_end (); } }
   where RANGE is a variable of the thread and the region a function with its own copy of the variable.  The runtime
   calls it for each range, or the function around it does once for a short loop.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"
#include "omp-general.h"
#include "libcilkprof/cc/front/trips.h"

/* Returns OBJECT += VALUE, or -= as CODE says, with the operator of its C++ class; error_mark_node if the class has
   none.  */
static tree modify_parallel_loop_object(tree object, enum tree_code code, tree value) {
  return build_x_modify_expr(UNKNOWN_LOCATION, object, code, value, NULL_TREE, tf_none);
}

/* Returns CONDITION with the annotations of the condition LIKE, such as ivdep.  */
static tree annotate_parallel_loop_condition(tree condition, tree like) {
  if (!like || TREE_CODE(like) != ANNOTATE_EXPR)
    return condition;
  return build3(ANNOTATE_EXPR, TREE_TYPE(condition), annotate_parallel_loop_condition(condition, TREE_OPERAND(like, 0)),
                TREE_OPERAND(like, 1), TREE_OPERAND(like, 2));
}

/* Returns the value of the variable of a cilk_for COUNT iterations after START, where each step adds BY, or subtracts
   it if DOWN is set; NULL_TREE for an object of a class.  */
static tree parallel_loop_value_after(tree start, tree count, tree by, bool down) {
  tree type = TREE_TYPE(start), number = long_unsigned_type_node;
  if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type))
    return NULL_TREE;
  if (TREE_TYPE(by) == sizetype)
    by = fold_convert(ssizetype, by);
  tree distance = fold_build2(MULT_EXPR, number, fold_convert(number, count), fold_convert(number, unshare_expr(by)));
  if (down)
    distance = fold_build1(NEGATE_EXPR, number, distance);
  if (POINTER_TYPE_P(type))
    return fold_build_pointer_plus(start, fold_convert(sizetype, distance));
  tree wrapping = unsigned_type_for(type);
  return fold_convert(
      type, fold_build2(PLUS_EXPR, wrapping, fold_convert(wrapping, start), fold_convert(wrapping, distance)));
}

/* Returns a statement that advances VARIABLE by COUNT iterations, each of which adds BY, or subtracts it if DOWN is
   set; NULL_TREE if its class has no operator for that.  */
static tree advance_parallel_loop_variable(tree variable, tree count, tree by, bool down) {
  if (tree value = parallel_loop_value_after(variable, count, by, down))
    return build_spawn_assignment(variable, value);
  tree number = ptrdiff_type_node;
  tree distance = fold_build2(MULT_EXPR, number, fold_convert(number, count), fold_convert(number, unshare_expr(by)));
  tree moved = c_dialect_cxx() ? modify_parallel_loop_object(variable, down ? MINUS_EXPR : PLUS_EXPR, distance)
                               : error_mark_node;
  if (moved == error_mark_node)
    return NULL_TREE;
  return build1(CLEANUP_POINT_EXPR, void_type_node, build1(CONVERT_EXPR, void_type_node, moved));
}

/* Returns the OpenMP clause that gives each range of iterations its own copy of the loop's VARIABLE.  An object of a
   class is copied by its constructor.  */
static tree parallel_loop_variable_clause(tree variable) {
  tree clause = parallel_own_copy_clause(variable, NULL_TREE);
  if (!c_dialect_cxx() || !CLASS_TYPE_P(TREE_TYPE(variable)) || trivially_copied_iterator_p(TREE_TYPE(variable)))
    return clause;
  return finish_omp_clauses(clause, C_ORT_OMP);
}

static const char unknown_trips[] = "its number of iterations is not known in advance";

struct range {
  tree low, high;
};

/* Returns two new variables of FUNCTION for the first iteration of a range and the one after its last, chained.  */
static range new_parallel_loop_range(tree function) {
  tree low = new_spawn_variable(long_unsigned_type_node, "cilk_low", function);
  tree high = new_spawn_variable(long_unsigned_type_node, "cilk_high", function);
  DECL_CHAIN(low) = high;
  return {low, high};
}

/* Returns statements that set the variables of ASKED to the range that this call of a loop's body is to run.  */
static tree ask_parallel_loop_range(const range &asked, location_t where) {
  tree ask = build_spawn_statement_list({build_spawn_assignment(asked.low, build_parallel_range_word(RANGE_LOW)),
                                         build_spawn_assignment(asked.high, build_parallel_range_word(RANGE_HIGH))});
  return build_tagged_scope(TAG_FOR, ask, where);
}

/* Returns code that evaluates what the number of iterations, KNOWN, depends on, and the GRAIN size, and if there are
   iterations, passes both to RUN, the loop: all is evaluated first, as it may contain loops, too.  In a profile a loop
   without iterations counts.  */
static tree build_loop_if_any_trips(const trip_count &known, tree grain, tree run, tree function, location_t where) {
  tree number = long_unsigned_type_node, type = TREE_TYPE(known.trips);
  /* Without iterations the difference of the limits may be negative.  */
  bool differs = TREE_CODE(known.trips) == MAX_EXPR && !deferring;
  tree difference = differs ? TREE_OPERAND(known.trips, 0) : known.trips;
  tree trips = new_spawn_variable(type, "cilk_trips", function),
       size = new_spawn_variable(number, "cilk_grain", function);
  DECL_CHAIN(trips) = size;
  tree evaluate = build_spawn_assignment(trips, unshare_expr(difference));
  if (known.limit)
    evaluate = build2(COMPOUND_EXPR, void_type_node, known.limit, evaluate);
  evaluate = build2(COMPOUND_EXPR, void_type_node, evaluate, build_spawn_assignment(size, fold_convert(number, grain)));
  if (c_dialect_cxx())
    evaluate = build1(CLEANUP_POINT_EXPR, void_type_node, evaluate);
  tree pass = build_spawn_statement_list(
      {build_spawn_assignment(build_parallel_range_word(RANGE_GRAIN), size),
       build_spawn_assignment(build_parallel_range_word(RANGE_LOW), build_zero_cst(number)),
       build_spawn_assignment(build_parallel_range_word(RANGE_HIGH), fold_convert(number, trips))});
  tree whole = build_spawn_statement_list({build_tagged_scope(TAG_FOR, pass, where), run});
  if (!deferring) {
    tree any = build2(GT_EXPR, boolean_type_node, trips, build_zero_cst(type));
    whole = build3(COND_EXPR, void_type_node, any, whole, build_empty_stmt(UNKNOWN_LOCATION));
    SET_EXPR_LOCATION(whole, where);
  }
  return build_spawn_variable_scope(trips, build_spawn_statement_list({evaluate, whole}));
}

/* Returns code after a loop that has the runtime throw the exception of an iteration, if there is one; NULL_TREE where
   there are no exceptions.  */
static tree end_parallel_loop(location_t where) {
  if (!c_dialect_cxx() || !flag_exceptions)
    return NULL_TREE;
  tree thrown = build2(NE_EXPR, boolean_type_node, build_parallel_range_word(RANGE_THROWN),
                       build_zero_cst(long_unsigned_type_node));
  tree end =
      build3(COND_EXPR, void_type_node, build_unlikely_spawn_test(thrown),
             build_runtime_call("__cilkprof_r_loop_end", void_type_node, true, {}), build_empty_stmt(UNKNOWN_LOCATION));
  return build_tagged_scope(TAG_FOR, end, where);
}

/* Chains the variables that the number of iterations, KNOWN, uses, and returns the first; NULL_TREE if there are
   none.  */
static tree chain_parallel_trip_variables(const trip_count &known) {
  tree variables = NULL_TREE;
  for (tree each : known.variables) {
    DECL_CHAIN(each) = variables;
    variables = each;
  }
  return variables;
}

/* The variable of a range-based for loop, and the names of a structured binding.  Every iteration initialises it anew,
   but GCC declares it in the scope of the whole loop.  */
struct iteration_scopes {
  hash_set<tree> declared, inside;
  tree moved = NULL_TREE;
};

/* Callback for walk_tree: records in DATA, an iteration_scopes, the variables that the body of a loop declares, and
   those that scopes in it have.  */
static tree collect_parallel_iteration_declarations(tree *place, int *, void *data) {
  iteration_scopes *found = (iteration_scopes *)data;
  if (TREE_CODE(*place) == DECL_EXPR)
    found->declared.add(DECL_EXPR_DECL(*place));
  else if (TREE_CODE(*place) == BIND_EXPR)
    for (tree variable = BIND_EXPR_VARS(*place); variable; variable = DECL_CHAIN(variable))
      found->inside.add(variable);
  return NULL_TREE;
}

/* Returns true if VARIABLE is one that every iteration initialises anew, by what was FOUND in the body, but that no
   scope in the body has.  */
static bool variable_of_parallel_iteration_p(iteration_scopes *found, tree variable) {
  if (!VAR_P(variable) || TREE_STATIC(variable) || found->inside.contains(variable))
    return false;
  bool part = DECL_DECOMPOSITION_P(variable) && DECL_DECOMP_BASE(variable);
  return found->declared.contains(variable) || (part && found->declared.contains(DECL_DECOMP_BASE(variable)));
}

/* Callback for walk_tree: moves the variables that every iteration initialises from the scope at PLACE to DATA, an
   iteration_scopes.  */
static tree take_out_parallel_iteration_variables(tree *place, int *, void *data) {
  iteration_scopes *found = (iteration_scopes *)data;
  if (TREE_CODE(*place) != BIND_EXPR)
    return NULL_TREE;
  for (tree *at = &BIND_EXPR_VARS(*place); *at;) {
    tree variable = *at;
    if (variable_of_parallel_iteration_p(found, variable)) {
      *at = DECL_CHAIN(variable);
      DECL_CHAIN(variable) = found->moved;
      found->moved = variable;
    } else
      at = &DECL_CHAIN(variable);
  }
  if (BIND_EXPR_BLOCK(*place))
    BLOCK_VARS(BIND_EXPR_BLOCK(*place)) = BIND_EXPR_VARS(*place);
  return NULL_TREE;
}

/* Removes the variables that each iteration of LOOP initialises in BODY from the enclosing scopes, and returns
   them.  */
static tree remove_parallel_iteration_variables(tree *loop, tree body) {
  iteration_scopes found;
  if (!c_dialect_cxx())
    return NULL_TREE;
  walk_tree_without_duplicates(&body, collect_parallel_iteration_declarations, &found);
  walk_tree_without_duplicates(loop, take_out_parallel_iteration_variables, &found);
  return found.moved;
}

/* Turns the cilk_for at INNER, within PLACE, into a region that the runtime calls for ranges of iterations.  GRAIN is
   its grain size, WHERE the location of the keyword.  Returns false if the loop is left alone, with a warning if
   wanted, where it must stay serial.  */
bool build_parallel_loop(tree *place, tree *inner, tree grain, location_t where, tree function) {
  tree loop = *inner, by = NULL_TREE;
  trip_count known;
  bool down = false;
  if (grain && FOR_COND(loop) && FOR_EXPR(loop))
    count_cilk_for_trips(FOR_COND(loop), FOR_EXPR(loop), function, &known);
  tree variable = known.trips ? stepped_cilk_for_variable(FOR_EXPR(loop), &by, &down) : NULL_TREE;
  range asked = new_parallel_loop_range(function);
  tree go = variable ? advance_parallel_loop_variable(variable, asked.low, by, down) : NULL_TREE;
  if (!go || reason_not_made_parallel()) {
    warn_not_made_parallel(where, "cilk_for", go ? reason_not_made_parallel() : unknown_trips);
    return false;
  }
  tree initialise = FOR_INIT_STMT(loop), number = long_unsigned_type_node;
  FOR_INIT_STMT(loop) = NULL_TREE;
  FOR_COND(loop) =
      annotate_parallel_loop_condition(build2(LT_EXPR, boolean_type_node, asked.low, asked.high), FOR_COND(loop));
  tree next = build2(PREINCREMENT_EXPR, number, asked.low, build_one_cst(number));
  FOR_EXPR(loop) = build2(COMPOUND_EXPR, number, build1(CONVERT_EXPR, void_type_node, FOR_EXPR(loop)), next);
  DECL_CHAIN(asked.high) = remove_parallel_iteration_variables(place, FOR_BODY(loop));
  tree before;
  if (deferring)
    FOR_BODY(loop) = build_spawn_statement_list({build_marker_tree(MARK_ITERATE), FOR_BODY(loop)});
  FOR_BODY(loop) = build_iteration_with_pedigree(FOR_BODY(loop), asked.low, function, &before);
  tree inside = build_spawn_variable_scope(
      asked.low, build_spawn_statement_list({ask_parallel_loop_range(asked, where), go, before, loop}));
  tree outlined =
      build_outlined_loop(build_spawn_exception_catch(inside), parallel_loop_variable_clause(variable), where);
  /* After the loop, a variable that is declared before it has its final value.  */
  tree last = parallel_loop_value_after(variable, unshare_expr(known.trips), by, down);
  tree run = build_spawn_statement_list(
      {deferring ? build_marker_tree(MARK_RANGES) : NULL_TREE, outlined, end_parallel_loop(where)});
  *inner = build_spawn_variable_scope(
      chain_parallel_trip_variables(known),
      build_spawn_statement_list({initialise, build_loop_if_any_trips(known, grain, run, function, where),
                                  last && !known.limit ? build_spawn_assignment(variable, last) : NULL_TREE}));
  return true;
}

/* Returns true if the simd LOOP has clauses that carry values from one iteration to another.  In parallel they would
   only do so within a range.  */
static bool parallel_simd_clauses_carry_values_p(tree loop) {
  return omp_find_clause(OMP_FOR_CLAUSES(loop), OMP_CLAUSE_REDUCTION) ||
         omp_find_clause(OMP_FOR_CLAUSES(loop), OMP_CLAUSE_LASTPRIVATE) ||
         omp_find_clause(OMP_FOR_CLAUSES(loop), OMP_CLAUSE_LINEAR);
}

/* Turns a cilk_for after `#pragma omp simd' at PLACE into a region that the runtime calls for ranges of iterations:
   each range is such a loop.  GRAIN is its grain size, WHERE the location of the keyword.  */
void build_parallel_simd_loop(tree *place, tree grain, location_t where, tree function) {
  tree loop = copy_node(*place), by = NULL_TREE;
  *place = loop;
  tree condition = TREE_VEC_ELT(OMP_FOR_COND(loop), 0), step = TREE_VEC_ELT(OMP_FOR_INCR(loop), 0);
  tree start = TREE_VEC_ELT(OMP_FOR_INIT(loop), 0), from = TREE_OPERAND(start, 1), before = OMP_FOR_PRE_BODY(loop);
  bool down = false;
  trip_count known;
  if (!TREE_SIDE_EFFECTS(from) && !TREE_SIDE_EFFECTS(TREE_OPERAND(condition, 1)))
    count_cilk_for_trips(condition, step, function, &known, unshare_expr(from));
  tree variable = known.trips ? stepped_cilk_for_variable(step, &by, &down) : NULL_TREE;
  if (!grain || !variable || !INTEGRAL_TYPE_P(TREE_TYPE(variable)) || TREE_VEC_LENGTH(OMP_FOR_INIT(loop)) != 1) {
    warn_not_made_parallel(where, "cilk_for", unknown_trips);
    return;
  }
  const char *why = parallel_simd_clauses_carry_values_p(loop) ? "its pragma carries values between iterations"
                                                               : reason_not_made_parallel();
  if (why) {
    warn_not_made_parallel(where, "cilk_for", why);
    return;
  }
  range asked = new_parallel_loop_range(function);
  TREE_OPERAND(start, 1) = parallel_loop_value_after(from, asked.low, by, down);
  TREE_VEC_ELT(OMP_FOR_COND(loop), 0) = build2(down ? GT_EXPR : LT_EXPR, boolean_type_node, variable,
                                               parallel_loop_value_after(unshare_expr(from), asked.high, by, down));
  OMP_FOR_PRE_BODY(loop) = NULL_TREE;
  tree inside =
      build_spawn_variable_scope(asked.low, build_spawn_statement_list({ask_parallel_loop_range(asked, where), loop}));
  tree outlined = build_outlined_loop(build_spawn_exception_catch(inside), NULL_TREE, where);
  tree run = build_spawn_statement_list({outlined, end_parallel_loop(where)});
  *place = build_spawn_variable_scope(
      chain_parallel_trip_variables(known),
      build_spawn_statement_list({before, build_loop_if_any_trips(known, grain, run, function, where)}));
}
