/* Loops without events: where they are, which of them get a row of their own, and in which functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "plan.h"

/* Returns true if nothing in LOOP ends a strand, and code can be inserted on every edge that enters it.  */
static bool loop_without_events_p(class loop *loop) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (!flow_bb_inside_loop_p(loop, e->src) && e->flags & (EDGE_ABNORMAL | EDGE_EH))
      return false;
  return !instrumented_loop_has_statement_p(loop, statement_gets_event_p);
}

/* Returns true if the statement A says better than B where a loop is: it is less deep in inlined functions, or equally
   deep and before B in the source.  B may be NULL.  */
static bool nearer_to_serial_loop_head_p(gimple *a, gimple *b) {
  if (!b)
    return true;
  int depth = inlining_depth_of_site_statement(a) - inlining_depth_of_site_statement(b);
  expanded_location one = expand_location(gimple_location(a)), other = expand_location(gimple_location(b));
  return depth < 0 || (depth == 0 && one.file == other.file && one.line < other.line);
}

/* Returns the statement in LOOP whose location is nearest to the loop's head, or NULL if no statement has one.  After
   optimisation a loop has no location of its own, and its condition may have lost its location.  */
gimple *statement_at_serial_loop_head(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  gimple *nearest = NULL;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at))
      if (!is_gimple_debug(gsi_stmt(at)) && LOCATION_LOCUS(gimple_location(gsi_stmt(at))) > BUILTINS_LOCATION &&
          nearer_to_serial_loop_head_p(gsi_stmt(at), nearest))
        nearest = gsi_stmt(at);
  free(blocks);
  return nearest;
}

/* Returns true if LOOP is known to have few iterations.  */
static bool short_serial_loop_p(class loop *loop) {
  enum { SHORT = 16 };
  HOST_WIDE_INT most = get_max_loop_iterations_int(loop);
  return most >= 0 && most < SHORT;
}

/* Returns true if LOOP is expected to run long: it has loops in it, or counts up to something that is known when it
   begins, and that is not small.  */
static bool long_serial_loop_p(class loop *loop) {
  if (loop->inner || short_serial_loop_p(loop))
    return loop->inner;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge e : exits) {
    class tree_niter_desc iterations;
    if (number_of_iterations_exit_assumptions(loop, e, &iterations, NULL))
      return true;
  }
  return false;
}

/* Returns true if LOOP, an outermost one of main without events, is divided into the loops in it: a long one of these
   is of an inlined function that LOOP itself is not part of.  It is mostly the loop of time steps, or of iterations to
   a solution.  In other functions the loops inside may be entered too often for that.  */
static bool divided_serial_loop_p(class loop *loop) {
  gimple *head =
      loop_outer(loop)->num || !instrumented_start_p(cfun->decl) ? NULL : statement_at_serial_loop_head(loop);
  for (class loop *inner = loop->inner; head && inner; inner = inner->next) {
    gimple *inner_head = long_serial_loop_p(inner) ? statement_at_serial_loop_head(inner) : NULL;
    if (inner_head && inlining_depth_of_site_statement(inner_head) > inlining_depth_of_site_statement(head))
      return true;
  }
  return false;
}

/* Returns true if LOOP, which has no events, is worth events around it.  A loop in another one without events must be
   expected to run long, any other one not to be short.  In the small functions that spawn themselves events cost most:
   there it must have loops in it, and be in none that spawns.  */
bool loop_worth_events_p(class loop *loop) {
  if (events_worth_inlining_p(cfun->decl))
    return loop->inner && !loop_in_parallel_code_p(loop);
  bool divides = !loop->inner && loop_outer(loop)->num && loop_without_events_p(loop_outer(loop));
  return divides ? long_serial_loop_p(loop) : loop->inner || !short_serial_loop_p(loop);
}

/* Adds the outermost loops in OUTER without events to FOUND, except those that retry an atomic operation under one of
   LOCKS.  If DIVIDING, a loop that is divided into the loops in it is replaced by these.  */
void find_loops_without_events(class loop *outer, small_locks *locks, bool dividing, vec<class loop *> *found) {
  for (class loop *loop = outer->inner; loop; loop = loop->next)
    if (locks->retrying.contains(loop->header))
      continue;
    else if (loop_without_events_p(loop) && !(dividing && divided_serial_loop_p(loop)))
      found->safe_push(loop);
    else
      find_loops_without_events(loop, locks, dividing, found);
}

/* Returns true if FUN gets a frame so that its loops can have rows of their own, although it has no events: all of a
   program may have been inlined into main.  Other functions without events are distinguished by their names.  */
bool frame_for_serial_loops_p(function *fun) {
  return instrumented_start_p(fun->decl) && mode != MEASURE_CLOCK && optimize;
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

/* Returns true if the long serial loops of FUN get rows of their own in the profile.  They do not in clock mode, where
   the timer would be read at every short loop, for what-if questions, and in functions of libraries' headers, which
   nobody wants to change.  The form of the events does not matter, so that all forms give the same numbers.  */
bool serial_loops_are_sites_p(function *fun) {
  return mode != MEASURE_CLOCK && !whatif && !only_forks_have_events_p() && optimize &&
         !DECL_IN_SYSTEM_HEADER(fun->decl) && (has_sites_p(fun) || frame_for_serial_loops_p(fun));
}
