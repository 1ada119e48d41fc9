/* Outlined events: loops without events in them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Builds the event that begins the serial loop whose marker is at AT.  */
gimple *outlined_instrumenter::build_serial_loop_begin(gimple_stmt_iterator *at) {
  class loop *loop = *plan.serial.begins.get(gsi_stmt(*at));
  if (mode != MEASURE_HYBRID)
    return build_outlined_event(at, CALL_o_serial_loop_begin, {NULL_TREE, null_pointer_node, build_zero_cst(u64)});
  gimple_seq count = NULL;
  tree expected = expected_loop_instructions(loop, &count);
  gsi_insert_seq_before(at, count, GSI_SAME_STMT);
  return build_outlined_event(at, CALL_o_serial_loop_begin,
                              {NULL_TREE, address_operand_of(make_timing_point_record()), expected});
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
        since_event done = work_at_block_end(e->src);
        tree work = done.kind == since_event::VARIABLE ? local_work : build_int_cst(u64, done.instructions);
        gimple_seq statements = NULL;
        tree expected = expected_loop_instructions(loop, &statements);
        if (plan.bare) {
          gimple_seq_add_stmt(&statements, build_work_so_far(work));
          start_strand_timing(&statements, so_far, expected);
        } else
          gimple_seq_add_stmt(
              &statements,
              build_call_of_engine(CALL_o_timing, {work, address_operand_of(make_timing_point_record()), expected}));
        gimple_seq_add_stmt(&statements, gimple_build_assign(local_work, build_zero_cst(u64)));
        gsi_insert_seq_on_edge(e, statements);
      }
  }
}
