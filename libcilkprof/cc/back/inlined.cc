/* Inlined events: which event goes where.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "inlined.h"

/* Plans the instrumentation of F with inlined events, and makes its variables.  */
inlined_instrumenter::inlined_instrumenter(function *f) : instrumenter(f, false) {
  if (plan.timed.any_strand_timed_p())
    make_timing_variables();
  if (!plan.serial.headers.is_empty())
    before_loop = make_event_variable(u64, "cilkprof_before_loop");
}

/* Builds a call of the engine's function WHICH, which returns the new local work.  */
gcall *inlined_instrumenter::build_engine_call_returning_work(engine_function which,
                                                              std::initializer_list<tree> arguments) {
  gcall *made = build_call_of_engine(which, arguments);
  gimple_call_set_lhs(made, local_work);
  return made;
}

/* Builds a call of the engine that begins a Cilk block of this KIND, with the address of its SITE or a null
   pointer.  */
gcall *inlined_instrumenter::build_block_begin_event(tree site, tree kind) {
  return build_engine_call_returning_work(CALL_block_begin, {event_frame_address(), local_work, site, kind});
}

/* Builds the inlined event that replaces the marker WHICH at AT, and inserts before it what else that marker needs.
   Returns the replacement.  */
gimple *inlined_instrumenter::event_replacing_marker(gimple_stmt_iterator *at, marker which) {
  gimple *mark = gsi_stmt(*at);
  tree where = event_frame_address();
  if (which == MARK_SERIAL_LOOP)
    return begin_serial_loop(at);
  if (which == MARK_SERIAL_LOOP_END)
    return build_serial_loop_end(at);
  end_inlined_strand(at);
  switch (which) {
  case MARK_SYNC:
    return build_event_call(EVENT_sync, {where, local_work});
  case MARK_LOOP:
    insert_event_before_statement(at, build_block_begin_event(marker_site_address(mark, CILKPROF_SITE_LOOP),
                                                              build_int_cst(u64, __CILKPROF_BLOCK_LOOP)));
    return build_call_of_engine(CALL_loop_grains, {where, gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  case MARK_BLOCK:
    return build_block_begin_event(marker_site_address(mark, CILKPROF_SITE_SPAWN),
                                   build_int_cst(u64, __CILKPROF_BLOCK_SPAWN));
  case MARK_SCOPE:
    return build_block_begin_event(null_pointer_node, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE));
  case MARK_GROUP:
    return build_block_begin_event(null_pointer_node,
                                   build_int_cst(u64, __CILKPROF_BLOCK_SCOPE | __CILKPROF_BLOCK_OPEN));
  case MARK_CALLED:
  case MARK_LOCK:
    return build_block_begin_event(marker_site_address(mark, CILKPROF_SITE_CALL), block_kind_of_marker(which));
  case MARK_TASK:
    return build_engine_call_returning_work(CALL_task_begin,
                                            {where, local_work, marker_site_address(mark, CILKPROF_SITE_SPAWN),
                                             marker_site_address(mark, CILKPROF_SITE_CALL), gimple_call_arg(mark, 1),
                                             gimple_call_arg(mark, 2), gimple_call_arg(mark, 3)});
  case MARK_TASKWAIT:
    return build_event_call(EVENT_taskwait, {where, local_work, gimple_call_arg(mark, 0)});
  case MARK_TEAM:
    return build_call_of_engine(CALL_team, {where, gimple_call_arg(mark, 0)});
  case MARK_TEAM_RUN:
    return build_call_of_engine(CALL_team_run, {where, local_work, marker_site_address(mark, CILKPROF_SITE_SPAWN),
                                                marker_site_address(mark, CILKPROF_SITE_CALL), gimple_call_arg(mark, 1),
                                                gimple_call_arg(mark, 2), gimple_call_arg(mark, 3)});
  case MARK_TEAM_LOOP: {
    tree schedule = gimple_call_arg(mark, 3);
    unsigned HOST_WIDE_INT flags = tree_to_uhwi(schedule) & ~(unsigned HOST_WIDE_INT)__CILKPROF_SCHEDULE_KIND;
    insert_event_before_statement(at, build_block_begin_event(marker_site_address(mark, CILKPROF_SITE_LOOP),
                                                              build_int_cst(u64, __CILKPROF_BLOCK_LOOP | flags)));
    return build_call_of_engine(CALL_team_loop, {where, schedule, gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  }
  case MARK_ITERATE:
    return build_event_call(EVENT_iterate, {where, local_work});
  case MARK_LOOP_END:
    return build_engine_call_returning_work(CALL_loop_end, {where, local_work, gimple_call_arg(mark, 0)});
  case MARK_BLOCK_END:
  case MARK_SCOPE_END:
    return build_engine_call_returning_work(CALL_block_end, {where, local_work});
  case MARK_ARRIVAL:
    insert_event_before_statement(at, gimple_build_assign(build_inlined_work_reference(), local_work));
    insert_event_before_statement(at, build_call_of_engine(CALL_close_blocks, {where, gimple_call_arg(mark, 0)}));
    return gimple_build_assign(local_work, build_inlined_work_reference());
  default:
    gcc_unreachable();
  }
}

/* Inserts inlined events before and after the call at AT, which is an OpenMP task.  Returns false if the call ends its
   block; else AT is at the last event.  */
bool inlined_instrumenter::instrument_task_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  end_inlined_strand(at);
  tree where = event_frame_address(),
       spawned = event_address_operand_of(task_site_record(statement, fun->decl, CILKPROF_SITE_SPAWN)),
       called = event_address_operand_of(task_site_record(statement, fun->decl, CILKPROF_SITE_CALL));
  insert_event_before_statement(
      at, plan.chooses_tasks
              ? build_event_call(EVENT_task_call_if, {where, local_work, spawned, called, task_deferred, task_flags})
              : build_event_call(EVENT_task_call, {where, local_work, spawned, called}));
  gimple_stmt_iterator behind = insert_event_after_call(
      *at, statement, build_event_call(EVENT_task_returned, {event_frame_address(), local_work}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Replaces the call at AT, which may throw, by EVENT.  Returns false if it ends its block.  */
bool inlined_instrumenter::replace_call_by_event(gimple_stmt_iterator *at, gcall *event) {
  gimple *statement = gsi_stmt(*at);
  gimple_call_set_nothrow(event, gimple_call_nothrow_p(as_a<gcall *>(statement)));
  unlink_stmt_vdef(statement);
  gsi_replace(at, event, true);
  return !stmt_ends_bb_p(event);
}

/* Replaces the call at AT, which passes a closure to the engine, by an inlined event that defers the child or calls it
   here.  Returns false if it ends its block.  */
bool inlined_instrumenter::instrument_profiled_spawn(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  end_inlined_strand(at);
  tree site = event_address_operand_of(site_record(statement, fun->decl, CILKPROF_SITE_SPAWN)),
       throws = build_int_cst(u64, opt_for_fn(fun->decl, flag_exceptions) &&
                                       !gimple_call_nothrow_p(as_a<gcall *>(statement)));
  auto argument = [&](unsigned number) { return unshare_expr(gimple_call_arg(statement, number)); };
  return replace_call_by_event(
      at, build_event_call(EVENT_spawn_child,
                           {event_frame_address(), local_work, site, argument(0), argument(1),
                            event_child_to_inline(argument(1)), argument(2), argument(3), argument(4), throws}));
}

/* Replaces the call at AT, which waits for children that other workers may run, by an inlined event that does so if
   there are any.  The time of that is not the function's.  Returns false if it ends its block.  */
bool inlined_instrumenter::instrument_join(gimple_stmt_iterator *at) {
  end_inlined_strand(at);
  return replace_call_by_event(
      at, build_event_call(EVENT_join_frame, {event_frame_address(), unshare_expr(gimple_call_arg(gsi_stmt(*at), 0))}));
}

/* Inserts inlined events before and after the call at AT.  KIND says what is known of the callee, FORM if it is
   spawned.  Returns false if the call ends its block; else AT is at the last event.  */
bool inlined_instrumenter::instrument_call(gimple_stmt_iterator *at, call_class kind, call_form form) {
  gimple *statement = gsi_stmt(*at);
  bool spawned = form != CALLED;
  if (form == CALLED_AS_TASK && kind == CALL_DIRECT)
    return instrument_task_call(at);
  if (profiled_spawn_p(statement) && kind == CALL_DIRECT && !calling_back)
    return instrument_profiled_spawn(at);
  if (spawned && kind == CALL_OF_NO_INTEREST)
    kind = CALL_FOREIGN;
  if (plan.linked || spawned || mode == MEASURE_CLOCK || begin || stmt_ends_bb_p(statement))
    end_inlined_strand(at);
  tree where = event_frame_address(), work = plan.linked || spawned ? local_work : build_zero_cst(u64);
  tree site =
      event_address_operand_of(site_record(statement, fun->decl, spawned ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL));
  if (!called_or_spawned_decl(statement)) {
    gcall *choose = build_call_of_engine(CALL_callee, {site, event_callee_address(statement)});
    site = make_ssa_name(TREE_TYPE(site));
    gimple_call_set_lhs(choose, site);
    insert_event_before_statement(at, choose);
  }
  gimple_stmt_iterator behind = *at;
  if (kind == CALL_FOREIGN) {
    insert_event_before_statement(
        at, build_call_of_engine(CALL_foreign_call,
                                 {where, site, event_callee_address(statement), work, build_int_cst(u64, spawned)}));
    behind = insert_event_after_call(behind, statement, build_call_of_engine(CALL_foreign_returned, {where}));
  } else
    insert_event_before_statement(at, build_event_call(spawned ? EVENT_spawn : EVENT_call, {where, work, site}));
  behind = insert_event_after_call(behind, statement,
                                   spawned ? build_event_call(EVENT_spawn_returned, {where, local_work, site})
                                           : build_event_call(EVENT_returned, {where, site}));
  if (flag_openmp && plan.linked && !spawned)
    behind = insert_event_after_call(behind, statement, build_call_of_engine(CALL_adopt, {where, local_work, site}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Inserts events around the call at AT, which runs a cilk_for: before it the loop begins, and the frame in memory gets
   the local work, in which the body of the loop goes on with it.  */
void inlined_instrumenter::instrument_shared_loop(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  end_inlined_strand(at);
  insert_event_before_statement(at, build_block_begin_event(marker_site_address(statement, CILKPROF_SITE_LOOP),
                                                            build_int_cst(u64, __CILKPROF_BLOCK_LOOP)));
  insert_event_before_statement(at, build_call_of_engine(CALL_here, {event_frame_address(), local_work}));
  *at = insert_event_after_call(*at, statement, gimple_build_assign(local_work, build_inlined_work_reference()));
}

/* Inserts an event before the call at AT, which is one of the engine's interface for programs or a jump: the engine
   reads the frame then, so it must be up to date.  */
void inlined_instrumenter::instrument_api_call(gimple_stmt_iterator *at) {
  end_inlined_strand(at);
  insert_event_before_statement(at, build_call_of_engine(CALL_here, {event_frame_address(), local_work}));
}

/* Starts timing the strand before the statement at AT, which runs code that is not counted.  */
void inlined_instrumenter::start_timing_before(gimple_stmt_iterator *at) {
  gimple_seq start = NULL;
  insert_inlined_work_addition(at);
  start_strand_timing(&start, local_work, build_zero_cst(u64));
  gsi_insert_seq_before(at, start, GSI_SAME_STMT);
}

/* Inserts inlined events before and after the call at AT, which is charged to this function and may run code of the
   program.  Returns false if the call ends its block; else AT is at the last event.  */
bool inlined_instrumenter::instrument_charged_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  time_uncounted_statement(at);
  insert_inlined_work_addition(at);
  gcall *returned = build_event_call(EVENT_charged_returned, {event_frame_address(), local_work});
  gimple_call_set_lhs(returned, local_work);
  insert_event_before_statement(at, build_event_call(EVENT_charged_call, {event_frame_address(), local_work}));
  gimple_stmt_iterator behind = insert_event_after_call(*at, statement, returned);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Adds the inlined event at the start of BB, a landing pad, to STATEMENTS.  If control arrives by a jump that may have
   left Cilk blocks, they are closed and get the work since they began.  */
void inlined_instrumenter::build_resume_event(gimple_seq *statements, basic_block bb) {
  gimple_seq_add_stmt(statements, build_event_call(EVENT_resume, {event_frame_address()}));
  if (!plan.has_blocks || !jump_receiver_event_block_p(bb))
    return;
  tree around = build_int_cst(u64, plan.open_marked_blocks_at(bb));
  gimple_seq_add_stmt(statements, build_call_of_engine(CALL_close_blocks, {event_frame_address(), around}));
  gimple_seq_add_stmt(statements, gimple_build_assign(local_work, build_inlined_work_reference()));
}

/* Returns a reference to the field LOCAL_WORK of the function's frame in memory.  */
tree inlined_instrumenter::build_inlined_work_reference() {
  tree field = engine_record_field(engine_type_tree(TYPE_FRAME), "local_work");
  return build3(COMPONENT_REF, TREE_TYPE(field), build_simple_mem_ref(frame), field, NULL_TREE);
}

/* Inserts inlined events around the call at AT, which returns twice, like setjmp.  When it returns the second time,
   registers have their values of the first time, so LOCAL_WORK is kept in memory.  Blocks that were opened in between
   are closed.  Returns false if the call ends its block; else AT is at the last event.  */
bool inlined_instrumenter::instrument_setjmp(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  end_inlined_strand(at);
  since_boundary = -1;
  insert_event_before_statement(at, gimple_build_assign(build_inlined_work_reference(), local_work));
  gimple_stmt_iterator behind =
      insert_event_after_call(*at, statement, build_event_call(EVENT_resume, {event_frame_address()}));
  behind = insert_event_after_call(
      behind, statement,
      build_call_of_engine(CALL_close_blocks, {event_frame_address(), build_int_cst(u64, open_here)}));
  behind = insert_event_after_call(behind, statement, gimple_build_assign(local_work, build_inlined_work_reference()));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Inserts the inlined events before the return at AT: the end of the strand, the join of children, and leaving the
   frame.  A return without any event before it only says what the function did.  */
void inlined_instrumenter::instrument_return_statement(gimple_stmt_iterator *at) {
  end_strand_before_return(at);
  if (plan.bare_returns.contains(gsi_bb(*at))) {
    insert_event_before_statement(at, build_event_call(EVENT_bare, {local_work}));
    return;
  }
  if (plan.ranges) {
    insert_event_before_statement(at, build_call_of_engine(CALL_here, {event_frame_address(), local_work}));
    return;
  }
  if (plan.names_strands)
    insert_event_before_statement(at, build_call_of_engine(CALL_strands_end, {event_frame_address(), local_work}));
  if (flag_openmp && plan.linked)
    insert_event_before_statement(at, build_event_call(EVENT_tasks_leave, {event_frame_address(), local_work}));
  else if (plan.spawning)
    insert_event_before_statement(at, build_event_call(EVENT_sync, {event_frame_address(), local_work}));
  insert_event_before_statement(at, build_event_call(EVENT_leave, {event_frame_address(), local_work}));
  if (plan.linked)
    insert_event_before_statement(at, build_event_call(EVENT_unlink_frame, {event_frame_address()}));
  if (plan.handler)
    insert_event_before_statement(at, build_event_call(EVENT_handler_leave, {}));
}

/* Builds the event that enters a function with a linked frame, which it returns.  With callbacks, the tool is passed a
   key of the invocation, which is computed on the edge E.  */
gcall *inlined_instrumenter::build_linked_entry_event(edge e) {
  if (!calling_back)
    return build_event_call(EVENT_enter_linked, {event_address_operand_of(record)});
  tree key = make_ssa_name(ptr_type_node);
  gcall *get_key = gimple_build_call(gcc_builtin_decl(BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs(get_key, key);
  gsi_insert_on_edge(e, get_key);
  return build_call_of_engine(CALL_enter_linked, {event_address_operand_of(record), key});
}

/* Inserts the inlined events at the function's entry: variables are cleared, and the frame is set up there or as late
   as possible.  */
void inlined_instrumenter::instrument_entry() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (plan.handler)
    gsi_insert_on_edge(e, build_event_call(EVENT_handler_enter, {}));
  gsi_insert_on_edge(e, gimple_build_assign(local_work, build_zero_cst(u64)));
  if (begin) {
    gsi_insert_on_edge(e, gimple_build_assign(begin, build_zero_cst(u64)));
    gsi_insert_on_edge(e, gimple_build_assign(before_begin, build_zero_cst(u64)));
  }
  if (!plan.entered)
    return;
  if (plan.ranges) {
    gcall *find = build_call_of_engine(CALL_range_enter, {});
    gimple_call_set_lhs(find, frame);
    gsi_insert_on_edge(e, find);
    gsi_insert_on_edge(e, gimple_build_assign(local_work, build_inlined_work_reference()));
    return;
  }
  gcall *enter = plan.linked ? build_linked_entry_event(e)
                 : enterable_by_uninstrumented_code_p(node)
                     ? build_event_call(EVENT_enter_any, {event_frame_address(), event_address_operand_of(record)})
                     : build_event_call(EVENT_enter, {event_frame_address()});
  if (plan.linked)
    gimple_call_set_lhs(enter, frame);
  if (plan.entered == ENTRY_BLOCK_PTR_FOR_FN(fun)) /* immediately, or the function begins with a loop */
    gsi_insert_on_edge(e, enter);
  else {
    gimple_stmt_iterator at = gsi_after_labels(plan.entered);
    gsi_insert_before(&at, enter, GSI_SAME_STMT);
  }
}

/* Inserts the inlined events that are not at a statement of the function: at edges to returns and loops, and at its
   entry.  Returns what GCC has to do afterwards.  */
unsigned inlined_instrumenter::finish_instrumentation(const vec<basic_block> &) {
  insert_timing_before_short_returns();
  start_timing_on_loop_edges();
  add_counted_loops_at_entry();
  instrument_entry();
  return TODO_update_ssa;
}

/* Returns a new instrumenter for FUN that inlines its events.  The caller deletes it.  */
instrumenter *make_inlined_instrumenter(function *fun) {
  return new inlined_instrumenter(fun);
}
