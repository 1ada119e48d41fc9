/* GCC's own headers, in an order that works.  SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_GCC_HEADERS_H
#define CILKPROF_CC_GCC_HEADERS_H

#include "gcc-plugin.h"
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

#if BUILDING_GCC_VERSION < 12000
static inline bool startswith(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}
static inline void copy_warning(gimple *to, const gimple *from) {
  gimple_set_no_warning(to, gimple_no_warning_p(from));
}
#endif

#endif
