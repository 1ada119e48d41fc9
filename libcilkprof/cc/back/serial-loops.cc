/* Serial loops: loops without events that are sites of their own where they run long.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most of what a function does itself, it does in loops, and the code of functions that were inlined into it is there
   too.  So the outermost loops without events get an event before and behind them.  Nothing changes inside of a loop,
   and the markers come after all optimisation, so loops are inlined and vectorised as they would be otherwise.  */

#include "plan.h"

/* Returns true if the statement A says better than B where a loop is: it is less deep in inlined functions, or equally
   deep and before B in the source.  B may be NULL.  */
static bool nearer_to_loop_head_p(gimple *a, gimple *b) {
  if (!b)
    return true;
  int depth = inlining_depth_of_statement(a) - inlining_depth_of_statement(b);
  expanded_location one = expand_location(gimple_location(a)), other = expand_location(gimple_location(b));
  return depth < 0 || (depth == 0 && one.file == other.file && one.line < other.line);
}

/* Returns the statement in LOOP whose location is nearest to the loop's head, or NULL if no statement has one.  After
   optimisation a loop has no location of its own, and its condition may have lost its location.  */
static gimple *statement_at_loop_head(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  gimple *nearest = NULL;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at))
      if (!is_gimple_debug(gsi_stmt(at)) && LOCATION_LOCUS(gimple_location(gsi_stmt(at))) > BUILTINS_LOCATION &&
          nearer_to_loop_head_p(gsi_stmt(at), nearest))
        nearest = gsi_stmt(at);
  free(blocks);
  return nearest;
}

/* Inserts the marker WHICH on the edge E, in a block of its own, with the location of LIKE.  Returns it.  */
static gimple *insert_loop_marker(edge e, marker which, gimple *like) {
  tree function = build_fn_decl(marker_name(which), build_function_type_list(void_type_node, NULL_TREE));
  gcall *mark = gimple_build_call(function, 0);
  gimple_set_location(mark, gimple_location(like));
  gimple_stmt_iterator at = gsi_start_bb(split_edge(e));
  gsi_insert_before(&at, mark, GSI_NEW_STMT);
  return mark;
}

/* Returns true if code can be inserted on E, an edge that leaves a loop.  */
static bool normal_exit_p(edge e) {
  return !(e->flags & (EDGE_ABNORMAL | EDGE_EH));
}

/* Returns true if LOOP is known to have few iterations.  */
static bool short_loop_p(class loop *loop) {
  enum { SHORT = 16 };
  HOST_WIDE_INT most = get_max_loop_iterations_int(loop);
  return most >= 0 && most < SHORT;
}

/* Returns true if LOOP, an outermost one, is divided into the loops in it: one of these is of an inlined function that
   LOOP itself is not part of, and not short.  It is mostly the loop of time steps, or of iterations to a solution.  */
bool divided_loop_p(class loop *loop) {
  gimple *head = loop_outer(loop)->num ? NULL : statement_at_loop_head(loop);
  for (class loop *inner = loop->inner; head && inner; inner = inner->next) {
    gimple *inner_head = short_loop_p(inner) ? NULL : statement_at_loop_head(inner);
    if (inner_head && inlining_depth_of_statement(inner_head) > inlining_depth_of_statement(head))
      return true;
  }
  return false;
}

/* Marks LOOP of the function of PLAN as a serial loop, if its place is known and it is not in a Cilk block, whose work
   is told apart already.  Loops with a short constant number of iterations stay part of their function.  */
static void mark_serial_loop(function_plan *plan, class loop *loop) {
  gimple *head = statement_at_loop_head(loop);
  if (!head || plan->open_blocks_at(loop->header) || (!loop->inner && short_loop_p(loop)))
    return;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge e : exits)
    if (normal_exit_p(e))
      insert_loop_marker(e, MARK_SERIAL_LOOP_END, head);
  plan->serial.begins.put(insert_loop_marker(loop_preheader_edge(loop), MARK_SERIAL_LOOP, head), loop);
  plan->serial.headers.add(loop->header);
}

/* Returns true if FUN gets a frame so that its loops can be told apart, although it has no events: all of a program may
   have been inlined into main.  Other functions without events are told apart by their names.  */
bool frame_for_serial_loops_p(function *fun) {
  return MAIN_NAME_P(DECL_NAME(fun->decl)) && mode != MEASURE_CLOCK && optimize;
}

/* Returns true if some statement of FUN is a call or a marker that the profile shows.  */
static bool has_sites_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (statement_gets_event_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Returns true if the loops of FUN are told apart.  They are not in clock mode, where the timer would be read at every
   short loop, for what-if questions, and in functions of libraries' headers, which nobody wants to change.  The form of the events does not matter, so that all forms give the same
   numbers.  */
bool serial_loops_told_apart_p(function *fun) {
  return mode != MEASURE_CLOCK && !whatif && optimize && !DECL_IN_SYSTEM_HEADER(fun->decl) &&
         (has_sites_p(fun) || frame_for_serial_loops_p(fun));
}

/* Finds and marks the serial loops of the function of PLAN.  */
void mark_serial_loops(function_plan *plan) {
  if (!serial_loops_told_apart_p(plan->fun))
    return;
  auto_vec<class loop *> loops;
  find_loops_without_events(loops_for_fn(plan->fun)->tree_root, &plan->locks, true, &loops);
  for (class loop *loop : loops)
    mark_serial_loop(plan, loop);
}
