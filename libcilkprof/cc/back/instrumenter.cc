/* The walk over the statements of a function, which both forms of instrumentation share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "instrumenter.h"

/* Makes the plan for F, and the variables that both forms of instrumentation need: the frame, the local work, and those
   about the next task call.  */
instrumenter::instrumenter(function *f, bool outlined)
    : plan(f, outlined), fun(plan.fun), node(plan.node), u64(engine_work_type_tree()), task_deferred(NULL_TREE),
      task_flags(NULL_TREE), begin(NULL_TREE), before_begin(NULL_TREE), counted(0), since_boundary(-1), open_here(0) {
  tree type = engine_type_tree(TYPE_FRAME);
  bool pointed_to = plan.outlined || plan.linked;
  frame = make_event_variable(pointed_to ? build_pointer_type(type) : type, "cilkprof_frame");
  TREE_ADDRESSABLE(frame) = !pointed_to;
  local_work = make_event_variable(u64, "cilkprof_local_work");
  record = function_record(fun->decl);
  if (plan.chooses_tasks) {
    task_deferred = make_event_variable(u64, "cilkprof_deferred");
    task_flags = make_event_variable(u64, "cilkprof_flags");
  }
}

/* Returns true if FUNCTION is one that the compiler may call between a spawn marker and the spawned call: for edge
   counters, or to check stores.  */
static bool compiler_inserted_event_callee_p(tree function) {
  return function && (cilkprof_function_p(function) || fndecl_built_in_p(function) ||
                      startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "__gcov_"));
}

/* Starts timing the strand before the statement at AT, if that runs code that is not counted and is not in a part that
   is timed anyway.  */
void instrumenter::time_uncounted_statement(gimple_stmt_iterator *at) {
  gimple *s = gsi_stmt(*at);
  if (plan.timed.any_strand_timed_p() && runs_uncounted_code_p(s) && !plan.timed.blocks.contains(gimple_bb(s)) &&
      !plan.locks.atomics.contains(s))
    start_timing_before(at);
}

/* Inserts the events of the statement at AT.  *NEXT is the form of the next call, by the marker before it.  Returns
   false if the statement ended its block.  */
bool instrumenter::instrument_statement(gimple_stmt_iterator *at, call_form *next) {
  gimple *s = gsi_stmt(*at);
  basic_block bb = gimple_bb(s);
  if (is_gimple_debug(s) || gimple_code(s) == GIMPLE_LABEL)
    return true;
  marker which = marker_of_call(s);
  if (which != NO_MARKER) {
    open_here += blocks_opened_by_marker(s);
    gimple *event = event_replacing_marker(at, which);
    unlink_stmt_vdef(s);
    gsi_replace(at, event, false);
    return true;
  }
  count_strand_instructions(s, bb);
  if (gimple_code(s) == GIMPLE_RETURN) {
    instrument_return_statement(at);
    return true;
  }
  if (!is_gimple_call(s) || gimple_call_internal_p(s)) {
    time_uncounted_statement(at);
    return true;
  }
  gimple_call_set_tail(as_a<gcall *>(s), false); /* an event follows it */
  if (gimple_call_flags(s) & ECF_RETURNS_TWICE) {
    set_jumps.safe_push(s);
    return instrument_setjmp(at);
  }
  if (profiled_loop_p(s)) {
    instrument_shared_loop(at);
    return true;
  }
  if (profiled_join_p(s) && !calling_back)
    return instrument_join(at);
  call_class kind = classify_call_or_spawn_for_events(s);
  if (kind == CALL_OF_API) {
    instrument_api_call(at);
    return true;
  }
  call_form form = compiler_inserted_event_callee_p(gimple_call_fndecl(s)) ? CALLED : *next;
  if (kind != CALL_OF_NO_INTEREST || form != CALLED) {
    *next = CALLED;
    return instrument_call(at, kind, form);
  }
  if (charged_call_event_p(s))
    return instrument_charged_call(at);
  time_uncounted_statement(at);
  return true;
}

/* Returns the form of the next call after MARK, or FORM if the marker does not change it.  */
static call_form call_form_after_marker(const gimple *mark, call_form form) {
  marker which = marker_of_call(mark);
  return which == MARK_SPAWN ? SPAWNED : which == MARK_TASK_CALL ? CALLED_AS_TASK : form;
}

