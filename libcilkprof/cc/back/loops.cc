/* Finds loops of cilk_for whose iterations need not be told apart.
   SPDX-License-Identifier: GPL-3.0-or-later

   Iterations are taken to be equally long if the loop's body, after inlining, calls nothing and contains no loop, or
   only loops that run equally often in each iteration, and no conditions.  Their marker is removed before the loop is
   optimised, so that it can be vectorised or interchanged with its inner loops.  */

#include "back.h"

static bool simple_body_p(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool simple = true;
  for (unsigned i = 0; i < loop->num_nodes && simple; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && simple; gsi_next(&at)) {
      marker which = marker_of_call(gsi_stmt(at));
      if (which == MARK_ITERATE || which == MARK_ENTRY)
        continue;
      simple = which == NO_MARKER && classify_call(gsi_stmt(at)) == CALL_OF_NO_INTEREST && !uncounted_p(gsi_stmt(at));
    }
  free(blocks);
  return simple;
}

static bool remove_markers(class loop *loop) {
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

/* All loops in INSIDE, which is LOOP or nested in it, are executed in each of its iterations, and the number of their
   iterations is the same in all iterations of LOOP.  */
static bool same_trips_p(class loop *loop, class loop *inside) {
  for (class loop *each = inside->inner; each; each = each->next) {
    tree times = number_of_latch_executions(each);
    if (!times || times == chrec_dont_know || chrec_contains_symbols_defined_in_loop(times, loop->num) ||
        !dominated_by_p(CDI_DOMINATORS, inside->latch, each->header) || !same_trips_p(loop, each))
      return false;
  }
  return true;
}

/* Every block with a statement is executed in each iteration of its loop.  */
static bool without_conditions_p(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool always = true;
  for (unsigned i = 0; i < loop->num_nodes && always; i++)
    always = !first_stmt(blocks[i]) || dominated_by_p(CDI_DOMINATORS, blocks[i]->loop_father->latch, blocks[i]);
  free(blocks);
  return always;
}

/* All exits of LOOP lead to one block, except those that never come back.  An exit to somewhere else, for example by
   an exception, belongs to one iteration, which must then be told apart.  */
static bool left_at_end_p(class loop *loop) {
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

static bool even_p(class loop *loop) {
  return simple_body_p(loop) && left_at_end_p(loop) &&
         (!loop->inner || (without_conditions_p(loop) && same_trips_p(loop, loop)));
}

static bool iterates_p(function *fun) {
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

class iteration_pass : public gimple_opt_pass {
public:
  iteration_pass() : gimple_opt_pass(iteration_data, g) {}

  unsigned int execute(function *fun) final override {
    bool removed = false;
    if (!iterates_p(fun))
      return 0;
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    for (unsigned i = 1; i < number_of_loops(fun); i++) {
      class loop *loop = get_loop(fun, i);
      if (loop && even_p(loop))
        removed |= remove_markers(loop);
    }
    scev_finalize();
    loop_optimizer_finalize();
    return removed ? TODO_update_ssa_only_virtuals | TODO_cleanup_cfg : 0;
  }
};

} // namespace

opt_pass *make_iteration_pass() {
  return new iteration_pass;
}
