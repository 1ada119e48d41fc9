/* Atomic operations in a function: what several processors that use the same memory wait for, and a serial run does
   not show.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define INCLUDE_STRING
#include "symbols.h"
#include "internal-fn.h"

/* Returns true if CALL reads and writes memory atomically.  Atomic loads and stores do not count: they cost what others
   do.  */
static bool atomic_update_p(gimple *call) {
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
      if (is_gimple_call(gsi_stmt(at)) && atomic_update_p(gsi_stmt(at)))
        return true;
  return false;
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