/* Removes the marker at AT, which is no event itself, and moves AT to the next statement.  The call that it announces
   may be in another block, and calls of several markers may have been merged, so the arguments of a task's marker go
   into variables.  */
void instrumenter::remove_marker_and_advance(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  tree result = gimple_call_lhs(mark);
  if (plan.chooses_tasks && marker_of_call(mark) == MARK_TASK_CALL) {
    insert_event_before_statement(at, gimple_build_assign(task_deferred, NOP_EXPR, gimple_call_arg(mark, 0)));
    insert_event_before_statement(at, gimple_build_assign(task_flags, NOP_EXPR, gimple_call_arg(mark, 1)));
  }
  unlink_stmt_vdef(mark);
  if (!result) {
    gsi_remove(at, true);
    return;
  }
  gsi_replace(at, gimple_build_assign(result, gimple_call_arg(mark, 0)), false);
  gsi_next(at);
}

/* Inserts the events of all statements of BB.  PENDING has the forms of calls whose marker is in a predecessor.  */
void instrumenter::instrument_basic_block(basic_block bb, hash_map<basic_block, call_form> *pending) {
  call_form *before = pending->get(bb), next = before ? *before : CALLED;
  bool open = true;
  since_boundary = instructions_since_timing_read(bb);
  open_here = plan.open_marked_blocks_at(bb);
  begin_instrumenting_block(bb);
  if (plan.counted_blocks.contains(bb)) {
    count_calls_in_block(bb, fun->decl);
    finish_instrumenting_block(bb);
    return;
  }
  int *iteration = plan.timed.iterations.get(bb);
  counted += iteration ? *iteration : 0;
  gimple_stmt_iterator at = gsi_start_bb(bb);
  while (!gsi_end_p(at) && open)
    if (marker_without_event_p(gsi_stmt(at))) {
      next = call_form_after_marker(gsi_stmt(at), next);
      remove_marker_and_advance(&at);
    } else if ((open = instrument_statement(&at, &next)))
      gsi_next(&at);
  since_at_end.put(bb, since_boundary);
  if (next != CALLED) { /* the spawned call was moved to the blocks that follow */
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->succs)
      pending->put(e->dest, next);
  }
  finish_instrumenting_block(bb);
}

/* Inserts events at the start of all landing pads among BLOCKS, where control arrives without a return from the
   call.  */
void instrumenter::instrument_landing_pads(const vec<basic_block> &blocks) {
  for (basic_block bb : blocks) {
    if (!landing_pad_event_block_p(bb) || !plan.linked || plan.counted_blocks.contains(bb) ||
        resumes_by_later_event_p(bb))
      continue;
    gimple_seq arrival = NULL;
    build_resume_event(&arrival, bb);
    gimple_stmt_iterator at = gsi_start_nondebug_after_labels_bb(bb);
    if (gsi_end_p(at)) {
      at = gsi_last_bb(bb);
      gsi_insert_seq_after(&at, arrival, GSI_NEW_STMT);
    } else if (gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
      gsi_insert_seq_after(&at, arrival, GSI_NEW_STMT); /* the receiver restores the stack pointer first */
    else
      gsi_insert_seq_before(&at, arrival, GSI_SAME_STMT);
  }
}

/* Instruments the function: inserts all its events, updates GCC's data about it, and inlines the events that are to be.
   Returns what GCC has to do afterwards.  */
unsigned instrumenter::instrument_function() {
  basic_block bb;
  node->set_const_flag(false, false);
  node->set_pure_flag(false, false);
  auto_vec<basic_block> blocks;
  FOR_EACH_BB_FN (bb, fun)
    blocks.safe_push(bb);
  hash_map<basic_block, call_form> pending;
  for (basic_block each : blocks)
    instrument_basic_block(each, &pending);
  instrument_landing_pads(blocks);
  unsigned todo = finish_instrumentation(blocks);
  loop_optimizer_finalize();
  gsi_commit_edge_inserts();
  for (gimple *each : set_jumps)
    make_setjmp_first_after_events(each);
  load_records(fun);
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
  return todo | inline_events(fun, events);
}
