/* Finds loops of cilk_for whose iterations need no events of their own.
   SPDX-License-Identifier: GPL-3.0-or-later

   Iterations are taken to be equally long if the loop's body, after inlining, calls nothing and contains no loop, or
   only loops that run equally often in each iteration, and no conditions.  Their marker is removed before the loop is
   optimised, so that it can be vectorised or interchanged with its inner loops.  */

#include "back.h"

/* Returns true if LOOP has no markers but those of iterations and entries, no calls that the profile shows, and nothing
   that is not counted.  */
static bool loop_body_without_call_markers_p(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool simple = true;
  for (unsigned i = 0; i < loop->num_nodes && simple; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && simple; gsi_next(&at)) {
      marker which = marker_of_call(gsi_stmt(at));
      if (which == MARK_ITERATE || which == MARK_ENTRY)
        continue;
      simple = which == NO_MARKER && classify_call_for_events(gsi_stmt(at)) == CALL_OF_NO_INTEREST &&
               !runs_uncounted_code_p(gsi_stmt(at));
    }
  free(blocks);
  return simple;
}

/* Removes the markers of iterations from LOOP.  Returns true if there were any.  */
static bool remove_iteration_markers(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool removed = false;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at);)
      if (marker_of_call(gsi_stmt(at)) == MARK_ITERATE) {
        unlink_stmt_vdef(gsi_stmt(at));
        gsi_remove(&at, true);
        removed = true;
      } else
        gsi_next(&at);
  free(blocks);
  return removed;
}

/* Returns true if all loops in INSIDE, which is LOOP or nested in it, are executed in each of its iterations, and the
   number of their iterations is the same in all iterations of LOOP.  */
static bool inner_marker_loops_same_trips_p(class loop *loop, class loop *inside) {
  for (class loop *each = inside->inner; each; each = each->next) {
    tree times = number_of_latch_executions(each);
    if (!times || times == chrec_dont_know || chrec_contains_symbols_defined_in_loop(times, loop->num) ||
        !dominated_by_p(CDI_DOMINATORS, inside->latch, each->header) || !inner_marker_loops_same_trips_p(loop, each))
      return false;
  }
  return true;
}

/* Returns true if every block of LOOP with a statement is executed in each iteration of its innermost loop.  */
static bool marker_loop_without_conditions_p(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool always = true;
  for (unsigned i = 0; i < loop->num_nodes && always; i++)
    always = !first_stmt(blocks[i]) || dominated_by_p(CDI_DOMINATORS, blocks[i]->loop_father->latch, blocks[i]);
  free(blocks);
  return always;
}

/* Returns true if all exits of LOOP lead to one block, except those that never come back.  An exit to somewhere else,
   for example by an exception, belongs to one iteration, which must then have an event.  */
static bool marker_loop_left_at_end_p(class loop *loop) {
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  basic_block end = NULL;
  for (unsigned i = 0; i < exits.length(); i++) {
    basic_block behind = exits[i]->dest;
    if (EDGE_COUNT(behind->succs) == 0)
      continue;
    if (end && end != behind)
      return false;
    end = behind;
  }
  return true;
}

/* Returns true if all iterations of LOOP can be taken to be equally long, so that no events between them are
   needed.  */
static bool even_marker_loop_iterations_p(class loop *loop) {
  return loop_body_without_call_markers_p(loop) && marker_loop_left_at_end_p(loop) &&
         (!loop->inner || (marker_loop_without_conditions_p(loop) && inner_marker_loops_same_trips_p(loop, loop)));
}

/* Returns true if FUN has a marker of iterations of a cilk_for.  */
bool has_iteration_markers_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_ITERATE)
        return true;
  return false;
}

namespace {

const pass_data iteration_data = {
    GIMPLE_PASS, "cilkprof_iterations", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

/* The pass cilkprof_iterations: see make_iteration_pass.  */
class iteration_pass : public gimple_opt_pass {
public:
  /* Makes the pass "cilkprof_iterations".  */
  iteration_pass() : gimple_opt_pass(iteration_data, g) {}

  /* Removes the markers of iterations from every loop of FUN whose iterations all cost the same, and gives the other
     loops second bodies.  */
  unsigned int execute(function *fun) final override {
    bool removed = false;
    if (!has_iteration_markers_p(fun) && !calling_loops_possible_p(fun))
      return bare_copy_p(fun->decl) ? inline_guarded_parts(fun) : 0;
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    for (unsigned i = 1; i < number_of_loops(fun); i++) {
      class loop *loop = get_loop(fun, i);
      if (loop && even_marker_loop_iterations_p(loop))
        removed |= remove_iteration_markers(loop);
    }
    bool added = add_counted_bodies(fun);
    scev_finalize();
    loop_optimizer_finalize();
    if (unsigned todo = added ? inline_guarded_parts(fun) : 0)
      return todo | TODO_cleanup_cfg;
    return removed || added ? TODO_update_ssa_only_virtuals | TODO_cleanup_cfg : 0;
  }
};

} // namespace

/* Returns the pass "cilkprof_iterations", which removes markers from loops of cilk_for whose iterations are equally
   long, so that they can be vectorised.  */
opt_pass *make_iteration_pass() {
  return new iteration_pass;
}
