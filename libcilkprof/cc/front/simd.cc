/* #pragma omp simd before a cilk_for, with -fopenmp or -fopenmp-simd.
   SPDX-License-Identifier: GPL-3.0-or-later

   The front end requires the loop itself after that pragma, so the marker of the keyword cannot be around the loop.  It
   is around the body:
     for (init; condition; step) for (; mark_loop (1, grain);) body
   Vectorised iterations cannot increment a common counter.  But the loop is an OpenMP loop, so the number of iterations
   is known before it.  */

#include "front.h"
#include "trips.h"

static cpp_hashnode *vector;
static struct {
  bool pending;
  unsigned lines; /* that have begun since the pragma */
} pragma;

/* Defines the macro to which a cilk_for after `#pragma omp simd' expands.  */
void define_simd_loop_macro() {
  vector = define_hidden_macro("__cilkprof_for_simd(...)", "for(__VA_ARGS__)for(;(__cilk_for)(1,__cilkprof_grain);)");
}

/* Notes that a line or pragma begins with the token FIRST: begins or ends the time in which a cilk_for belongs to
   `#pragma omp simd'.  The loop must begin on the first line after the pragma, and not inside another loop.  */
void count_line_after_simd(const cpp_token *first) {
  if (first->type == CPP_PRAGMA && first->val.pragma == PRAGMA_OMP_SIMD)
    pragma = {true, 0};
  else if (first->type == CPP_NAME && id_equal(HT_IDENT_TO_GCC_IDENT(HT_NODE(first->val.node.node)), "for"))
    pragma.pending = false;
  else if (first->type != CPP_PRAGMA && first->type != CPP_PRAGMA_EOL && ++pragma.lines == 2)
    pragma.pending = false;
}

/* Notes that a _Pragma operator has TEXT, including the quotes: the next cilk_for may belong to it if it is `omp
   simd'.  */
void read_simd_pragma_operator(const char *text) {
  int length = 0;
  sscanf(text, "\" omp simd%n", &length);
  if (length && !ISIDNUM(text[length]))
    pragma = {true, 0};
}

/* Returns the macro to which a cilk_for expands: that for loops after `#pragma omp simd', or PLAIN.  BEHIND is the
   token after the keyword.  */
cpp_hashnode *choose_loop_macro(cpp_hashnode *plain, const cpp_token *behind) {
  bool chosen = pragma.pending && behind->type == CPP_OPEN_PAREN;
  pragma.pending = false;
  return chosen ? vector : plain;
}

/* Callback for walk_tree: stops at the first for loop, and stores its place in *FOUND if it is the marker of a cilk_for
   after `#pragma omp simd'.  */
static tree find_simd_loop_marker(tree *place, int *, void *found) {
  if (TREE_CODE(*place) != FOR_STMT)
    return NULL_TREE;
  tree call = marker_tree_call_in_condition(FOR_COND(*place));
  if (!call || marker_of_decl(get_callee_fndecl(call)) != MARK_LOOP ||
      !integer_onep(tree_strip_any_location_wrapper(CALL_EXPR_ARG(call, 0))))
    return *place; /* another loop: the loop of the pragma has no marker */
  *(tree **)found = place;
  return *place;
}

/* Appends the evaluation of EXPRESSION to BEFORE if it has side effects, and returns an expression for its value.
   VARIABLES gets the new variable, which belongs to FUNCTION.  */
static tree evaluate_simd_head_once(tree *expression, tree function, tree *variables, tree *before) {
  if (!TREE_SIDE_EFFECTS(*expression))
    return unshare_expr(*expression);
  tree value = new_tree_temporary(TREE_TYPE(*expression), function);
  DECL_CHAIN(value) = *variables;
  *variables = value;
  *before = statement_sequence(*before, build2(MODIFY_EXPR, TREE_TYPE(value), value, *expression));
  return *expression = value;
}

/* Checks the body and the grain size of LOOP, an OpenMP simd loop, if it is a cilk_for.  Returns where the keyword's
   marker is in its body, or NULL if it is none; *GRAIN gets the grain size, or NULL_TREE after an error in it.  */
tree *checked_simd_loop(tree loop, tree *grain) {
  tree *guard = NULL;
  walk_tree_without_duplicates(&OMP_FOR_BODY(loop), find_simd_loop_marker, &guard);
  if (!guard)
    return NULL;
  *grain = checked_grain_size(*guard);
  check_cilk_for_body(&FOR_BODY(*guard), NULL_TREE);
  return guard;
}

/* Rewrites the simd loop at PLACE in FUNCTION if it is a cilk_for: removes the keyword's marker and, with -fcilkprof,
   puts markers around the loop and into its body.  */
void rewrite_simd_loop(tree *place, tree function) {
  tree loop = *place, grain, *guard_place = checked_simd_loop(loop, &grain);
  if (!guard_place)
    return;
  tree guard = *guard_place;
  if (!instrumenting || !grain || TREE_VEC_LENGTH(OMP_FOR_INIT(loop)) != 1) {
    *guard_place = FOR_BODY(guard);
    return;
  }
  *guard_place = statement_sequence(build_marker_tree(MARK_ITERATE), FOR_BODY(guard));
  loop = copy_node(loop); /* so that the walk over the function visits the inside, where it has not been */
  tree count = long_unsigned_type_node, trips = new_tree_temporary(count, function), variables = trips;
  tree &before = OMP_FOR_PRE_BODY(loop);
  tree condition = TREE_VEC_ELT(OMP_FOR_COND(loop), 0), step = TREE_VEC_ELT(OMP_FOR_INCR(loop), 0);
  tree from =
      evaluate_simd_head_once(&TREE_OPERAND(TREE_VEC_ELT(OMP_FOR_INIT(loop), 0), 1), function, &variables, &before);
  evaluate_simd_head_once(&TREE_OPERAND(condition, 1), function, &variables, &before);
  if (TREE_CODE(step) == MODIFY_EXPR && BINARY_CLASS_P(TREE_OPERAND(step, 1)))
    evaluate_simd_head_once(&TREE_OPERAND(TREE_OPERAND(step, 1), 1), function, &variables, &before);
  trip_count known;
  count_cilk_for_trips(condition, step, function, &known, from);
  tree begin = build_marker_tree(MARK_LOOP, {fold_convert(count, grain), trips});
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(guard));
  tree number = known.trips ? fold_convert(count, known.trips) : build_zero_cst(count);
  before = statement_sequence(before, build2(MODIFY_EXPR, count, trips, number), begin);
  tree end = build_marker_tree(MARK_LOOP_END, {trips});
  SET_EXPR_LOCATION(end, EXPR_LOCATION(loop));
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, loop, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  *place = build3(BIND_EXPR, void_type_node, variables, guarded, NULL_TREE);
  TREE_SIDE_EFFECTS(*place) = 1;
}
