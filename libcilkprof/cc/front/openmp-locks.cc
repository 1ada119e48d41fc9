/* Locks of omp.h: what is done while one is held.
   SPDX-License-Identifier: GPL-3.0-or-later

   A lock may be set and unset anywhere.  Where a function that sets it always goes on to unset it, at one place and
   inside of the same construct, what lies between is measured like a critical section.  A place that sets one of
   several locks has a row, but is no lock by itself.  */

#include "front.h"
#include "openmp-calls.h"

static bool sets_lock_p(const char *function) {
  return !strcmp(function, "omp_set_lock") || !strcmp(function, "omp_set_nest_lock");
}

/* 1 sets a lock, -1 unsets one.  */
static int lock_change(const gimple *statement) {
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!callee || !DECL_NAME(callee))
    return 0;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));
  if (sets_lock_p(name))
    return 1;
  return !strcmp(name, "omp_unset_lock") || !strcmp(name, "omp_unset_nest_lock") ? -1 : 0;
}

/* Where one of several locks is set: that can be seen in the source only.  */
static hash_set<int_hash<location_t, UNKNOWN_LOCATION>> several;

void note_lock(tree call, tree callee) {
  if (sets_lock_p(IDENTIFIER_POINTER(DECL_NAME(callee))) && call_expr_nargs(call) == 1 &&
      !fixed_address_p(CALL_EXPR_ARG(call, 0)))
    several.add(get_pure_location(EXPR_LOCATION(call)));
}

/* The place that unsets what SET sets: looked for on all that control must pass behind it.  NULL: there is none.  */
static gimple *unset_of(gimple *set) {
  gimple_stmt_iterator at = gsi_for_stmt(set);
  basic_block bb = gimple_bb(set), first = bb;
  int locks = 1, constructs = 0;
  for (gsi_next(&at);; gsi_next(&at)) {
    while (gsi_end_p(at)) {
      bb = get_immediate_dominator(CDI_POST_DOMINATORS, bb);
      if (!bb || bb == EXIT_BLOCK_PTR_FOR_FN(cfun))
        return NULL;
      at = gsi_start_bb(bb);
    }
    constructs += open_blocks_changed(gsi_stmt(at));
    locks += lock_change(gsi_stmt(at));
    if (constructs < 0)
      return NULL;
    if (locks == 0)
      break;
  }
  bool once = bb->loop_father == first->loop_father && dominated_by_p(CDI_DOMINATORS, bb, first);
  return constructs == 0 && once ? gsi_stmt(at) : NULL;
}

static gcall *lock_marker(location_t where) {
  expanded_location place = expand_location(where);
  char *name = xasprintf("omp lock%s %s:%d", several.contains(get_pure_location(LOCATION_LOCUS(where))) ? "s" : "",
                         place.file ? lbasename(place.file) : "?", place.line);
  tree type = build_function_type_list(void_type_node, const_string_type_node, NULL_TREE);
  gcall *mark = gimple_build_call(marker_decl(MARK_LOCK, type), 1, build_string_literal(strlen(name) + 1, name));
  free(name);
  gimple_set_location(mark, where);
  return mark;
}

bool mark_locks(function *fun) {
  auto_vec<gimple *> sets;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (lock_change(gsi_stmt(at)) > 0)
        sets.safe_push(gsi_stmt(at));
  if (sets.is_empty() || !loops_for_fn(fun))
    return false;
  calculate_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_POST_DOMINATORS);
  bool marked = false;
  for (gimple *set : sets)
    if (gimple *unset = unset_of(set)) {
      gimple_stmt_iterator begin = gsi_for_stmt(set), end = gsi_for_stmt(unset);
      gsi_insert_before(&end, plain_marker(MARK_BLOCK_END, gimple_location(unset)), GSI_SAME_STMT);
      gsi_insert_after(&begin, lock_marker(gimple_location(set)), GSI_SAME_STMT);
      marked = true;
    } else
      say_once(gimple_location(set), "what is done under a lock is not measured where no one place unsets it");
  free_dominance_info(CDI_POST_DOMINATORS);
  free_dominance_info(CDI_DOMINATORS);
  return marked;
}
