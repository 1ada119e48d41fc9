/* Outlined events: loops without events in them, and loops that workers share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Returns the address of the timing point of LOOP, a serial loop, or a null pointer in count mode.  */
tree outlined_instrumenter::serial_loop_point(class loop *loop) {
  if (mode != MEASURE_HYBRID)
    return null_pointer_node;
  tree &point = loop_points.get_or_insert(loop);
  if (!point)
    point = make_timing_point_record(plan.timed.uncounted);
  return event_address_operand_of(point);
}

/* Builds the event that begins the serial loop whose marker is at AT.  */
gimple *outlined_instrumenter::build_serial_loop_begin(gimple_stmt_iterator *at) {
  class loop *loop = *plan.serial.begins.get(gsi_stmt(*at));
  gimple_seq count = NULL;
  tree expected = mode == MEASURE_HYBRID ? expected_strand_loop_instructions(loop, &count) : build_zero_cst(u64);
  gsi_insert_seq_before(at, count, GSI_SAME_STMT);
  return build_outlined_event(at, CALL_o_serial_loop_begin, {NULL_TREE, serial_loop_point(loop), expected});
}

/* Builds the event that ends the serial loop at whose end the marker at AT is.  If all of the loop was counted in
   LOCAL_WORK, a comparison tells whether it was so short that there is nothing to do.  */
gimple *outlined_instrumenter::build_serial_loop_end(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  tree site = event_address_operand_of(serial_loop_record(mark, fun->decl)),
       point = serial_loop_point(*plan.serial.ends.get(mark));
  if (!plan.serial.end_blocks.contains(gimple_bb(mark)))
    return build_outlined_event(at, CALL_o_serial_loop_end, {site, NULL_TREE, point});
  gcall *end = build_event_call(EVENT_serial_loop_over, {local_work, site, point});
  gimple_call_set_lhs(end, local_work);
  return end;
}

/* Builds the statement in place of MARK, after the event of an iteration: it stores how many iterations run in the
   second body of the loop, from this one on.  */
gimple *outlined_instrumenter::build_counted_left(gimple *mark) {
  frame_needed = true;
  body_choices.add(gimple_call_lhs(mark));
  tree left = engine_record_field(engine_type_tree(TYPE_FRAME), "counted_left");
  return gimple_build_assign(gimple_call_lhs(mark),
                             build3(COMPONENT_REF, TREE_TYPE(left), build_simple_mem_ref(frame), left, NULL_TREE));
}

/* Returns the address of the variable in which the engine keeps what it knows of the serial loop with two bodies that
   is under way.  There is one such variable, because these loops are not inside of each other.  */
tree outlined_instrumenter::calling_loop_address() {
  if (!calling_loop) {
    tree words = build_array_type_nelts(u64, sizeof(struct __cilkprof_calling_loop) / sizeof(uint64_t));
    calling_loop = make_event_variable(words, "cilkprof_calling_loop");
    TREE_ADDRESSABLE(calling_loop) = 1;
  }
  return build_fold_addr_expr(calling_loop);
}

/* Inserts events that start timing on the edges that enter loops which hybrid mode times.  Serial loops have an event
   before them that does so.  */
void outlined_instrumenter::start_timing_at_loop_entries() {
  for (class loop *loop : plan.timed.loops) {
    if (plan.serial.headers.contains(loop->header))
      continue;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, loop->header->preds)
      if (!flow_bb_inside_loop_p(loop, e->src)) {
        since_event done = outlined_work_at_block_end(e->src);
        tree work = done.kind == since_event::VARIABLE ? local_work : build_int_cst(u64, done.instructions);
        gimple_seq statements = NULL;
        tree expected = expected_strand_loop_instructions(loop, &statements);
        if (plan.bare) {
          gimple_seq_add_stmt(&statements, build_outlined_work_so_far(work));
          start_strand_timing(&statements, so_far, expected);
        } else
          gimple_seq_add_stmt(
              &statements,
              build_call_of_engine(
                  CALL_o_timing,
                  {work, event_address_operand_of(make_timing_point_record(plan.timed.uncounted)), expected}));
        gimple_seq_add_stmt(&statements, gimple_build_assign(local_work, build_zero_cst(u64)));
        gsi_insert_seq_on_edge(e, statements);
      }
  }
}

/* Inserts an event before the call at AT, which runs a cilk_for: the loop begins.  The engine ends it.  */
void outlined_instrumenter::instrument_shared_loop(gimple_stmt_iterator *at) {
  tree site = marker_site_address(gsi_stmt(*at), CILKPROF_SITE_LOOP);
  insert_event_before_statement(at, build_outlined_event(at, CALL_o_looping, {site, NULL_TREE}));
}

/* Inserts, on the edge E at the entry of a loop's body, what finds its frame if an event needs that: the innermost one,
   of the function around the loop.  */
void outlined_instrumenter::find_frame_around_loop(edge e) {
  tree thread = engine_thread_variable(), frames = engine_record_field(TREE_TYPE(thread), "frames");
  if (frame_needed)
    gsi_insert_on_edge(e,
                       gimple_build_assign(frame, build3(COMPONENT_REF, TREE_TYPE(frames), thread, frames, NULL_TREE)));
}
