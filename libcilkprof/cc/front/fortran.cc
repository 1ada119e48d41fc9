/* Fortran: its functions reach the plugin when GCC gimplifies them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only the front ends of C and C++ tell a plugin that the trees of a function are complete (PLUGIN_PRE_GENERICIZE).
   But the gimplifier shows every expression to the front end first, by a function of the table lang_hooks, and the
   first one is the body of the function.  Fortran's constructs of OpenMP have the same trees as those of C there.  */

#include "front.h"
#include "langhooks.h"

static int (*gimplify_by_front_end)(tree *, gimple_seq *, gimple_seq *);

/* Callback for walk_tree: returns the tree at PLACE if it is a call of the main program.  */
static tree find_fortran_main_call(tree *place, int *, void *) {
  tree callee = TREE_CODE(*place) == CALL_EXPR ? get_callee_fndecl(*place) : NULL_TREE;
  return callee && id_equal(DECL_ASSEMBLER_NAME(callee), FORTRAN_MAIN_SYMBOL) ? *place : NULL_TREE;
}

/* Prepares FUNCTION if it is one of the two at the start of a program.  The function main, which GCC adds, only calls
   the main program, MAIN__.  That is the start in the profile, so it is not inlined, and main is not measured.  */
static void prepare_fortran_start_mark(tree function) {
  if (id_equal(DECL_ASSEMBLER_NAME(function), FORTRAN_MAIN_SYMBOL))
    DECL_UNINLINABLE(function) = 1;
  else if (MAIN_NAME_P(DECL_NAME(function)) &&
           walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_fortran_main_call, NULL))
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier("no_instrument_function"), NULL_TREE, DECL_ATTRIBUTES(function));
}

/* Callback for walk_tree: gives the call at PLACE a location if it has none, that of one of its arguments, or of what
   is before it, which DATA remembers.  The front end leaves out that of a call with statements before it, for its
   arguments.  */
static tree locate_fortran_call_mark(tree *place, int *walk_subtrees, void *data) {
  location_t *last = (location_t *)data;
  tree t = *place;
  if (TYPE_P(t))
    *walk_subtrees = 0;
  if (TREE_CODE(t) == CALL_EXPR && EXPR_LOCATION(t) == UNKNOWN_LOCATION) {
    location_t where = *last;
    for (int i = call_expr_nargs(t); i-- > 0;)
      if (EXPR_HAS_LOCATION(CALL_EXPR_ARG(t, i)))
        where = EXPR_LOCATION(CALL_EXPR_ARG(t, i));
    SET_EXPR_LOCATION(t, where);
  }
  if (EXPR_HAS_LOCATION(t))
    *last = EXPR_LOCATION(t);
  return NULL_TREE;
}

/* Has the OpenMP constructs of the current function marked if PLACE is its whole body, which is about to be gimplified.
   Then does what the front end does with the expression at PLACE.  */
static int gimplify_marked_construct(tree *place, gimple_seq *before, gimple_seq *after) {
  tree function = current_function_decl;
  if (function && place == &DECL_SAVED_TREE(function) && !parsed_function_p(function)) {
    note_parsed_function(function);
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier(HEADLESS_ATTRIBUTE), NULL_TREE, DECL_ATTRIBUTES(function));
    location_t last = DECL_SOURCE_LOCATION(function);
    walk_tree_without_duplicates(place, locate_fortran_call_mark, &last);
    prepare_fortran_start_mark(function);
    if (flag_openmp)
      mark_openmp_constructs(function);
  }
  return gimplify_by_front_end(place, before, after);
}

/* Has the constructs of each function of the unit marked before GCC gimplifies it.  */
void mark_fortran_constructs_when_gimplified() {
  gimplify_by_front_end = lang_hooks.gimplify_expr;
  lang_hooks.gimplify_expr = gimplify_marked_construct;
}

/* Returns true if LOOP is one into which GCC has turned an operation on arrays: its variable, S.1, has a name that no
   variable of Fortran has, as their names are in lower case.  */
static bool array_loop_mark_p(tree loop) {
  tree init = OMP_FOR_INIT(loop) ? TREE_VEC_ELT(OMP_FOR_INIT(loop), 0) : NULL_TREE;
  tree variable = init ? TREE_OPERAND(init, 0) : NULL_TREE;
  return variable && DECL_P(variable) && DECL_NAME(variable) &&
         startswith(IDENTIFIER_POINTER(DECL_NAME(variable)), "S.");
}

/* Returns the name of the loop construct LOOP, which divides its iterations among threads, in the profile: "omp do" or
   "omp workshare".  IN_PARALLEL says that it is combined with a parallel region.  */
const char *fortran_loop_construct_name(tree loop, bool in_parallel) {
  if (array_loop_mark_p(loop))
    return in_parallel ? "omp parallel workshare" : "omp workshare";
  return in_parallel ? "omp parallel do" : "omp do";
}
