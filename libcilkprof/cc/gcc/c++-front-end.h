/* The header of the front end of C++, and what differs between versions of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later

   It is to be included before any other.  The compiler of C loads the plugin too, so that everything is weak
   (front-end.h), and is called only for programs of C++.  */

#ifndef CILKPROF_CC_GCC_CXX_FRONT_END_H
#define CILKPROF_CC_GCC_CXX_FRONT_END_H

#include "gcc-plugin.h"
#include "cp/cp-tree.h" /* it must come before the headers of diagnostics */
#include "libcilkprof/cc/gcc/front-end.h"

/* gcc 15: a macro for a function that the compiler of C does not have.  */
#undef seen_error

extern saved_scope *scope_chain __attribute__((weak));
WEAK(clear_fold_cache);
WEAK(lookup_member);
WEAK(perform_implicit_conversion);
WEAK(break_out_target_exprs);
WEAK(trivially_copyable_p);
WEAK(finish_omp_clauses);
WEAK(resolve_nondeduced_context);
WEAK(get_first_fn);
WEAK(complete_type);
WEAK(coro_get_ramp_function);
WEAK(retrofit_lang_decl);
extern bool mark_used(tree, tsubst_flags_t) __attribute__((weak));

/* gcc 12: one more argument, for what was looked up.  */
#if GCC_BEFORE(12)
extern tree build_x_binary_op(const op_location_t &, enum tree_code, tree, enum tree_code, tree, enum tree_code, tree *,
                              tsubst_flags_t) __attribute__((weak));
extern cp_expr build_x_modify_expr(location_t, tree, enum tree_code, tree, tsubst_flags_t) __attribute__((weak));
/* Builds the assignment of VALUE to OBJECT, with the arguments that the function has since gcc 12: the new one is
   ignored.  */
static inline cp_expr build_x_modify_expr(location_t where, tree object, enum tree_code code, tree value, tree,
                                          tsubst_flags_t flags) {
  return build_x_modify_expr(where, object, code, value, flags);
}
#else
extern tree build_x_binary_op(const op_location_t &, enum tree_code, tree, enum tree_code, tree, enum tree_code, tree,
                              tree *, tsubst_flags_t) __attribute__((weak));
extern cp_expr build_x_modify_expr(location_t, tree, enum tree_code, tree, tree, tsubst_flags_t) __attribute__((weak));
#endif

#endif
