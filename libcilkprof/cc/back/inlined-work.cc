/* Inlined events: the work of the function between them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "inlined.h"

/* Inserts, before AT, a statement that adds the instructions counted since the last update to LOCAL_WORK, and begins to
   count from 0 again.  Inserts nothing if there are none, or in clock mode, where time is measured instead.  */
void inlined_instrumenter::insert_inlined_work_addition(gimple_stmt_iterator *at) {
  if (counted && mode != MEASURE_CLOCK)
    insert_event_before_statement(at,
                                  gimple_build_assign(local_work, PLUS_EXPR, local_work, build_int_cst(u64, counted)));
  counted = 0;
}

/* Builds the event that reads the timer in clock mode, where a strand ends, and adds the strand to LOCAL_WORK.  */
gcall *inlined_instrumenter::build_inlined_timer_boundary() {
  bool few = since_boundary >= 0 && since_boundary < FEW;
  gcall *read = build_event_call(EVENT_boundary, {local_work, build_int_cst(u64, few ? since_boundary + 1 : 0)});
  gimple_call_set_lhs(read, local_work);
  since_boundary = 0;
  return read;
}

/* Updates LOCAL_WORK before the event at AT that ends a strand: by counted instructions, the timer, or both.  */
void inlined_instrumenter::end_inlined_strand(gimple_stmt_iterator *at) {
  insert_inlined_work_addition(at);
  if (mode == MEASURE_CLOCK)
    insert_event_before_statement(at, build_inlined_timer_boundary());
  if (begin) {
    end_strand_timing(at, local_work);
    insert_event_before_statement(at, gimple_build_assign(begin, build_zero_cst(u64)));
  }
}

/* Returns true if code can be inserted on every edge to BB.  */
static bool can_insert_events_on_edges_to_p(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds) {
    if (e->flags & (EDGE_ABNORMAL | EDGE_EH) || e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun))
      return false;
  }
  return true;
}

/* Updates LOCAL_WORK before a return.  In clock mode, a function that returns shortly after a sync, or after its entry,
   does not read the timer again: the few instructions are charged to its caller.  */
void inlined_instrumenter::end_strand_before_return(gimple_stmt_iterator *at) {
  bool near = since_boundary >= 0 && since_boundary < SHORT_STRAND;
  if (mode == MEASURE_CLOCK && since_boundary < 0 && counted < SHORT_STRAND &&
      can_insert_events_on_edges_to_p(gsi_bb(*at)))
    short_returns.safe_push(gsi_bb(*at));
  else if (mode != MEASURE_CLOCK || !near)
    end_inlined_strand(at);
  counted = 0;
}

/* Inserts events that read the timer in clock mode on edges to short returns.  If several paths lead to one return, the
   timer is read only on those that did not read it shortly before.  */
void inlined_instrumenter::insert_timing_before_short_returns() {
  for (basic_block bb : short_returns) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->preds) {
      int *since = since_at_end.get(e->src);
      since_boundary = since ? *since : -1;
      if (since_boundary < 0 || since_boundary >= SHORT_STRAND)
        gsi_insert_on_edge(e, build_inlined_timer_boundary());
    }
  }
}

/* Adds the instructions counted since the last event to LOCAL_WORK at the end of BB.  */
void inlined_instrumenter::finish_instrumenting_block(basic_block bb) {
  if (!counted)
    return;
  gimple_stmt_iterator at = gsi_last_bb(bb);
  if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at)))
    insert_inlined_work_addition(&at);
  else if (mode != MEASURE_CLOCK) {
    gsi_insert_after(&at, gimple_build_assign(local_work, PLUS_EXPR, local_work, build_int_cst(u64, counted)),
                     GSI_NEW_STMT);
    counted = 0;
  }
  counted = 0;
}

/* Begins the serial loop whose marker is at AT.  Returns what replaces the marker: the local work before the loop is
   kept.  The strand is timed from here on, if it is not timed already.  */
gimple *inlined_instrumenter::begin_serial_loop(gimple_stmt_iterator *at) {
  insert_inlined_work_addition(at);
  if (begin) {
    gimple_seq start = NULL;
    tree expected = expected_strand_loop_instructions(*plan.serial.begins.get(gsi_stmt(*at)), &start);
    start_strand_timing(&start, local_work, expected);
    gsi_insert_seq_before(at, start, GSI_SAME_STMT);
  }
  return gimple_build_assign(before_loop, local_work);
}

/* Builds the event that ends the serial loop at whose end the marker at AT is.  In hybrid mode the strand of a loop
   that may have run long ends there; what was counted in it before the loop is not part of the loop.  */
gimple *inlined_instrumenter::build_serial_loop_end(gimple_stmt_iterator *at) {
  insert_inlined_work_addition(at);
  if (begin) {
    tree is_long = make_ssa_name(u64);
    gcall *compare = build_event_call(EVENT_serial_loop_long, {local_work, before_loop}),
          *timed = build_event_call(EVENT_serial_loop_timed, {is_long, local_work, begin, before_begin}),
          *next = build_event_call(EVENT_serial_loop_begin, {is_long, begin});
    gimple_call_set_lhs(compare, is_long);
    gimple_call_set_lhs(timed, local_work);
    gimple_call_set_lhs(next, begin);
    for (gcall *each : {compare, timed, next})
      insert_event_before_statement(at, each);
  }
  tree site = event_address_operand_of(serial_loop_record(gsi_stmt(*at), fun->decl));
  gcall *end = build_event_call(EVENT_serial_loop_end, {event_frame_address(), local_work, site, before_loop});
  gimple_call_set_lhs(end, local_work);
  return end;
}

/* Starts timing on the edges that enter loops which hybrid mode times.  Serial loops have a marker before them.  */
void inlined_instrumenter::start_timing_on_loop_edges() {
  for (class loop *loop : plan.timed.loops) {
    if (plan.serial.headers.contains(loop->header))
      continue;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, loop->header->preds)
      if (!flow_bb_inside_loop_p(loop, e->src)) {
        gimple_seq start = NULL;
        tree expected = expected_strand_loop_instructions(loop, &start);
        start_strand_timing(&start, local_work, expected);
        gsi_insert_seq_on_edge(e, start);
      }
  }
}
