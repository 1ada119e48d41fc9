/* Atomic operations in a function: what several processors that use the same memory wait for, and a serial run does
   not show.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "symbols.h"
#include "internal-fn.h"

/* Returns true if ADDRESS is that of a variable by which a region of OpenMP returns the result of a reduction: each
   thread updates it once, whatever the region does.  */
static bool address_of_reduction_result_p(tree address) {
  tree object = TREE_CODE(address) == ADDR_EXPR ? get_base_address(TREE_OPERAND(address, 0)) : NULL_TREE;
  return object && VAR_P(object) && DECL_NAME(object) &&
         !strncmp(IDENTIFIER_POINTER(DECL_NAME(object)), ".omp_data_o", 11);
}

/* Returns true if STATEMENT is a call that reads and writes memory atomically.  Atomic loads and stores do not count:
   they cost what others do.  */
static bool atomic_update_p(gimple *statement) {
  gcall *call = dyn_cast<gcall *>(statement);
  if (!call || (gimple_call_num_args(call) && address_of_reduction_result_p(gimple_call_arg(call, 0))))
    return false;
  if (gimple_call_internal_p(call))
    return gimple_call_internal_fn(call) == IFN_ATOMIC_COMPARE_EXCHANGE;
  tree callee = gimple_call_fndecl(call);
  if (!callee || !fndecl_built_in_p(callee, BUILT_IN_NORMAL) || !DECL_NAME(callee))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));
  static const char *const updates[] = {
      "__atomic_fetch_", "__atomic_exchange", "__atomic_compare_exchange", "__atomic_test_and_set", "__sync_fetch_",
      "__sync_bool_",    "__sync_val_"};
  for (const char *each : updates)
    if (!strncmp(name, each, strlen(each)))
      return true;
  return !strncmp(name, "__atomic_", 9) && strstr(name, "_fetch_"); /* __atomic_add_fetch_8 */
}

/* Returns true if the code of FUN, with what was inlined into it, has atomic updates.  */
static bool has_atomic_updates_p(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (atomic_update_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Looks at the statements from AT on, in a loop that has DEPTH markers of other loops around them.  Returns true if one
   of them is an atomic update.  Otherwise, sets DEPTH to that of what follows; to -1 if the loop ends before.  */
static bool atomic_update_before_loop_end_p(gimple_stmt_iterator at, int &depth) {
  for (; depth >= 0 && !gsi_end_p(at); gsi_next(&at)) {
    if (atomic_update_p(gsi_stmt(at)))
      return true;
    marker which = marker_of_call(gsi_stmt(at));
    depth += which == MARK_LOOP || which == MARK_TEAM_LOOP ? 1 : which == MARK_LOOP_END ? -1 : 0;
  }
  return false;
}

/* Returns true if the loop that begins at MARK has atomic updates, also by what was inlined into it.  */
bool loop_updates_atomically_p(gimple *mark) {
  struct reached {
    basic_block block;
    int depth;
  };
  auto_vec<reached> left;
  hash_set<basic_block> seen;
  gimple_stmt_iterator at = gsi_for_stmt(mark);
  gsi_next(&at);
  for (reached here = {gimple_bb(mark), 0};; here = left.pop(), at = gsi_start_bb(here.block)) {
    if (atomic_update_before_loop_end_p(at, here.depth))
      return true;
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, here.block->succs)
      if (here.depth >= 0 && e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun) && !seen.add(e->dest))
        left.safe_push({e->dest, here.depth});
    if (left.is_empty())
      return false;
  }
}

/* The symbols of functions with atomic updates.  GCC compiles a function before its callers, and then forgets its
   code.  */
static hash_set<nofree_string_hash> updating;

/* Remembers if FUN, which is compiled now, has atomic updates.  */
void note_atomic_updates(function *fun) {
  std::string symbol = original_site_symbol(fun->decl);
  if (has_atomic_updates_p(fun) && !updating.contains(symbol.c_str()))
    updating.add(xstrdup(symbol.c_str()));
}

/* Returns true if FUNCTION is known to have atomic updates.  */
bool updates_atomically_p(tree function) {
  return function && updating.contains(original_site_symbol(function).c_str());
}
