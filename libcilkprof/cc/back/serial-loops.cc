/* Serial loops: loops without events that are sites of their own where they run long.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most of what a function does itself, it does in loops, and the code of functions that were inlined into it is there
   too.  So the outermost loops without events get an event before and behind them.  Nothing changes inside of a loop,
   and the markers come after all optimisation, so loops are inlined and vectorised as they would be otherwise.  */

#include "plan.h"

/* Returns how many inlined calls there are around BLOCK, the scope of a statement.  */
static int inlining_depth(tree block) {
  int depth = 0;
  for (; block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    depth += inlined_function_outer_scope_p(block);
  return depth;
}

/* Returns true if the statement A says better than B where a loop is: it is less deep in inlined functions, or equally
   deep and before B in the source.  B may be NULL.  */
static bool nearer_to_loop_head_p(gimple *a, gimple *b) {
  if (!b)
    return true;
  int depth = inlining_depth(gimple_block(a)) - inlining_depth(gimple_block(b));
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

/* Marks LOOP of the function of PLAN as a serial loop, if its place is known and it is not in a Cilk block, whose work
   is told apart already.  Loops with a short constant number of iterations stay part of their function.  */
static void mark_serial_loop(function_plan *plan, class loop *loop) {
  enum { SHORT = 16 };
  HOST_WIDE_INT most = get_max_loop_iterations_int(loop);
  gimple *head = statement_at_loop_head(loop);
  if (!head || plan->open_blocks_at(loop->header) || (!loop->inner && most >= 0 && most < SHORT))
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
   short loop, and for what-if questions; and not in the small functions that spawn themselves, whose frames are in
   registers.  The form of the events does not matter, so that all forms give the same numbers.  */
static bool serial_loops_told_apart_p(function *fun) {
  return mode != MEASURE_CLOCK && !whatif && optimize && (has_sites_p(fun) || frame_for_serial_loops_p(fun)) &&
         !events_worth_inlining_p(fun->decl);
}

/* Finds and marks the serial loops of the function of PLAN.  Returns true if there are any.  */
bool mark_serial_loops(function_plan *plan) {
  if (!serial_loops_told_apart_p(plan->fun))
    return false;
  auto_vec<class loop *> loops;
  find_loops_without_events(loops_for_fn(plan->fun)->tree_root, &plan->locks, &loops);
  for (class loop *loop : loops)
    mark_serial_loop(plan, loop);
  return !plan->serial.headers.is_empty();
}

/* Returns where the serial loop is that ends with MARK, and the function whose code it is.  A loop of a library's
   header is where the program's code calls the inlined function that has it.  */
serial_loop_place place_of_serial_loop(const gimple *mark) {
  serial_loop_place found = {LOCATION_LOCUS(gimple_location(mark)), NULL_TREE, false};
  for (tree block = gimple_block(mark); block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
    if (!inlined_function_outer_scope_p(block))
      continue;
    location_t call = LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block));
    bool library = in_system_header_at(found.place);
    if (!library && found.function)
      break;
    found.function = block_ultimate_origin(block);
    if (!library || call <= BUILTINS_LOCATION)
      break;
    found.place = call;
    found.at_call = true;
  }
  return found;
}
