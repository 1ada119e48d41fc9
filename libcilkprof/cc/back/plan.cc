/* What is to be done to a function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "plan.h"

/* void (int), or void (int, siginfo_t *, void *).  */
static bool as_declared_p(tree arguments) {
  tree number = arguments ? TREE_VALUE(arguments) : void_type_node;
  if (TREE_CODE(number) != INTEGER_TYPE || TYPE_PRECISION(number) != INT_TYPE_SIZE)
    return false;
  tree second = TREE_CHAIN(arguments), third = second ? TREE_CHAIN(second) : NULL_TREE;
  if (!second || VOID_TYPE_P(TREE_VALUE(second)))
    return true;
  return third && POINTER_TYPE_P(TREE_VALUE(second)) && POINTER_TYPE_P(TREE_VALUE(third)) && TREE_CHAIN(third) &&
         VOID_TYPE_P(TREE_VALUE(TREE_CHAIN(third)));
}

/* A signal handler returns nothing and takes what the system passes, if anything.  One that another unit installs is
   not known to be, unless it looks like nothing else: the check costs every call some instructions.  */
bool handler_p(cgraph_node *node) {
  tree type = TREE_TYPE(node->decl), first = TYPE_ARG_TYPES(type);
  if (calling_back || !VOID_TYPE_P(TREE_TYPE(type)))
    return false;
  if (!node->address_taken)
    return TREE_PUBLIC(node->decl) && as_declared_p(first);
  return !first || VOID_TYPE_P(TREE_VALUE(first)) || INTEGRAL_TYPE_P(TREE_VALUE(first));
}

/* Whether the function spawns anywhere: it then syncs at every return.  */
static bool spawns_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      marker which = marker_of_call(gsi_stmt(at));
      if (spawn_marker_p(gsi_stmt(at)) || which == MARK_BLOCK || which == MARK_TASK || which == MARK_TEAM_LOOP)
        return true;
    }
  return false;
}

static bool chooses_tasks_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_TASK_CALL && !surely_deferred_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Where the function begins a part of itself that ends where it returns, at the latest: a named strand, a region.  */
static bool names_strand_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && DECL_NAME(function) &&
         (id_equal(DECL_NAME(function), "__cilkprof_api_strand") ||
          id_equal(DECL_NAME(function), "__cilkprof_api_start"));
}

static bool names_strands_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (names_strand_p(gsi_stmt(at)))
        return true;
  return false;
}

static bool has_landing_pads_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    if (landing_pad_p(bb))
      return true;
  return false;
}

/* How many blocks are around the beginning of BB.  One that nothing but jumps leads to, and from which no way leads to
   a return, is in a loop of its own, around which there may be no block.  */
int function_plan::open_blocks_at(basic_block bb) {
  int *known = open_blocks.get(bb);
  return known ? *known : 0;
}

/* Loops are known from here on until the function is done.  In clock mode the timer is read between calls; which of
   them are spawned is not known yet.  */
function_plan::function_plan(function *f, bool called)
    : fun(f), node(cgraph_node::get(f->decl)), outlined(called), bare(false),
      linked(called || calling_back || leaves_frames_p(f)), handler(handler_p(node)), spawning(spawns_p(f)),
      chooses_tasks(chooses_tasks_p(f)), names_strands(linked && names_strands_p(f)), has_blocks(has_blocks_p(f)),
      entered(NULL) {
  if (has_blocks)
    find_open_blocks(fun, &open_blocks);
  bool at_once = enterable_p(node) || handler || calling_back || (linked && has_landing_pads_p(fun));
  if (!outlined && !at_once)
    separate_bare_returns(fun, &bare_returns);
  loop_optimizer_init(mode == MEASURE_HYBRID ? LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS : AVOID_CFG_MODIFICATIONS);
  find_small_locks(fun, &locks);
  if (mode == MEASURE_HYBRID)
    find_timed_parts(fun, &locks, &timed);
  if (!outlined) {
    entered = at_once ? ENTRY_BLOCK_PTR_FOR_FN(fun) : entry_block(fun, &bare_returns);
    return;
  }
  bare = mode != MEASURE_CLOCK && without_events_p(fun) && !(timed.any() && (handler || leaves_frames_p(fun)));
  linked = !bare;
  find_leaf_calls(fun, &locks, &timed, &leaf_calls);
  find_series(fun, &leaf_calls, &series);
  find_calls_followed(fun, mode != MEASURE_CLOCK && !spawning, &leaf_calls, &followed);
}
