/* Decides how a function is to be instrumented, before any event is inserted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "plan.h"

/* Returns true if FUN spawns anything: calls, blocks, or tasks and loops of OpenMP.  Such a function syncs at every
   return.  */
static bool has_spawning_markers_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      marker which = marker_of_call(gsi_stmt(at));
      if (spawn_marker_for_event_p(gsi_stmt(at)) || which == MARK_BLOCK || which == MARK_TASK ||
          which == MARK_TEAM_LOOP || which == MARK_TEAM_RUN)
        return true;
    }
  return false;
}

/* Returns true if FUN has an OpenMP task that is one call, and of which only the run shows if it is deferred or
   final.  */
static bool has_undecided_task_call_markers_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_TASK_CALL && !task_marker_always_deferred_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Returns true if STATEMENT starts a named strand or a region, which ends when the function returns at the latest.  */
static bool starts_named_strand_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && DECL_NAME(function) &&
         (id_equal(DECL_NAME(function), "__cilkprof_api_strand") ||
          id_equal(DECL_NAME(function), "__cilkprof_api_start"));
}

/* Returns true if FUN has a call of cilkprof_strand or cilkprof_start.  */
static bool has_named_strands_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (starts_named_strand_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Returns true if control may arrive at some block of FUN by an exception or a jump.  */
static bool has_landing_pads_for_events_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    if (landing_pad_event_block_p(bb))
      return true;
  return false;
}

/* Makes the plan for instrumenting F, whose events are inlined unless CALLED.  Initialises GCC's loop information,
   which the instrumenter releases.  The return of a call and the next call become one event only outside clock mode,
   which reads the timer between them, and only in functions that do not spawn, since it is not known yet which calls
   are spawned.  */
function_plan::function_plan(function *f, bool called)
    : fun(f), node(cgraph_node::get(f->decl)), outlined(called), bare(false),
      linked(called || calling_back || may_abandon_instrumented_frames_p(f)),
      handler(may_be_instrumented_handler_p(node)), spawning(has_spawning_markers_p(f)),
      chooses_tasks(has_undecided_task_call_markers_p(f)), ranges(range_body_p(f->decl)),
      names_strands(linked && has_named_strands_p(f)), has_blocks(has_block_markers_p(f)), entered(NULL) {
  find_blocks_behind_marker(fun, MARK_COUNTED_BODY, &counted_blocks);
  if (has_blocks)
    find_open_marked_blocks_in_bbs(fun, blocks_opened_by_marker, &open_blocks);
  bool at_once = enterable_by_uninstrumented_code_p(node) || handler || calling_back ||
                 (linked && has_landing_pads_for_events_p(fun));
  if (!outlined && !at_once)
    separate_bare_returns(fun, &bare_returns);
  loop_optimizer_init(mode != MEASURE_CLOCK ? LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS : AVOID_CFG_MODIFICATIONS);
  find_locks_without_events(fun, &locks);
  if (mode == MEASURE_HYBRID)
    find_timed_strand_parts(fun, &locks, &counted_blocks, serial_loops_are_sites_p(fun), &timed);
  if (!outlined) {
    mark_serial_loops(this);
    find_loops_around_calls(fun);
    find_clocks_around_calls(fun);
    entered = at_once ? ENTRY_BLOCK_PTR_FOR_FN(fun) : frame_setup_event_block(fun, &bare_returns);
    return;
  }
  bare = mode != MEASURE_CLOCK && !ranges && function_without_events_p(fun) && !frame_for_serial_loops_p(fun) &&
         !(timed.any_strand_timed_p() && (handler || may_abandon_instrumented_frames_p(fun)));
  linked = !bare;
  mark_serial_loops(this);
  find_loops_around_calls(fun);
  find_clocks_around_calls(fun);
  find_leaf_calls(fun, &locks, &timed, &leaf_calls);
  find_leaf_call_series(fun, &leaf_calls, &series);
  find_counted_calls(fun, &leaf_calls, &counted);
  find_calls_sharing_next_event(fun, mode != MEASURE_CLOCK && !spawning, &leaf_calls, &counted, &followed);
}
