/* Serial loops: loops without events that are sites of their own where they run long.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most of what a function does itself, it does in loops, and the code of functions that were inlined into it is there
   too.  So the outermost loops without events get an event before and after them.  Nothing changes inside of a loop,
   and the markers come after all optimisation, so loops are inlined and vectorised as they would be otherwise.  */

#include "plan.h"

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
static bool normal_serial_loop_exit_p(edge e) {
  return !(e->flags & (EDGE_ABNORMAL | EDGE_EH));
}

/* Marks LOOP of the function of PLAN as a serial loop, if its place is known.  */
static void mark_serial_loop(function_plan *plan, class loop *loop) {
  gimple *head = statement_at_serial_loop_head(loop);
  if (!head)
    return;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  bool counted = !instrumented_loop_has_statement_p(loop, charged_call_event_p);
  for (edge e : exits)
    if (normal_serial_loop_exit_p(e)) {
      gimple *end = insert_loop_marker(e, MARK_SERIAL_LOOP_END, head);
      plan->serial.ends.put(end, loop);
      if (counted)
        plan->serial.end_blocks.add(gimple_bb(end));
    }
  plan->serial.begins.put(insert_loop_marker(loop_preheader_edge(loop), MARK_SERIAL_LOOP, head), loop);
  plan->serial.headers.add(loop->header);
}

/* Removes those of LOOPS, which are in the function of PLAN, that are inside of parallel loops: events would cost too
   much there, and most of them are the parallel loops themselves.  If the function has locks without events, it also
   removes those inside of any other block, as a lock may be around them.  */
static void remove_loops_in_parallel_ones(function_plan *plan, vec<class loop *> *loops) {
  if (!plan->has_blocks)
    return;
  hash_map<basic_block, int> in_loops;
  bool has_locks = !plan->locks.begins.is_empty();
  find_open_marked_blocks_in_bbs(plan->fun, loops_opened_by_marker, &in_loops);
  for (unsigned i = loops->length(); i-- > 0;) {
    int *open = in_loops.get((*loops)[i]->header);
    if (!open || *open || (has_locks && plan->open_marked_blocks_at((*loops)[i]->header)))
      loops->unordered_remove(i);
  }
}

/* Finds the serial loops of the function of PLAN that are worth events, and puts markers before and after them: the
   outermost loops without events, unless they are known to be short or are inside of parallel loops.  */
void mark_serial_loops(function_plan *plan) {
  if (!serial_loops_are_sites_p(plan->fun))
    return;
  auto_vec<class loop *> loops, worth;
  scev_initialize();
  find_loops_without_events(loops_for_fn(plan->fun)->tree_root, &plan->locks, true, &loops);
  for (class loop *loop : loops)
    if (loop_worth_events_p(loop) && !plan->counted_blocks.contains(loop->header))
      worth.safe_push(loop);
  scev_finalize();
  remove_loops_in_parallel_ones(plan, &worth);
  for (class loop *loop : worth)
    mark_serial_loop(plan, loop);
}
