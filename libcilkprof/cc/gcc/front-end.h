/* The headers of the front ends of C and C++, and what differs between versions of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions that only a front end has are declared weak, because the link-time compiler and that of Fortran load the
   plugin too.  WEAK (FUNCTION) repeats the declaration of the header, so that it cannot differ.  An overloaded function
   has to be written out: a form that GCC no longer has would be NULL when it is called.  test/cc/symbols.t looks for
   those.  */

#ifndef CILKPROF_CC_GCC_FRONT_END_H
#define CILKPROF_CC_GCC_FRONT_END_H

#include "gcc-plugin.h"
#include "tree.h"
#include "c-family/c-common.h" /* it must come before the headers of diagnostics */
#include "c-family/c-pragma.h"
#include "cpplib.h"
#include "line-map.h"
#include "input.h"
#include "omp-general.h"
#include "libcilkprof/cc/gcc/middle-end.h"

/* The type of a function without its default arguments, which GCC takes for given twice otherwise.  */
template <typename type> struct without_defaults;
template <typename result, typename... parameters> struct without_defaults<result(parameters...)> {
  typedef result type(parameters...);
};
#define WEAK(function) extern without_defaults<decltype(function)>::type function __attribute__((weak))

extern cpp_reader *parse_in __attribute__((weak));
extern c_language_kind c_language __attribute__((weak));
/* The compiler of Fortran is none of C++, and has no variable that says so.  */
#undef c_dialect_cxx
#define c_dialect_cxx() (&c_language && (c_language & clk_cxx) != 0)
extern tree c_global_trees[CTI_MAX] __attribute__((weak));
extern tree lookup_name(tree) __attribute__((weak));
WEAK(set_underlying_type);

/* Returns where the macro is used whose expansion MAP describes, in any version of GCC.  */
static inline location_t gcc_macro_expansion_point(const line_map_macro *map) {
#if GCC_BEFORE(14)
  return MACRO_MAP_EXPANSION_POINT_LOCATION(map);
#else
  return map->get_expansion_point_location();
#endif
}

/* Returns true if an OpenMP construct with these CLAUSES is one end of a dependence between iterations.  Since gcc 13
   that clause is not the one that tasks have.  */
static inline bool gcc_doacross_edge_p(tree clauses) {
#if !GCC_BEFORE(13)
  if (omp_find_clause(clauses, OMP_CLAUSE_DOACROSS))
    return true;
#endif
  return omp_find_clause(clauses, OMP_CLAUSE_DEPEND);
}

/* Returns the name of T, a loop or switch; or of the one that T, a break or continue, names.  NULL_TREE: there is none.
   C2y has such names, since gcc 15.  */
static inline tree gcc_loop_name(tree t) {
#if !GCC_BEFORE(15)
  switch (TREE_CODE(t)) {
  case FOR_STMT:
    return FOR_NAME(t);
  case WHILE_STMT:
    return WHILE_NAME(t);
  case DO_STMT:
    return DO_NAME(t);
  case SWITCH_STMT:
    return SWITCH_STMT_NAME(t);
  case BREAK_STMT:
    return BREAK_NAME(t);
  case CONTINUE_STMT:
    return CONTINUE_NAME(t);
  default:
    break;
  }
#endif
  (void)t;
  return NULL_TREE;
}

/* Gives LOOP, a FOR_STMT, the name of the loop FROM.  Before gcc 15 loops have no names.  */
static inline void gcc_copy_loop_name(tree loop, tree from) {
#if !GCC_BEFORE(15)
  FOR_NAME(loop) = FOR_NAME(from);
#endif
  (void)loop, (void)from;
}

/* Returns true if the line after the last token that READER has read is a directive, or if its file ends there.  */
bool gcc_directive_follows_p(cpp_reader *reader);

/* Completes FUNCTION, which a plugin has made, so that it looks like a declaration that was parsed.  Returns it.  */
tree complete_gcc_function_decl(tree function);

/* Returns whether FUNCTION is a coroutine, or one of the functions into which GCC splits it.  */
bool gcc_coroutine_part_p(tree function);

#endif
