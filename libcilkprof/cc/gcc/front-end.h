/* The headers of the front ends of C and C++, and what differs between versions of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later

   What only a front end has is declared weak: the link-time compiler loads the plugin too, and must find nothing amiss.
   WEAK (FUNCTION) repeats what the header says, so that it cannot differ from it.  A function with several forms has to
   be written out: then a form that GCC no longer has is NULL when it is called.  test/cc/symbols.t looks for those.  */

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
extern tree c_global_trees[CTI_MAX] __attribute__((weak));
extern tree lookup_name(tree) __attribute__((weak));
WEAK(set_underlying_type);

/* Where the macro is used of which this is an expansion.  */
static inline location_t expansion_point(const line_map_macro *map) {
#if GCC_BEFORE(14)
  return MACRO_MAP_EXPANSION_POINT_LOCATION(map);
#else
  return map->get_expansion_point_location();
#endif
}

/* Whether a construct with these clauses is one end of an edge between iterations.  gcc 13: such a clause is another
   than that of tasks.  */
static inline bool doacross_edge_p(tree clauses) {
#if !GCC_BEFORE(13)
  if (omp_find_clause(clauses, OMP_CLAUSE_DOACROSS))
    return true;
#endif
  return omp_find_clause(clauses, OMP_CLAUSE_DEPEND);
}

/* Returns the name of T, a loop or switch; or of the one that T, a break or continue, names.  NULL_TREE: there is none.
   gcc 15: C2y has such names.  */
static inline tree name_of_loop(tree t) {
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

/* Gives LOOP, a FOR_STMT, the name of another.  */
static inline void copy_loop_name(tree loop, tree from) {
#if !GCC_BEFORE(15)
  FOR_NAME(loop) = FOR_NAME(from);
#endif
  (void)loop, (void)from;
}

/* FUNCTION was just made by a plugin: as a declaration that the parser made (front-end.cc).  */
tree known_to_front_end(tree function);

/* Whether FUNCTION is a coroutine, or one of the functions into which GCC cuts it.  */
bool coroutine_part_p(tree function);

#endif
