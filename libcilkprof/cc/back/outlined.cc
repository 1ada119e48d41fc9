/* Outlined events: which event goes where.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Plans the instrumentation of F with events that are called, and makes its variables.  */
outlined_instrumenter::outlined_instrumenter(function *f) : instrumenter(f, true), frame_needed(false), timing(false) {
  if (plan.bare && plan.timed.any_strand_timed_p()) {
    make_timing_variables();
    so_far = make_event_variable(u64, "cilkprof_so_far");
  }
  for (class loop *loop : plan.timed.loops)
    timed_headers.add(loop->header);
}

/* Builds a statement that stores the canonical frame address, which identifies the invocation, in INTO.  */
gcall *outlined_instrumenter::build_outlined_frame_key(tree into) {
  gcall *get = gimple_build_call(gcc_builtin_decl(BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs(get, into);
  return get;
}

/* Returns the function's return address, which tells if a signal handler was called by the system.  Adds the statements
   for that to GET.  */
tree outlined_instrumenter::build_outlined_return_address(gimple_seq *get) {
  tree from = make_ssa_name(ptr_type_node), there = make_ssa_name(ptr_type_node);
  gcall *step = gimple_build_call(gcc_builtin_decl(BUILT_IN_RETURN_ADDRESS), 1, integer_zero_node);
  gimple_call_set_lhs(step, from);
  gimple_seq_add_stmt(get, step);
  step = gimple_build_call(gcc_builtin_decl(BUILT_IN_EXTRACT_RETURN_ADDR), 1, from);
  gimple_call_set_lhs(step, there);
  gimple_seq_add_stmt(get, step);
  return there;
}

/* Builds the call of an event that replaces the marker WHICH at AT.  Returns the replacement.  */
gimple *outlined_instrumenter::event_replacing_marker(gimple_stmt_iterator *at, marker which) {
  gimple *mark = gsi_stmt(*at);
  switch (which) {
  case MARK_SYNC:
    return build_outlined_event(at, CALL_o_sync, {NULL_TREE});
  case MARK_LOOP:
    return build_outlined_event(
        at, CALL_o_loop_begin,
        {marker_site_address(mark, CILKPROF_SITE_LOOP), NULL_TREE, gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  case MARK_BLOCK:
    return build_outlined_event(
        at, CALL_o_block_begin,
        {marker_site_address(mark, CILKPROF_SITE_SPAWN), NULL_TREE, build_int_cst(u64, __CILKPROF_BLOCK_SPAWN)});
  case MARK_SCOPE:
    return build_outlined_event(at, CALL_o_block_begin,
                                {null_pointer_node, NULL_TREE, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE)});
  case MARK_GROUP:
    return build_outlined_event(
        at, CALL_o_block_begin,
        {null_pointer_node, NULL_TREE, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE | __CILKPROF_BLOCK_OPEN)});
  case MARK_LOCK:
    if (gimple *made = begin_small_lock_event(at))
      return made;
    gcc_fallthrough();
  case MARK_CALLED:
    return build_outlined_event(
        at, CALL_o_block_begin,
        {marker_site_address(mark, CILKPROF_SITE_CALL), NULL_TREE, block_kind_of_marker(which)});
  case MARK_TASK:
    return build_outlined_event(at, CALL_o_task_begin,
                                {marker_site_address(mark, CILKPROF_SITE_SPAWN), NULL_TREE,
                                 marker_site_address(mark, CILKPROF_SITE_CALL), gimple_call_arg(mark, 1),
                                 gimple_call_arg(mark, 2), gimple_call_arg(mark, 3)});
  case MARK_TASKWAIT:
    return build_outlined_event(at, CALL_o_taskwait, {NULL_TREE, gimple_call_arg(mark, 0)});
  case MARK_TEAM:
    return build_call_of_engine(CALL_o_team, {gimple_call_arg(mark, 0)});
  case MARK_TEAM_RUN:
    return build_outlined_event(at, CALL_o_team_run,
                                {marker_site_address(mark, CILKPROF_SITE_SPAWN), NULL_TREE,
                                 marker_site_address(mark, CILKPROF_SITE_CALL), gimple_call_arg(mark, 1),
                                 gimple_call_arg(mark, 2), gimple_call_arg(mark, 3)});
  case MARK_TEAM_LOOP:
    return build_outlined_event(at, CALL_o_team_loop_begin,
                                {marker_site_address(mark, CILKPROF_SITE_LOOP), NULL_TREE, gimple_call_arg(mark, 3),
                                 gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  case MARK_ITERATE:
    return build_outlined_event(at, CALL_o_iterate, {NULL_TREE});
  case MARK_LOOP_END:
    return build_outlined_event(at, CALL_o_loop_end, {NULL_TREE, gimple_call_arg(mark, 0)});
  case MARK_BLOCK_END:
    if (gimple *made = end_small_lock_event(at))
      return made;
    gcc_fallthrough();
  case MARK_SCOPE_END:
    return build_outlined_event(at, CALL_o_block_end, {NULL_TREE});
  case MARK_SERIAL_LOOP:
    return build_serial_loop_begin(at);
  case MARK_SERIAL_LOOP_END:
    return build_serial_loop_end(at);
  case MARK_COUNTED_LOOP:
    return build_outlined_event(at, CALL_o_counted_loop, {NULL_TREE});
  case MARK_COUNTED_LEFT:
    return build_counted_left(mark);
  case MARK_CALLING_LOOP:
  case MARK_CALLING_ITERATE:
    return build_outlined_event(
        at, which == MARK_CALLING_LOOP ? CALL_o_calling_loop : CALL_o_calling_iterate,
        {event_address_operand_of(serial_loop_record(mark, fun->decl)), NULL_TREE, calling_loop_address()});
  case MARK_CALLING_LOOP_END:
    return build_outlined_event(at, CALL_o_calling_loop_end,
                                {NULL_TREE, calling_loop_address(), gimple_call_arg(mark, 0)});
  case MARK_ARRIVAL:
    frame_needed = true;
    insert_event_before_statement(at, build_outlined_event(at, CALL_o_set_jump, {NULL_TREE}));
    return build_call_of_engine(CALL_close_blocks, {event_frame_address(), gimple_call_arg(mark, 0)});
  default:
    gcc_unreachable();
  }
}

/* Inserts statements before AT that tell a callee that instrumented code calls it: thread.top = thread.frames->top.  */
void outlined_instrumenter::insert_outlined_top_update(gimple_stmt_iterator *at) {
  tree thread = engine_thread_variable(), type = TREE_TYPE(thread), frames = engine_record_field(type, "frames");
  tree top = engine_record_field(engine_type_tree(TYPE_FRAME), "top");
  tree innermost = make_ssa_name(TREE_TYPE(frames)), its_top = make_ssa_name(TREE_TYPE(top));
  insert_event_before_statement(
      at, gimple_build_assign(innermost, build3(COMPONENT_REF, TREE_TYPE(frames), thread, frames, NULL_TREE)));
  insert_event_before_statement(
      at, gimple_build_assign(its_top,
                              build3(COMPONENT_REF, TREE_TYPE(top), build_simple_mem_ref(innermost), top, NULL_TREE)));
  top = engine_record_field(type, "top");
  insert_event_before_statement(
      at, gimple_build_assign(build3(COMPONENT_REF, TREE_TYPE(top), thread, top, NULL_TREE), its_top));
}

/* Inserts the only event of the call of a leaf at AT, after the call.  A call in a series is counted by that event;
   others are booked.  */
void outlined_instrumenter::instrument_leaf_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  tree site = site_record(statement, fun->decl, CILKPROF_SITE_CALL);
  bool any =
      enterable_by_uninstrumented_code_p(cgraph_node::get(gimple_call_fndecl(statement))->ultimate_alias_target());
  if (any)
    insert_outlined_top_update(at);
  bool in_series = plan.series.contains(statement);
  engine_function name = in_series ? (any ? CALL_o_series_any : CALL_o_series) : (any ? CALL_o_leaf_any : CALL_o_leaf);
  gcall *made = build_outlined_event(at, name, {event_address_operand_of(site), NULL_TREE});
  gsi_insert_after(at, made, GSI_NEW_STMT);
  if (!in_series)
    calls.safe_push({made, site, any ? CALL_o_leaf_any_here : CALL_o_leaf_here});
}

/* Inserts calls of events before and after the call at AT, which is an OpenMP task.  Returns false if the call ends its
   block; else AT is at the last event.  */
bool outlined_instrumenter::instrument_task_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  tree spawned = event_address_operand_of(task_site_record(statement, fun->decl, CILKPROF_SITE_SPAWN)),
       called = event_address_operand_of(task_site_record(statement, fun->decl, CILKPROF_SITE_CALL));
  insert_event_before_statement(
      at, plan.chooses_tasks
              ? build_outlined_event(at, CALL_o_task_call_if, {spawned, NULL_TREE, called, task_deferred, task_flags})
              : build_outlined_event(at, CALL_o_task_call, {spawned, NULL_TREE, called}));
  gimple_stmt_iterator behind = insert_event_after_call(*at, statement, build_call_of_engine(CALL_o_returned, {}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Inserts events around the call at AT, whose callee seldom spawns: the first decides if it is counted.  Returns false
   if the call ends its block; else AT is at the last event.  */
bool outlined_instrumenter::instrument_counted_call(gimple_stmt_iterator *at, bool spawned) {
  gimple *statement = gsi_stmt(*at);
  tree site = site_record(statement, fun->decl, spawned ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL);
  engine_function event = counted_call_event(gimple_call_fndecl(statement));
  gcall *made = build_outlined_event(at, event, {event_address_operand_of(site), NULL_TREE});
  insert_event_before_statement(at, made);
  if (event == CALL_o_counted_call)
    calls.safe_push({made, site, CALL_o_counted_call_here});
  frame_needed = true;
  gimple_stmt_iterator behind =
      insert_event_after_call(*at, statement, build_call_of_engine(CALL_o_counted_returned, {frame}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Inserts calls of events before the call at AT and, where the next event does not serve for its return, after it.
   KIND says what is known of the callee, FORM if it is spawned.  Returns false if the call ends its block; else AT is
   at the last event.  */
bool outlined_instrumenter::instrument_call(gimple_stmt_iterator *at, call_class kind, call_form form) {
  gimple *statement = gsi_stmt(*at);
  bool spawned = form != CALLED;
  if (form == CALLED_AS_TASK && kind == CALL_DIRECT)
    return instrument_task_call(at);
  if (!spawned && plan.leaf_calls.contains(statement)) {
    instrument_leaf_call(at);
    return true;
  }
  if (plan.counted.contains(statement) && form != CALLED_AS_TASK)
    return instrument_counted_call(at, spawned);
  tree callee = called_or_spawned_decl(statement);
  bool foreign = kind == CALL_FOREIGN || kind == CALL_OF_NO_INTEREST;
  tree site = site_record(statement, fun->decl, spawned ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL,
                          foreign ? callee : NULL_TREE);
  bool passed_frame = plan.followed.passed_frame.contains(statement),
       in_series = !spawned && plan.series.contains(statement);
  tree where = event_address_operand_of(site), reached = callee ? null_pointer_node : event_callee_address(statement);
  gcall *made = profiled_spawn_p(statement) ? build_outlined_event(at, CALL_o_spawning, {where, NULL_TREE, reached})
                : passed_frame              ? build_outlined_event(at, CALL_o_call_after, {where, NULL_TREE, frame})
                : callee                    ? build_outlined_event(at, CALL_o_call, {where, NULL_TREE})
                         : build_outlined_event(at, in_series ? CALL_o_series_call : CALL_o_call_indirect,
                                                {where, NULL_TREE, reached});
  insert_event_before_statement(at, made);
  if (callee && !profiled_spawn_p(statement))
    calls.safe_push({made, site, passed_frame ? CALL_o_call_here_after : CALL_o_call_here});
  gimple_stmt_iterator behind = *at;
  frame_needed |= foreign || passed_frame;
  if (foreign && !plan.followed.by_call.contains(statement))
    behind = insert_event_after_call(
        behind, statement, build_call_of_engine(in_series ? CALL_o_series_returned : CALL_o_foreign_returned, {frame}));
  else if (!foreign && (spawned || !plan.followed.by_event.contains(statement)))
    behind = insert_event_after_call(behind, statement, build_call_of_engine(CALL_o_returned, {}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Inserts an event before AT that starts timing the strand, unless it is being timed.  A strand is timed until it ends.
   In a function without a frame, BEGIN tells if it is being timed.  */
void outlined_instrumenter::start_timing_before(gimple_stmt_iterator *at) {
  if (timing)
    return;
  tree none = build_zero_cst(u64);
  if (plan.bare) {
    gimple_seq start = NULL;
    insert_event_before_statement(at, note_outlined_work_argument(build_outlined_work_so_far(work_since_event(at)), 0));
    start_strand_timing(&start, so_far, none);
    gsi_insert_seq_before(at, start, GSI_SAME_STMT);
  } else
    insert_event_before_statement(
        at, build_outlined_event(
                at, CALL_o_timing,
                {NULL_TREE, event_address_operand_of(make_timing_point_record(plan.timed.uncounted)), none}));
  timing = true;
}

/* Inserts an event before the call at AT, which is one of the engine's interface for programs or a jump: it passes the
   work so far, since the engine reads the frame.  */
void outlined_instrumenter::instrument_api_call(gimple_stmt_iterator *at) {
  insert_event_before_statement(at, build_outlined_event(at, CALL_o_here, {NULL_TREE}));
}

/* Inserts calls of events around the call at AT, which returns twice, like setjmp: whenever it returns, blocks that
   were opened in between are closed.  Returns false if the call ends its block; else AT is at the last event.  */
bool outlined_instrumenter::instrument_setjmp(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  insert_event_before_statement(at, build_outlined_event(at, CALL_o_set_jump, {NULL_TREE}));
  since_boundary = -1;
  frame_needed = true;
  gimple_stmt_iterator behind = insert_event_after_call(
      *at, statement, build_call_of_engine(CALL_o_jumped, {event_frame_address(), build_int_cst(u64, open_here)}));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Returns true if the events at the function's entry and its returns look who called it, because not only functions
   with events do.  */
bool outlined_instrumenter::leaves_to_any_caller_p() {
  return only_forks_have_events_p() && enterable_by_uninstrumented_code_p(node) && !instrumented_start_p(fun->decl);
}

/* Inserts calls of events before the return at AT, which leave the frame; or the only event of a function without
   one.  The body of a loop leaves the frame to the function around it, and only ends its strand.  */
void outlined_instrumenter::instrument_return_statement(gimple_stmt_iterator *at) {
  if (plan.ranges) {
    insert_event_before_statement(at, build_outlined_event(at, CALL_o_set_jump, {NULL_TREE}));
    return;
  }
  if (plan.names_strands)
    insert_event_before_statement(at, build_outlined_event(at, CALL_o_strands_end, {NULL_TREE}));
  if (!plan.bare)
    insert_event_before_statement(
        at, build_outlined_event(at, leaves_to_any_caller_p() ? CALL_o_leave_any : CALL_o_leave, {NULL_TREE}));
  else if (plan.handler) {
    gimple_seq get = NULL;
    tree returns_to = build_outlined_return_address(&get);
    gsi_insert_seq_before(at, get, GSI_SAME_STMT);
    insert_event_before_statement(
        at, build_outlined_event(at, CALL_o_bare_handler, {NULL_TREE, event_address_operand_of(record), returns_to}));
  } else
    instrument_bare_return(at);
}

/* Inserts the only event of a function without a frame, which says what it did, before the return at AT.  */
void outlined_instrumenter::instrument_bare_return(gimple_stmt_iterator *at) {
  tree work = work_since_event(at);
  if (begin) {
    insert_event_before_statement(at, note_outlined_work_argument(build_outlined_work_so_far(work), 0));
    work = so_far;
    end_strand_timing(at, so_far);
  }
  gcall *made = enterable_by_uninstrumented_code_p(node)
                    ? build_bare_event(EVENT_bare_any, CALL_o_bare_any, {work, event_address_operand_of(record)})
                    : build_bare_event(EVENT_bare, CALL_o_bare, {work});
  insert_event_before_statement(at, begin ? made : note_outlined_work_argument(made, 0));
}

/* Adds the call of the event at the start of BB, a landing pad, to STATEMENTS.  If control arrives by a jump that may
   have left Cilk blocks, the event closes them.  */
void outlined_instrumenter::build_resume_event(gimple_seq *statements, basic_block bb) {
  frame_needed = true;
  tree around = build_int_cst(u64, plan.open_marked_blocks_at(bb));
  gimple_seq_add_stmt(statements, plan.has_blocks && jump_receiver_event_block_p(bb)
                                      ? build_call_of_engine(CALL_o_jumped, {event_frame_address(), around})
                                      : build_call_of_engine(CALL_o_resume, {event_frame_address()}));
}

/* Begins with the statements of BB: their work is noted for it, and no timing has begun in it.  */
void outlined_instrumenter::begin_instrumenting_block(basic_block bb) {
  here = &works.get_or_insert(bb);
  timing = false;
}

/* Notes the instructions after the last event of the current block, which the next event is passed.  */
void outlined_instrumenter::finish_instrumenting_block(basic_block) {
  here->counted = mode == MEASURE_CLOCK ? 0 : counted;
  counted = 0;
}

/* Inserts the event that enters the function and sets up its frame, with a key that identifies the invocation.  The
   body of a loop has the innermost frame, that of the function around it.  */
void outlined_instrumenter::instrument_entry() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (plan.ranges) {
    find_frame_around_loop(e);
    return;
  }
  tree key = make_ssa_name(ptr_type_node);
  gsi_insert_on_edge(e, build_outlined_frame_key(key));
  gcall *enter;
  if (plan.handler || leaves_to_any_caller_p()) {
    gimple_seq get = NULL;
    tree returns_to = build_outlined_return_address(&get);
    gsi_insert_seq_on_edge(e, get);
    enter = build_call_of_engine(plan.handler ? CALL_o_enter_handler : CALL_o_enter_any,
                                 {event_address_operand_of(record), key, returns_to});
  } else
    enter = build_call_of_engine(CALL_o_enter, {event_address_operand_of(record), key});
  if (frame_needed)
    gimple_call_set_lhs(enter, frame);
  gsi_insert_on_edge(e, enter);
}

/* Completes the work that events are passed, and inserts the events at edges to loops and at the function's entry.
   BLOCKS are all blocks of the function.  Returns what GCC has to do afterwards, which is nothing.  */
unsigned outlined_instrumenter::finish_instrumentation(const vec<basic_block> &blocks) {
  find_outlined_work_at_block_starts(blocks);
  for (basic_block bb : blocks) {
    const block_work &work = *works.get(bb);
    complete_first_event_work(work);
    store_outlined_work_at_block_end(bb, work);
  }
  clear_outlined_work_at_entry();
  start_timing_at_loop_entries();
  add_counted_loops_at_entry();
  shorten_call_events();
  if (plan.bare)
    clear_timing_at_entry();
  else
    instrument_entry();
  return 0;
}

/* Returns a new instrumenter for FUN that calls its events.  The caller deletes it.  */
instrumenter *make_outlined_instrumenter(function *fun) {
  return new outlined_instrumenter(fun);
}
