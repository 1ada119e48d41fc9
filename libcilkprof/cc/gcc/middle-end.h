/* The headers of GCC's middle end, in an order that works for every version of GCC, and what differs between versions.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that was renamed or changed has its newest form here, and older versions of GCC get it too: so that the
   passes are written once.  README.md says what a new version of GCC needs.  */

#ifndef CILKPROF_CC_GCC_MIDDLE_END_H
#define CILKPROF_CC_GCC_MIDDLE_END_H

#define INCLUDE_STRING /* std::string: after GCC's headers it could not be included any more */
#include "gcc-plugin.h"
#include "target.h"
#include "tree.h"
#include "tree-pass.h"
#include "context.h"
#include "function.h"
#include "basic-block.h"
#include "cfg.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "dominance.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-ssa.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "gimple-expr.h"
#include "tree-cfg.h"
#include "tree-ssa.h"
#include "tree-into-ssa.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-inline.h"
#include "tree-iterator.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop-manip.h"
#include "tree-scalar-evolution.h"
#include "tree-chrec.h"
#include "gimplify-me.h"
#include "predict.h"
#include "tree-ssa-loop-ivopts.h"
#include "ssa.h"
#include "stringpool.h"
#include "cgraph.h"
#include "varasm.h"
#include "attribs.h"
#include "output.h"
#include "toplev.h"
#include "calls.h"
#include "builtins.h"
#include "fold-const.h"
#include "print-tree.h"
#include "diagnostic-core.h"
#include "langhooks.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "ipa-modref-tree.h"
#include "ipa-modref.h"

#include "diagnostic.h"
#include "libcilkprof/cc/gcc/versions.h"

#if GCC_BEFORE(12)
/* Returns true if TEXT begins with PREFIX.  It is GCC's own function since gcc 12.  */
static inline bool startswith(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}
/* Suppresses warnings about the statement TO if those about FROM are suppressed.  It is GCC's own function since gcc
   12.  */
static inline void copy_warning(gimple *to, const gimple *from) {
  gimple_set_no_warning(to, gimple_no_warning_p(from));
}
#endif

#if GCC_BEFORE(14)
/* Returns the last statement of BB that is not for debugging, or NULL.  GCC has this name for it since gcc 14.  */
static inline gimple *last_nondebug_stmt(basic_block bb) {
  return last_stmt(bb);
}
/* Returns true if EXPRESSION is expensive to compute.  The second argument, which GCC has since gcc 14, is ignored.  */
static inline bool expression_expensive_p(tree expression, bool *) {
  return expression_expensive_p(expression);
}
#endif

/* Returns a reference to GCC's flag that suppresses all warnings, which can be set.  */
static inline bool &gcc_warnings_inhibited() {
#if GCC_BEFORE(14)
  return global_dc->dc_inhibit_warnings;
#else
  return global_dc->m_inhibit_warnings;
#endif
}

/* Makes SUMMARY, of what GCC knows about a function's memory accesses, say that the function may have any side
   effect.  */
static inline void gcc_expect_any_effect(modref_summary *summary) {
#if GCC_BEFORE(12)
  summary->writes_errno = 1;
#else
  summary->kills.release();
  summary->side_effects = summary->global_memory_read = summary->global_memory_written = 1;
  summary->nondeterministic = 1;
  summary->try_dse = 0;
#endif
}

/* Returns true if WHICH is the function of libgomp that starts OpenMP's scope construct, which came with gcc 12.  */
static inline bool gcc_openmp_scope_start_p(built_in_function which) {
#if GCC_BEFORE(12)
  (void)which;
  return false;
#else
  return which == BUILT_IN_GOMP_SCOPE_START;
#endif
}

/* Returns true if T is OpenMP's masked construct, which came with gcc 12.  */
static inline bool gcc_openmp_masked_p(const_tree t) {
#if GCC_BEFORE(12)
  (void)t;
  return false;
#else
  return TREE_CODE(t) == OMP_MASKED;
#endif
}

/* Whether this compiler's code is for x86-64; else it is for aarch64.  The plugin itself may run on the other one.  */
#ifdef TARGET_SSE2
enum { COMPILES_FOR_X86 = 1 };
#else
enum { COMPILES_FOR_X86 = 0 };
#endif

/* builtins.cc: the declaration of a built-in function, in every language.  */
tree gcc_builtin_decl(built_in_function which);

#endif
